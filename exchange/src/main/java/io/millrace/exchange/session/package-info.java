/**
 * Sessions over TCP, independent of the protocol: connections, logons, limits, timeouts, and the delivery of numbered
 * answers without gap or repetition. All on one agent, with non-blocking sockets.
 */
package io.millrace.exchange.session;

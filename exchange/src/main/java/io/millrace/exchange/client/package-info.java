/**
 * A client of the binary protocol.
 */
package io.millrace.exchange.client;

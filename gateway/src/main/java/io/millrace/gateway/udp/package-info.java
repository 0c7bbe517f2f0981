/**
 * The UDP source: unicast and multicast, one line or two, with exact counts of what the network lost.
 */
package io.millrace.gateway.udp;

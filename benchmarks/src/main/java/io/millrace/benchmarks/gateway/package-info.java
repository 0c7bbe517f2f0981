/**
 * The report on the gateway: decoding, reception and latency, next to bare sockets, and a stalled TCP client.
 */
package io.millrace.benchmarks.gateway;

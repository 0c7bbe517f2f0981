/**
 * Latencies recorded on the hot path without allocation, read by another thread, and written in HdrHistogram's own
 * formats.
 */
package io.millrace.server.metrics;

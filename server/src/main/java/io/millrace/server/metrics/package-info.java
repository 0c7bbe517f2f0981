/**
 * Records latencies on the hot path without allocation; another thread reads them and writes HdrHistogram's file
 * formats.
 */
package io.millrace.server.metrics;

/**
 * Cost of the order book by its size, its memory, and its latency under hostile load.
 */
package io.millrace.benchmarks.depth;

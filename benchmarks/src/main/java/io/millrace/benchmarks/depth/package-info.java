/**
 * Measures the cost and the memory of an order book by its size, and the effect of hostile load.
 */
package io.millrace.benchmarks.depth;

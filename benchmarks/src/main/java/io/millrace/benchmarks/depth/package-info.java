/**
 * What the order book costs by its size, what it takes in memory, and what hostile load does to it.
 */
package io.millrace.benchmarks.depth;

/**
 * Operations of the order book, one JMH benchmark each, in the sizes that another engine publishes figures of.
 */
package io.millrace.benchmarks.jmh.ops;

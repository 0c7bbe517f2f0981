/**
 * The order book on the flows of a public conformance suite, whose prices spread over thousands of ticks.
 */
package io.millrace.benchmarks.suite;

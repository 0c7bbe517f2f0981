/**
 * Measures the cost of each option per event, the cost of idling, and the time of an event to every stage of a fan-out.
 * Each variant runs in its own JVM.
 */
package io.millrace.benchmarks.cost;

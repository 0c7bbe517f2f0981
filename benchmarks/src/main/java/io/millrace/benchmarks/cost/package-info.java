/**
 * What each thing that a user can switch on costs per event, what idling costs, and what an event needs to reach every
 * stage of a fan-out. Each variant runs in its own JVM.
 */
package io.millrace.benchmarks.cost;

/**
 * Cost per event of each option that a user can set, cost of idling, and time of an event to reach every
 * stage of a fan-out. Each variant runs in its own JVM.
 */
package io.millrace.benchmarks.cost;

/**
 * Measures snapshots of a whole engine, and its recovery from a journal.
 */
package io.millrace.benchmarks.recovery;

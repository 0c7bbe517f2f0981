/**
 * The cost of the journal. {@link io.millrace.benchmarks.journal.JournalCost} runs the parts.
 */
package io.millrace.benchmarks.journal;

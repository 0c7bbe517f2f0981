/**
 * Durability for any deterministic handler: a write-ahead log of events in segments that are prepared ahead.
 * <p>
 * The format and what each policy survives are described in {@code docs/journal.md}.
 */
package io.millrace.journal;

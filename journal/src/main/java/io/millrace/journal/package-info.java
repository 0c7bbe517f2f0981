/**
 * Durability for any deterministic handler: a write-ahead log of events in prepared segments.
 * <p>
 * {@code docs/journal.md} describes the format and the guarantees of each policy.
 */
package io.millrace.journal;

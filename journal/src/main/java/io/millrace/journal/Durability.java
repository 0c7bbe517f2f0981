package io.millrace.journal;

/**
 * Durability policy: the time at which a record counts as committed, so that its answer may be sent. {@code
 * docs/journal.md} compares the policies.
 */
public enum Durability
{
    /**
     * Each record is written and forced before the next is encoded. Survives a power failure.
     */
    EVERY_EVENT,

    /**
     * Group commit: the records of a batch are written and forced together at its end. Survives a power failure.
     */
    EVERY_BATCH,

    /**
     * A batch is committed when the operating system has it. The keeper forces it within the interval. Survives the
     * death of the process; a power failure loses up to an interval of committed records.
     */
    INTERVAL,

    /**
     * A batch is committed when the operating system has it. Only full segments are forced. Survives the death of the
     * process; a power failure may lose every committed record of the segment in use.
     */
    OS_CACHE;

    /** Whether the writer forces before it commits. */
    boolean isForced()
    {
        return this == EVERY_EVENT || this == EVERY_BATCH;
    }
}

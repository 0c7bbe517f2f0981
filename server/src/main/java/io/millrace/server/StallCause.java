package io.millrace.server;

/**
 * What the thread of a stalled agent did, by its processor time and its state.
 */
public enum StallCause
{
    /** It used a processor for at least half of the time: the handler or the source computes. */
    BUSY,
    /** It waits for a lock, sleeps or is parked. */
    BLOCKED,
    /**
     * It could run and got little or no processor time: too few processors, a container's limit, a paused process; or
     * it waits inside of a system call, for example for a disk.
     */
    DID_NOT_RUN,
    /** The JVM does not measure the processor time of threads. */
    UNKNOWN
}

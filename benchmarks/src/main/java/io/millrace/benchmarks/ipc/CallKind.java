package io.millrace.benchmarks.ipc;

/** What a contender does. */
enum CallKind
{
    /** The loop in C over the same layout and bytes. */
    C_LOOP("C loop, same layout"),
    /** One cache line to and fro, in C. */
    C_LINE("C, one bare line"),
    /** One call at a time. */
    PLAIN("exchange"),
    /** The guest calls the host during each call. */
    NESTED("exchange, nested"),
    /** Many calls in flight. */
    PIPELINED("exchange, in flight"),
    /** Batches of calls; each ends before the next one begins. */
    BATCH("exchange, batches of " + CallKind.BATCH_CALLS),
    /** One call at a time through {@link RivalCalls}. */
    AERON("Aeron IPC"),
    /** Blocking reads and writes of a Unix-domain socket. */
    SOCKET("Unix-domain socket");

    static final int BATCH_CALLS = 32;

    final String title;

    CallKind(final String title)
    {
        this.title = title;
    }

    boolean isExchange()
    {
        return this == PLAIN || this == NESTED || isOverlapped();
    }

    /** Calls overlap, so none has a round trip of its own. */
    boolean isOverlapped()
    {
        return this == PIPELINED || this == BATCH;
    }

    boolean isInC()
    {
        return this == C_LOOP || this == C_LINE;
    }
}

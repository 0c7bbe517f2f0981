package io.millrace.ipc;

/**
 * The control word of a slot: owner, generation and state in one {@code long}, so that one compare-and-set takes the
 * owner together with the state and checks the generation.
 * <pre>
 *  63            32 31              8 7        0
 *  +---------------+-----------------+----------+
 *  | owner         | generation      | state    |
 *  +---------------+-----------------+----------+
 * </pre>
 * The owner is the random incarnation of the process that must make the next step; 0 in a free slot. The generation is
 * the number of times that the slot was freed, modulo 2^24.
 */
final class SlotWord
{
    /** Nobody has the slot. */
    static final int FREE = 0;
    /** The caller has published a request. */
    static final int REQ_READY = 1;
    /** The server has published a response. */
    static final int RESP_READY = 2;
    /** The caller has the response and is about to free the slot. */
    static final int DONE = 3;
    /** The owner writes: the caller its request, or the server its response. */
    static final int BUSY = 4;
    /** The caller no longer waits; the owner is the server, which frees the slot instead of replying. */
    static final int ABANDONED = 5;

    private static final int STATE_BITS = 8;
    private static final int STATE_MASK = (1 << STATE_BITS) - 1;
    private static final int OWNER_SHIFT = 32;
    /** Generations count modulo this. */
    static final int GENERATIONS = 1 << OWNER_SHIFT - STATE_BITS;

    private SlotWord()
    {
    }

    static long of(final int owner, final int generation, final int state)
    {
        return (long)owner << OWNER_SHIFT | (long)(generation & GENERATIONS - 1) << STATE_BITS | state;
    }

    static int owner(final long word)
    {
        return (int)(word >>> OWNER_SHIFT);
    }

    static int generation(final long word)
    {
        return (int)(word >>> STATE_BITS) & GENERATIONS - 1;
    }

    static int state(final long word)
    {
        return (int)word & STATE_MASK;
    }

    /** The word with another owner and state, in the same generation. */
    static long with(final long word, final int owner, final int state)
    {
        return (long)owner << OWNER_SHIFT | word & (GENERATIONS - 1L << STATE_BITS) | state;
    }

    /** The word of the free slot that follows. */
    static long freed(final long word)
    {
        return of(0, generation(word) + 1, FREE);
    }

    static String describe(final long word)
    {
        return "owner " + Integer.toHexString(owner(word)) + ", generation " + generation(word) + ", state " +
            state(word);
    }
}

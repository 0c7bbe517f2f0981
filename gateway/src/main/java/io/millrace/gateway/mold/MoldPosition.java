package io.millrace.gateway.mold;

/**
 * Finds out that a wrong packet has brought a receiver too far. A sender's packets and its heartbeats, one a second,
 * reach the next message; so if all are behind it for long, it is false.
 */
final class MoldPosition
{
    /** When a packet last reached the next message. */
    private long reachedNs;
    /** First message of the packets since then, the last one's, and its end; 0 if there are none. */
    private long behindFirst;
    private long lastSequence;
    private long behindEnd;

    /** Takes notice of a packet: true if the next message is false, and this and the last packet follow each other. */
    boolean isFalse(final long sequence, final long end, final long next, final long senderNext,
        final long sinceNs, final long nowNs)
    {
        if (end > next || end >= senderNext)
        {
            reachedNs = nowNs;
            reset();
            return false;
        }
        final boolean follows = behindFirst != 0 && sequence == behindEnd;
        behindFirst = behindFirst == 0 ? sequence : Math.min(behindFirst, sequence);
        lastSequence = sequence;
        behindEnd = end;
        return follows && reachedNs - sinceNs <= 0;
    }

    /** Where to go back to: the first message behind, or the last packet's if the first is before a limit. */
    long first(final long limit)
    {
        return behindFirst < limit ? lastSequence : behindFirst;
    }

    void reset()
    {
        behindFirst = 0;
    }
}

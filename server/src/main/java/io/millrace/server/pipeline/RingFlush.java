package io.millrace.server.pipeline;

import io.millrace.pool.PaddedLong;

/**
 * Which position somebody waits for: the one way in which a ring's last stages are asked to make known what they have
 * passed. The publisher asks when it found too little room, a report or a closing server when it looks.
 * <p>
 * The word only grows, so nobody takes a request back and none gets lost: a stage has answered when its announced
 * position has reached it. It stands on a line of its own that nobody writes while nobody asks, so a stage reads it
 * from its own cache, at most once a poll.
 * <p>
 * No fence between the two sides: who asks has looked at the positions before, a stage may look at the word just before
 * it is written. Then the stage's next poll sees it, and the next look of who asked sees the answer.
 */
final class RingFlush
{
    private final PaddedLong wanted;

    RingFlush(final long start)
    {
        wanted = new PaddedLong(start);
    }

    /** Any thread; off the fast path. */
    void want(final long position)
    {
        long present = wanted.getOpaque();
        // By compare and set: a report and the publisher may ask at the same time, for different positions.
        while (present < position && !wanted.compareAndSet(present, position))
        {
            present = wanted.getOpaque();
        }
    }

    /** A stage, at the end of a poll. Opaque: it orders nothing, the stage's release of its position does. */
    boolean isWanted(final long announced)
    {
        return announced < wanted.getOpaque();
    }
}

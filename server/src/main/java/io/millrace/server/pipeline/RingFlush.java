package io.millrace.server.pipeline;

import io.millrace.pool.PaddedLong;

/**
 * Request to the terminal stages of a ring to announce their positions. The publisher requests it if it found too
 * little capacity; reports and a closing server request it when they read positions.
 * <p>
 * The requested position only grows, so no request gets lost: a stage has answered when its announced position has
 * reached it. The word has its own cache line, which is written only by requests. A stage normally reads it from its
 * own cache, at most once per poll.
 * <p>
 * There is no fence between the two sides. The requester has read the positions before, and a stage may read the word
 * just before it is written. Then the stage's next poll sees it, and the requester's next read sees the answer.
 */
final class RingFlush
{
    private final PaddedLong wanted;

    RingFlush(final long start)
    {
        wanted = new PaddedLong(start);
    }

    /** Any thread; off the fast path. */
    void request(final long position)
    {
        long present = wanted.getOpaque();
        // By compare and set: a report and the publisher may request different positions at the same time.
        while (present < position && !wanted.compareAndSet(present, position))
        {
            present = wanted.getOpaque();
        }
    }

    /** Called by a stage at the end of a poll. Opaque: the stage's release of its position provides the order. */
    boolean isWanted(final long announced)
    {
        return announced < wanted.getOpaque();
    }
}

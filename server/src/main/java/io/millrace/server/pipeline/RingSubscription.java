package io.millrace.server.pipeline;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.PaddedLong;
import io.millrace.pool.Padding;
import io.millrace.pool.PoolCheck;
import io.millrace.pool.GatingSequence;
import io.millrace.pool.RingPool;

/**
 * Position of one stage in the ring. All fields except the announced position belong to the polling thread.
 */
abstract class RingSubscription<E extends BasePoolAware> extends Padding implements EventSubscription<E>
{
    final RingPool<E> pool;
    long next;

    private final String stage;
    private final PaddedLong position;
    private final RingFlush flush;
    private final int announceInterval;
    private long announced;
    /**
     * From this sequence on, this stage is not terminal. Plain: the subscribing thread writes it before it publishes
     * that sequence, and this stage reads it after it has seen that publication.
     */
    private long followedFrom = Long.MAX_VALUE;

    RingSubscription(final String stage, final RingPool<E> pool, final RingFlush flush, final long start)
    {
        this.stage = stage;
        this.pool = pool;
        this.flush = flush;
        next = start;
        announced = start;
        position = new PaddedLong(start);
        announceInterval = GatingSequence.announceInterval(pool.capacity());
    }

    @Override
    public final String stage()
    {
        return stage;
    }

    @Override
    public final long position()
    {
        final long reached = positionAcquire();
        final long end = pool.publishedPosition();
        if (reached < end)
        {
            flush.request(end);
        }
        return reached;
    }

    final long positionAcquire()
    {
        // Acquire: pairs with the release in announce(). The stage's reads of the events come before their next use.
        return position.getAcquire();
    }

    final boolean isTerminal()
    {
        return followedFrom == Long.MAX_VALUE;
    }

    final void followed(final long sequence)
    {
        followedFrom = Math.min(followedFrom, sequence);
    }

    final void deliver(
        final EventHandler<? super E> handler, final E event, final long sequence, final boolean endOfBatch)
        throws Exception
    {
        if (PoolCheck.ENABLED && sequence < followedFrom && !handler.completesAtEndOfBatch())
        {
            final long stamp = event.stamp();
            try
            {
                handler.onEvent(event, sequence, endOfBatch);
            }
            finally
            {
                event.releasePassed(stamp);
            }
        }
        else
        {
            handler.onEvent(event, sequence, endOfBatch);
        }
    }

    /**
     * End of a poll.
     *
     * @param handler   of the poll.
     * @param reached   sequence after the last event with which the handler was called.
     * @param completed the same sequence, or one less if that call threw.
     */
    final void passed(final EventHandler<?> handler, final long reached, final long completed)
    {
        if (completed == reached)
        {
            if (PoolCheck.ENABLED && handler.completesAtEndOfBatch())
            {
                releasePassed(Math.min(reached, followedFrom));
            }
            next = reached;
        }
        else if (!handler.completesAtEndOfBatch())
        {
            // Events before followedFrom were released already.
            next = completed < followedFrom ? reached : completed;
        }
        if (next - announced >= announceInterval || next != announced && (!isTerminal() || flush.isWanted(announced)))
        {
            announce(next);
        }
    }

    /** The end of a batch that completes there. */
    private void releasePassed(final long end)
    {
        for (long sequence = next; sequence < end; sequence++)
        {
            final E event = pool.event(sequence);
            if (RingPool.sequenceOf(event) == sequence)
            {
                event.releasePassed();
            }
        }
    }

    /** Sequence that the stages before this one let it reach; the greatest long if there are none. */
    abstract long limitOfStagesBefore();

    @Override
    public final int pass(final EventGate<? super E> gate, final int limit) throws Exception
    {
        final long end = limitOfStagesBefore();
        long sequence = next;
        int passed = 0;
        while (sequence < end && passed < limit)
        {
            final E event = pool.event(sequence);
            final long word = RingPool.sequenceOf(event);
            if (word == sequence && gate.isOpen(event, sequence))
            {
                passed++;
            }
            else if (word != ~sequence)
            {
                break;
            }
            sequence++;
        }
        if (sequence == next)
        {
            return onEmptyPoll();
        }
        next = sequence;
        announce(next);
        return passed;
    }

    final int onEmptyPoll()
    {
        // Announcing at each pause would move the position's line to the publisher each time (half the throughput).
        if (announced != next && flush.isWanted(announced))
        {
            announce(next);
        }
        return 0;
    }

    @Override
    public final void flush()
    {
        if (announced != next)
        {
            announce(next);
        }
    }

    private void announce(final long reached)
    {
        announced = reached;
        // Release: pairs with positionAcquire() of the publisher and of later stages.
        position.setRelease(reached);
    }

    /**
     * Called by the closing thread when no thread polls any more.
     *
     * @return number of skipped events for which this stage is terminal.
     */
    final long skipTo(final long end)
    {
        long skipped = 0;
        for (; next < end; next++)
        {
            final E event = pool.event(next);
            final long word = RingPool.sequenceOf(event);
            if (word != next && word != ~next)
            {
                // A publish is in progress; its publisher then sees the close and closes again.
                break;
            }
            if (next < followedFrom && word == next)
            {
                skipped++;
                if (PoolCheck.ENABLED)
                {
                    event.releasePassed();
                }
            }
        }
        announce(next);
        return skipped;
    }

    @Override
    public final String toString()
    {
        return stage + "@" + position.getOpaque();
    }
}

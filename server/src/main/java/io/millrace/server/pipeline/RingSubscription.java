package io.millrace.server.pipeline;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.EventRing;
import io.millrace.pool.PaddedLong;
import io.millrace.pool.Padding;
import io.millrace.pool.PoolCheck;
import io.millrace.pool.GatingSequence;

import java.util.Arrays;
import java.util.List;

/**
 * Position of one stage in the ring. All fields except the announced position belong to the polling thread.
 */
abstract class RingSubscription<E extends BasePoolAware> extends Padding implements EventSubscription<E>
{
    final EventRing<E> pool;
    long next;

    private final String stage;
    private final PaddedLong position;
    private final RingFlush flush;
    private final int announceInterval;
    private long announced;
    /** Whether no stage follows this one. Volatile: another stage's thread may write it. Read once a poll. */
    private volatile boolean terminal = true;
    /**
     * Sequences from which on this stage is not terminal, is again, is not, and so on. Replaced before an event with
     * the last one is published. Read after a failure and at the close; for each event in checked mode only.
     */
    private volatile long[] changes = {};
    /** For a first stage of a ring of many publishers; otherwise null. */
    private ClaimWatch claims;

    RingSubscription(final String stage, final EventRing<E> pool, final RingFlush flush, final long start)
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

    /** Called while the stage is added. */
    final void watch(final ClaimWatch watch)
    {
        claims = watch;
    }

    /** Whether events can be revoked, perhaps by another stage between this one's two reads of an event. */
    final boolean isRevocable()
    {
        return claims != null;
    }

    /** Published sequence of an event in the slot of a sequence. */
    final long sequenceOf(final E event, final long sequence, final boolean revocable)
    {
        return revocable ? pool.sequenceInSlot(event, sequence) : EventRing.sequenceOf(event);
    }

    final long positionAcquire()
    {
        // Acquire: pairs with the release in announce(). The stage's reads of the events come before their next use.
        return position.getAcquire();
    }

    final boolean isTerminal()
    {
        return terminal;
    }

    /** From an event on, this stage is terminal or not. One caller at a time. */
    final void terminalFrom(final long sequence, final boolean now)
    {
        final long[] before = changes;
        // If this stage has passed them, two changes are as good as none.
        final int passed = before.length > 1 && before[1] <= positionAcquire() ? 2 : 0;
        final long[] after = Arrays.copyOfRange(before, passed, before.length + 1);
        after[after.length - 1] = sequence;
        changes = after;
        terminal = now;
    }

    private boolean isTerminalAt(final long sequence)
    {
        boolean result = true;
        for (final long change : changes)
        {
            result ^= change <= sequence;
        }
        return result;
    }

    /**
     * In checked mode, for a stage that has left: it has references to events that stages before it still handle. Under
     * the lock of the changes.
     *
     * @param end all other stages have passed the events up to this sequence.
     */
    final void releaseLeft(final long end)
    {
        releasePassed(end);
        next = Math.max(next, end);
    }

    /** The stages that this one follows. */
    abstract List<RingSubscription<?>> stagesBefore();

    final boolean follows(final EventSubscription<?> other)
    {
        return stagesBefore().contains(other);
    }

    /**
     * Called by the polling thread, which does not poll again.
     *
     * @return number of events that it has not passed.
     */
    final long leave(final long end)
    {
        if (claims != null)
        {
            claims.end();
        }
        return Math.max(0, end - next);
    }

    final void deliver(
        final EventHandler<? super E> handler, final E event, final long sequence, final boolean endOfBatch)
        throws Exception
    {
        if (PoolCheck.ENABLED && !handler.completesAtEndOfBatch() && isTerminalAt(sequence))
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
                releasePassed(reached);
            }
            next = reached;
        }
        else if (!handler.completesAtEndOfBatch())
        {
            // A terminal stage has released the failed event already.
            next = isTerminalAt(completed) ? reached : completed;
        }
        if (next - announced >= announceInterval || next != announced && (!isTerminal() || flush.isWanted(announced)))
        {
            announce(next);
        }
    }

    /** For which this stage is terminal. */
    private void releasePassed(final long end)
    {
        for (long sequence = next; sequence < end; sequence++)
        {
            final E event = pool.event(sequence);
            if (EventRing.sequenceOf(event) == sequence && isTerminalAt(sequence))
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
            final long word = sequenceOf(event, sequence, isRevocable());
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
        if (PoolCheck.ENABLED)
        {
            // The stages that follow the gate may have left, or not joined yet.
            releasePassed(sequence);
        }
        next = sequence;
        announce(next);
        return passed;
    }

    final int onEmptyPoll()
    {
        if (claims != null)
        {
            claims.onEmptyPoll(next);
        }
        // Announcing at each pause would move the position's line to the publisher each time (half the throughput).
        if (announced != next && flush.isWanted(announced))
        {
            announce(next);
        }
        return 0;
    }

    /** Also passes the PADs that are next. */
    @Override
    public final void flush()
    {
        final long end = limitOfStagesBefore();
        while (next < end && sequenceOf(pool.event(next), next, isRevocable()) == ~next)
        {
            next++;
        }
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
            final long word = EventRing.sequenceOf(event);
            if (word != next && word != ~next)
            {
                // A publish is in progress; its publisher then sees the close and closes again.
                break;
            }
            if (word == next && isTerminalAt(next))
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

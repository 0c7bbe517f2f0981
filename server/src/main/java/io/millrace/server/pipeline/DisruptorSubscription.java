package io.millrace.server.pipeline;

import com.lmax.disruptor.AlertException;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import com.lmax.disruptor.SequenceBarrier;
import com.lmax.disruptor.TimeoutException;
import com.lmax.disruptor.WaitStrategy;
import io.millrace.pool.BasePoolAware;

/**
 * One stage on the Disruptor's ring, polled by its agent. A barrier that does not wait limits each poll; the stage's
 * {@link Sequence} advances at the end of each poll.
 * <p>
 * It does not use the Disruptor's {@code EventPoller}, which passes the events before a failed one. A stage that
 * completes at the end of its batch has not completed these events.
 */
final class DisruptorSubscription<E extends BasePoolAware> implements EventSubscription<E>
{
    /** The barrier returns the position of the stages before and does not wait: the agent's idle strategy does. */
    static final class NoWait implements WaitStrategy
    {
        @Override
        public long waitFor(
            final long sequence, final Sequence cursor, final Sequence dependentSequence, final SequenceBarrier barrier)
        {
            return dependentSequence.get();
        }

        @Override
        public void signalAllWhenBlocking()
        {
        }
    }

    private final String stage;
    private final RingBuffer<DisruptorPipeline.Place> ring;
    private final SequenceBarrier before;
    private final Sequence passed = new Sequence();
    /**
     * From this sequence on, this stage is not terminal. Plain: the subscribing thread writes it before it publishes
     * that sequence, and this stage reads it after it has seen that publication.
     */
    private long followedFrom = Long.MAX_VALUE;

    DisruptorSubscription(
        final String stage,
        final RingBuffer<DisruptorPipeline.Place> ring,
        final DisruptorSubscription<?>[] stagesBefore)
    {
        this.stage = stage;
        this.ring = ring;
        final Sequence[] sequences = new Sequence[stagesBefore.length];
        for (int i = 0; i < sequences.length; i++)
        {
            sequences[i] = stagesBefore[i].passed;
        }
        before = ring.newBarrier(sequences);
        // Also sets the sequence to the published position.
        ring.addGatingSequences(passed);
    }

    boolean isTerminal()
    {
        return followedFrom == Long.MAX_VALUE;
    }

    void followed(final long sequence)
    {
        followedFrom = Math.min(followedFrom, sequence);
    }

    @Override
    public int poll(final EventHandler<? super E> handler, final int limit) throws Exception
    {
        final long first = passed.get() + 1;
        final long available = available(first);
        if (available < first)
        {
            return 0;
        }
        // Compare the difference: the sum may overflow.
        final long end = available - first >= limit ? first + limit : available + 1;
        long sequence = first;
        long completed = first;
        try
        {
            while (sequence < end)
            {
                final E event = event(sequence);
                sequence++;
                deliver(handler, event, sequence - 1, sequence == end);
                completed = sequence;
            }
        }
        finally
        {
            passed.set((completed == sequence ? passedAll(handler, first, sequence) :
                passedOnFailure(handler, first, completed)) - 1);
        }
        return (int)(sequence - first);
    }

    /** Sequence of the last available event, before any place that a publisher has claimed and not filled yet. */
    private long available(final long first)
    {
        try
        {
            return before.waitFor(first);
        }
        catch (final AlertException | InterruptedException | TimeoutException ex)
        {
            // The barrier is never alerted and its strategy does not wait.
            throw new IllegalStateException(ex);
        }
    }

    private long passedAll(final EventHandler<?> handler, final long first, final long end)
    {
        if (first < followedFrom && handler.completesAtEndOfBatch())
        {
            for (long sequence = first; sequence < Math.min(end, followedFrom); sequence++)
            {
                event(sequence).releasePassed();
            }
        }
        return end;
    }

    private long passedOnFailure(final EventHandler<?> handler, final long first, final long failed)
    {
        if (handler.completesAtEndOfBatch())
        {
            return first;
        }
        // Events before followedFrom were released already.
        return failed < followedFrom ? failed + 1 : failed;
    }

    @Override
    public int pass(final EventGate<? super E> gate, final int limit) throws Exception
    {
        final long first = passed.get() + 1;
        final long available = available(first);
        long sequence = first;
        while (sequence <= available && sequence - first < limit && gate.isOpen(event(sequence), sequence))
        {
            sequence++;
        }
        if (sequence > first)
        {
            passed.set(sequence - 1);
        }
        return (int)(sequence - first);
    }

    private void deliver(
        final EventHandler<? super E> handler, final E event, final long sequence, final boolean endOfBatch)
        throws Exception
    {
        if (sequence >= followedFrom || handler.completesAtEndOfBatch())
        {
            handler.onEvent(event, sequence, endOfBatch);
            return;
        }
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

    @SuppressWarnings("unchecked")
    private E event(final long sequence)
    {
        return (E)ring.get(sequence).event;
    }

    /**
     * Called by the closing thread when no thread polls any more.
     *
     * @return number of skipped events for which this stage is terminal; they were released.
     */
    long skip()
    {
        long skipped = 0;
        final long first = passed.get() + 1;
        final long available = available(first);
        for (long sequence = first; sequence <= available; sequence++)
        {
            if (sequence < followedFrom)
            {
                event(sequence).releasePassed();
                skipped++;
            }
        }
        passed.set(Math.max(first - 1, available));
        return skipped;
    }

    @Override
    public String stage()
    {
        return stage;
    }

    @Override
    public long position()
    {
        return passed.get() + 1;
    }

    @Override
    public void flush()
    {
    }

    @Override
    public String toString()
    {
        return stage + "@" + position();
    }
}

package io.millrace.server.pipeline;

import io.millrace.pool.PoolCheck;
import io.millrace.pool.testkit.TestThreads;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/**
 * A stage of a stress test. It sees every number once and in order, each event intact, and its sequence in step with
 * the number, apart from events that were given up.
 */
class StressStage implements EventHandler<NumberedEvent>
{
    static final int LIMIT = 256;

    final EventSubscription<NumberedEvent> subscription;
    /** Number of the next event. */
    long next;
    /** Sequences without an event. */
    long skipped;

    private final long start;
    private final long end;

    StressStage(final EventSubscription<NumberedEvent> subscription, final long start, final long events)
    {
        this.subscription = subscription;
        this.start = start;
        end = events;
    }

    /** Spins for some time, then yields the core to another thread: there may be more threads than cores. */
    static IdleStrategy idle()
    {
        return new BackoffIdleStrategy(200, 1_000_000, 1_000, 1_000);
    }

    @Override
    public void onEvent(final NumberedEvent event, final long sequence, final boolean endOfBatch) throws Exception
    {
        event.requireWhole(next);
        final long now = sequence - start - next;
        if (now < skipped)
        {
            throw new AssertionError(event + " has sequence " + sequence + " behind " + skipped + " skipped");
        }
        skipped = now;
        next++;
    }

    /** Nothing was there. */
    void whenIdle()
    {
    }

    boolean isOver()
    {
        return next >= end;
    }

    /** The polling thread. */
    final void consume(final TestThreads workers) throws Exception
    {
        final IdleStrategy idle = idle();
        while (!isOver() && workers.isRunning())
        {
            final int count = subscription.poll(this, LIMIT);
            if (count == 0)
            {
                whenIdle();
            }
            idle.idle(count);
        }
        whenIdle();
        subscription.flush();
    }

    /**
     * Of a ring: the events of a poll stay in their slots until the poll returns, so the stage checks the first event
     * of a batch again with the last. Not in checked mode, where the terminal stage releases each event at once.
     */
    static class OnRing extends StressStage
    {
        private NumberedEvent first;
        private long firstNumber;

        OnRing(final EventSubscription<NumberedEvent> subscription, final long start, final long events)
        {
            super(subscription, start, events);
        }

        @Override
        public void onEvent(final NumberedEvent event, final long sequence, final boolean endOfBatch) throws Exception
        {
            super.onEvent(event, sequence, endOfBatch);
            if (first == null && !PoolCheck.ENABLED)
            {
                first = event;
                firstNumber = event.number;
            }
            if (endOfBatch && first != null)
            {
                first.requireWhole(firstNumber);
                first = null;
            }
        }
    }

    /** Retains each eighth event, and checks it again before it releases it, several events later. */
    static final class Keeping extends StressStage
    {
        private final NumberedEvent[] kept;
        private final long[] numbers;
        private int place;

        Keeping(
            final EventSubscription<NumberedEvent> subscription, final long start, final long events, final int size)
        {
            super(subscription, start, events);
            kept = new NumberedEvent[size];
            numbers = new long[size];
        }

        @Override
        public void onEvent(final NumberedEvent event, final long sequence, final boolean endOfBatch) throws Exception
        {
            super.onEvent(event, sequence, endOfBatch);
            if ((event.number & 7) == 3)
            {
                giveBack(place);
                event.retain(1);
                kept[place] = event;
                numbers[place] = event.number;
                place = (place + 1) % kept.length;
            }
        }

        private void giveBack(final int index)
        {
            final NumberedEvent event = kept[index];
            if (event != null)
            {
                kept[index] = null;
                event.requireWhole(numbers[index]);
                event.release();
            }
        }

        /** All of them: the publisher may wait for one of these places. */
        @Override
        void whenIdle()
        {
            for (int i = 0; i < kept.length; i++)
            {
                giveBack(i);
            }
        }
    }

    /** Retains every event for the next pipeline and waits for capacity there. */
    static final class Forwarding extends StressStage
    {
        private final EventPublisher<NumberedEvent> target;
        private final TestThreads workers;
        private final IdleStrategy idle = idle();

        Forwarding(
            final EventSubscription<NumberedEvent> subscription,
            final long start,
            final long events,
            final EventPublisher<NumberedEvent> target,
            final TestThreads workers)
        {
            super(subscription, start, events);
            this.target = target;
            this.workers = workers;
        }

        @Override
        public void onEvent(final NumberedEvent event, final long sequence, final boolean endOfBatch) throws Exception
        {
            super.onEvent(event, sequence, endOfBatch);
            event.retain(1);
            while (!target.offer(event))
            {
                event.requireWhole(next - 1);
                if (!workers.isRunning())
                {
                    event.release();
                    return;
                }
                idle.idle();
            }
            idle.reset();
        }
    }

    /**
     * Data from a journal to the stages behind it. Plain on purpose: the positions of the stages must make it visible.
     */
    static final class Commit
    {
        long end;
    }

    /** Retains the events of a batch, checks all of them again at its end, and commits. */
    static final class Journal extends StressStage
    {
        private final NumberedEvent[] batch = new NumberedEvent[LIMIT];
        private final Commit commit;
        private int size;

        Journal(
            final EventSubscription<NumberedEvent> subscription,
            final long start,
            final long events,
            final Commit commit)
        {
            super(subscription, start, events);
            this.commit = commit;
        }

        @Override
        public void onEvent(final NumberedEvent event, final long sequence, final boolean endOfBatch) throws Exception
        {
            super.onEvent(event, sequence, endOfBatch);
            batch[size++] = event;
            if (endOfBatch)
            {
                for (int i = 0; i < size; i++)
                {
                    batch[i].requireWhole(next - size + i);
                }
                size = 0;
                commit.end = next;
            }
        }

        @Override
        public boolean completesAtEndOfBatch()
        {
            return true;
        }
    }

    /** Sees only committed events. */
    static final class Committed extends StressStage
    {
        private final Commit commit;

        Committed(
            final EventSubscription<NumberedEvent> subscription,
            final long start,
            final long events,
            final Commit commit)
        {
            super(subscription, start, events);
            this.commit = commit;
        }

        @Override
        public void onEvent(final NumberedEvent event, final long sequence, final boolean endOfBatch) throws Exception
        {
            super.onEvent(event, sequence, endOfBatch);
            if (event.number >= commit.end)
            {
                throw new AssertionError(event + " is here, committed is " + commit.end);
            }
        }
    }
}

package io.millrace.server.pipeline;

import io.millrace.pool.ObjectPool;
import io.millrace.pool.PoolCheck;
import io.millrace.pool.RingPool;
import io.millrace.pool.SharedPool;
import io.millrace.pool.testkit.TestThreads;
import org.agrona.concurrent.IdleStrategy;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * No event is lost, repeated, reordered or recycled early: every event's content follows from its number and is
 * checked at each stage.
 * <pre>
 *  publisher --&gt; journal (collects, commits at end of batch) --+--&gt; match
 *                                                              +--&gt; audit
 * </pre>
 * Four threads on whatever cores there are: they yield and sleep when they have nothing to do.
 */
final class ThreeMillionEventsTest
{
    /** Checked mode counts each event in and out and remembers names: a tenth of the number takes as long. */
    private static final int EVENTS = PoolCheck.ENABLED ? 300_000 : 3_000_000;
    /** A ring of four passes nearly each event singly, and a sleeping thread takes it. */
    private static final int FEW_EVENTS = 100_000;
    /** Small enough to be full and empty thousands of times, large enough for batches. */
    private static final int CAPACITY = 1_024;
    private static final int LIMIT = 256;

    private final TestThreads workers = new TestThreads();
    private int events = EVENTS;
    private volatile long committed;

    /** Retains the events of a batch and checks all of them again at its end, when it commits. */
    private final class Journal implements EventHandler<NumberedEvent>
    {
        private final NumberedEvent[] batch = new NumberedEvent[LIMIT];
        private int size;
        private long next;
        private long batches;

        @Override
        public void onEvent(final NumberedEvent event, final long sequence, final boolean endOfBatch)
        {
            event.requireWhole(next + size);
            assertSequence(next + size, sequence);
            batch[size] = event;
            size++;
            if (endOfBatch)
            {
                for (int i = 0; i < size; i++)
                {
                    batch[i].requireWhole(next + i);
                }
                next += size;
                size = 0;
                batches++;
                committed = next;
            }
        }

        @Override
        public boolean completesAtEndOfBatch()
        {
            return true;
        }
    }

    /** Sees only committed events. */
    private final class Leaf implements EventHandler<NumberedEvent>
    {
        private long next;

        @Override
        public void onEvent(final NumberedEvent event, final long sequence, final boolean endOfBatch)
        {
            event.requireWhole(next);
            assertSequence(next, sequence);
            if (next >= committed)
            {
                throw new AssertionError("event " + next + " is here, committed is " + committed);
            }
            next++;
        }
    }

    private static void assertSequence(final long expected, final long sequence)
    {
        if (sequence != expected)
        {
            throw new AssertionError("expected sequence " + expected + ", found " + sequence);
        }
    }

    private void publish(final ObjectPool<NumberedEvent> pool, final EventPipeline<NumberedEvent> pipeline)
    {
        final IdleStrategy idle = PipelineFixture.idle();
        for (long number = 0; number < events && workers.isRunning();)
        {
            final NumberedEvent event = pool.acquire();
            if (event == null)
            {
                idle.idle();
            }
            else if (pipeline.offer(event.fill(number)))
            {
                number++;
                idle.reset();
            }
            else
            {
                event.requireWhole(number);
                event.release();
                idle.idle();
            }
        }
    }

    private void consume(final EventSubscription<NumberedEvent> subscription, final EventHandler<NumberedEvent> handler)
        throws Exception
    {
        final IdleStrategy idle = PipelineFixture.idle();
        for (long total = 0; total < events && workers.isRunning();)
        {
            final int count = subscription.poll(handler, LIMIT);
            total += count;
            idle.idle(count);
        }
        subscription.flush();
    }

    private void run(final ObjectPool<NumberedEvent> pool, final EventPipeline<NumberedEvent> pipeline) throws Exception
    {
        final Journal journal = new Journal();
        final Leaf match = new Leaf();
        final Leaf audit = new Leaf();
        final EventSubscription<NumberedEvent> first = pipeline.subscribe("journal");
        final EventSubscription<NumberedEvent> second = pipeline.subscribe("match", first);
        final EventSubscription<NumberedEvent> third = pipeline.subscribe("audit", first);
        workers.start("journal", () -> consume(first, journal))
            .start("match", () -> consume(second, match))
            .start("audit", () -> consume(third, audit))
            .start("publisher", () -> publish(pool, pipeline));
        workers.join();
        assertEquals(events, journal.next);
        assertEquals(events, match.next);
        assertEquals(events, audit.next);
        assertEquals(events, committed);
        assertEquals(0, first.poll(journal, 1) + second.poll(match, 1) + third.poll(audit, 1));
        assertEquals(pool.capacity(), pool.available(), pool::describeInFlight);
        assertEquals(0, pipeline.close());
        assertEquals(pool.capacity(), pool.available(), pool::describeInFlight);
        assertEquals(0, pool.metrics().doubleReleases() + pool.metrics().lateReleases() + pool.metrics().abandoned());
        System.out.println(
            pipeline.describe() + ": " + events + " events, " + journal.batches + " batches, " + pool.metrics());
    }

    @Test
    void shouldPassTheRingUnchanged() throws Exception
    {
        final RingPool<NumberedEvent> pool = new RingPool<>(NumberedEvent::new, CAPACITY);
        run(pool, new RingPipeline<>(pool));
    }

    @Test
    void shouldPassTheDisruptorUnchanged() throws Exception
    {
        run(new RingPool<>(NumberedEvent::new, 2 * CAPACITY), DisruptorPipeline.single(CAPACITY));
    }

    @Test
    void shouldPassTheDisruptorOfManyPublishersUnchanged() throws Exception
    {
        run(new SharedPool<>(NumberedEvent::new, 2 * CAPACITY), DisruptorPipeline.multi(CAPACITY));
    }

    @Test
    void shouldPassATinyRingUnchanged() throws Exception
    {
        events = FEW_EVENTS;
        final RingPool<NumberedEvent> pool = new RingPool<>(NumberedEvent::new, 4);
        run(pool, new RingPipeline<>(pool));
    }

    @Test
    void shouldPassATinyDisruptorUnchanged() throws Exception
    {
        events = FEW_EVENTS;
        run(new SharedPool<>(NumberedEvent::new, 6), DisruptorPipeline.multi(4));
    }
}

package io.millrace.server.pipeline;

import io.millrace.pool.Exhaustion;
import io.millrace.pool.RingPool;
import io.millrace.pool.testkit.TestThreads;
import org.agrona.concurrent.IdleStrategy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * P13, P14: rings of one, two and four slots, at sequences where an {@code int} wraps and where a {@code long} nearly
 * does.
 */
final class RingPipelineWrapTest
{
    private static final int EVENTS = 10_000;

    private RingPool<NumberedEvent> pool;
    private RingPipeline<NumberedEvent> pipeline;

    private void create(final int capacity, final long firstSequence)
    {
        pool = new RingPool<>("ring", NumberedEvent::new, capacity, Exhaustion.fail(), firstSequence);
        pipeline = new RingPipeline<>(pool);
    }

    /** Counts and checks; the content is the sequence. */
    private static final class Counter implements EventHandler<NumberedEvent>
    {
        long next;
        long count;

        Counter(final long first)
        {
            next = first;
        }

        @Override
        public void onEvent(final NumberedEvent event, final long sequence, final boolean endOfBatch)
        {
            event.requireWhole(sequence);
            if (sequence < next)
            {
                throw new AssertionError("sequence " + sequence + " comes behind " + (next - 1));
            }
            next = sequence + 1;
            count++;
        }
    }

    private long publishUntilFull(final long published, final boolean withPads)
    {
        long sequence = published;
        for (NumberedEvent event = pool.acquire(); event != null; event = pool.acquire())
        {
            if (withPads && sequence % 5 == 3)
            {
                event.release();
            }
            else
            {
                assertTrue(pipeline.offer(event.fill(sequence)));
            }
            sequence++;
        }
        return sequence;
    }

    @ParameterizedTest
    @CsvSource({
        "1, 0", "2, 0", "4, 0", "8, 0", "64, 0",
        "1, 2147483638", "2, 2147483638", "4, 2147483638", "64, 2147483638",
        "1, 4294967286", "4, 4294967286",
        "1, 9223372036853727231", "2, 9223372036853727231", "4, 9223372036853727231", "64, 9223372036853727231"})
    void shouldPassEveryEventInOrder(final int capacity, final long firstSequence) throws Exception
    {
        for (final boolean withPads : new boolean[]{false, true})
        {
            create(capacity, firstSequence);
            final EventSubscription<NumberedEvent> first = pipeline.subscribe("first");
            final EventSubscription<NumberedEvent> later = pipeline.subscribe("later", first);
            final EventSubscription<NumberedEvent> beside = pipeline.subscribe("beside");
            final Counter[] counters =
                {new Counter(firstSequence), new Counter(firstSequence), new Counter(firstSequence)};
            long sequence = firstSequence;
            for (int limit = 1; sequence - firstSequence < EVENTS; limit = limit % 5 + 1)
            {
                final long end = publishUntilFull(sequence, withPads);
                assertNull(pool.acquire());
                sequence = end;
                poll(first, counters[0], limit);
                poll(later, counters[1], limit);
                poll(beside, counters[2], Integer.MAX_VALUE);
            }
            finish(first, counters[0]);
            finish(later, counters[1]);
            finish(beside, counters[2]);
            for (final Counter counter : counters)
            {
                final long passed = sequence - firstSequence;
                assertEquals(withPads ? passed - pool.metrics().abandoned() : passed, counter.count);
            }
            assertEquals(sequence, pipeline.publishedPosition());
            assertEquals(sequence, later.position());
            assertEquals(capacity, pool.available());
            assertEquals(0, pipeline.close());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 64})
    void shouldPassEveryEventUpToTheLastSequence(final int capacity) throws Exception
    {
        create(capacity, RingPool.MAX_FIRST_SEQUENCE);
        final EventSubscription<NumberedEvent> first = pipeline.subscribe("first");
        final EventSubscription<NumberedEvent> later = pipeline.subscribe("later", first);
        final Counter firstCounter = new Counter(RingPool.MAX_FIRST_SEQUENCE);
        final Counter laterCounter = new Counter(RingPool.MAX_FIRST_SEQUENCE);
        // All sequences above MAX_FIRST_SEQUENCE. The sequence behind the last one must not overflow.
        for (long sequence = RingPool.MAX_FIRST_SEQUENCE; sequence < Long.MAX_VALUE; sequence++)
        {
            final NumberedEvent event = pool.acquire();
            assertTrue(pipeline.offer(event.fill(sequence)));
            poll(first, firstCounter, Integer.MAX_VALUE);
            poll(later, laterCounter, Integer.MAX_VALUE);
        }
        assertEquals(1 << 20, firstCounter.count);
        assertEquals(1 << 20, laterCounter.count);
        assertEquals(Long.MAX_VALUE, pipeline.publishedPosition());
        assertEquals(capacity, pool.available());
        assertEquals(0, pipeline.close());
    }

    private static void poll(
        final EventSubscription<NumberedEvent> subscription, final Counter counter, final int limit) throws Exception
    {
        subscription.poll(counter, limit);
        subscription.flush();
    }

    private static void finish(final EventSubscription<NumberedEvent> subscription, final Counter counter)
        throws Exception
    {
        // PADs at the end, behind the last event.
        while (subscription.poll(counter, Integer.MAX_VALUE) > 0)
        {
            subscription.flush();
        }
        subscription.flush();
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "2, 2147483638", "4, 9223372036853727231"})
    void shouldPassEveryEventFromThreadToThread(final int capacity, final long firstSequence) throws Exception
    {
        create(capacity, firstSequence);
        final EventSubscription<NumberedEvent> first = pipeline.subscribe("first");
        final EventSubscription<NumberedEvent> later = pipeline.subscribe("later", first);
        final Counter firstCounter = new Counter(firstSequence);
        final Counter laterCounter = new Counter(firstSequence);
        final TestThreads workers = new TestThreads();
        workers.start("first", () -> consume(workers, first, firstCounter))
            .start("later", () -> consume(workers, later, laterCounter))
            .start("publisher", () ->
            {
                final IdleStrategy idle = PipelineFixture.idle();
                for (long sequence = firstSequence; sequence - firstSequence < EVENTS && workers.isRunning();)
                {
                    final NumberedEvent event = pool.acquire();
                    if (event != null)
                    {
                        pipeline.offer(event.fill(sequence));
                        sequence++;
                    }
                    idle.idle(event != null ? 1 : 0);
                }
            });
        workers.join();
        assertEquals(EVENTS, firstCounter.count);
        assertEquals(EVENTS, laterCounter.count);
        assertEquals(capacity, pool.available());
    }

    private static void consume(
        final TestThreads workers, final EventSubscription<NumberedEvent> subscription, final Counter counter)
        throws Exception
    {
        final IdleStrategy idle = PipelineFixture.idle();
        while (counter.count < EVENTS && workers.isRunning())
        {
            idle.idle(subscription.poll(counter, 16));
        }
        subscription.flush();
    }
}

package io.millrace.server.pipeline;

import io.millrace.pool.ObjectPool;
import io.millrace.pool.RingPool;
import io.millrace.pool.SharedPool;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * P1, P8: every event is accounted for, once: offered = delivered + refused + displaced + undelivered, with a consumer
 * that is too slow.
 */
final class PipelineCountTest
{
    private static final int CAPACITY = 64;

    /** What is under test. */
    enum Kind
    {
        RING, SPSC, DISRUPTOR_SINGLE, DISRUPTOR_MULTI, EVICTING, CONFLATING
    }

    private long delivered;
    private long last = -1;

    private EventPipeline<NumberedEvent> create(final Kind kind, final RingPool<NumberedEvent> ring)
    {
        switch (kind)
        {
            case RING:
                return new RingPipeline<>(ring);
            case SPSC:
                return new SpscPipeline<>(CAPACITY);
            case DISRUPTOR_SINGLE:
                return DisruptorPipeline.single(CAPACITY);
            case DISRUPTOR_MULTI:
                return DisruptorPipeline.multi(CAPACITY);
            case EVICTING:
                return new EvictingPipeline<>(CAPACITY);
            default:
                return new ConflatingPipeline<>(CAPACITY, event -> NumberedEvent.mix(event.number) & CAPACITY - 1);
        }
    }

    private void count(final Kind kind, final int offers) throws Exception
    {
        final long seed = Long.getLong("seed", System.nanoTime());
        final Random random = new Random(seed);
        final RingPool<NumberedEvent> ring = new RingPool<>(NumberedEvent::new, CAPACITY);
        final EventPipeline<NumberedEvent> pipeline = create(kind, ring);
        final ObjectPool<NumberedEvent> pool =
            kind == Kind.RING ? ring : new SharedPool<>(NumberedEvent::new, 2 * CAPACITY);
        final EventSubscription<NumberedEvent> subscription = pipeline.subscribe("slow");
        long refused = 0;
        for (int number = 0; number < offers; number++)
        {
            final NumberedEvent event = pool.acquire();
            if (event == null || !pipeline.offer(event.fill(number)))
            {
                refused++;
                if (event != null)
                {
                    event.release();
                }
            }
            if (number % 32 == 0)
            {
                subscription.poll((handled, sequence, endOfBatch) -> handle(kind, handled), random.nextInt(40));
            }
        }
        final String place = kind + ", seed " + seed;
        assertTrue(refused + pipeline.displaced() > offers / 8, place);
        assertEquals(offers, delivered + refused + pipeline.displaced() + pipeline.close(), place);
        assertEquals(pool.capacity(), pool.available(), place);
    }

    private void handle(final Kind kind, final NumberedEvent event)
    {
        event.requireWhole(event.number);
        assertTrue(kind == Kind.CONFLATING || event.number > last);
        last = event.number;
        delivered++;
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldAccountForEveryEventOfAMillion(final Kind kind) throws Exception
    {
        count(kind, 1_000_000);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    @Tag("faults")
    void shouldAccountForEveryEventOfTenMillion(final Kind kind) throws Exception
    {
        count(kind, 10_000_000);
    }
}

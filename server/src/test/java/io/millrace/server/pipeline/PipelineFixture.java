package io.millrace.server.pipeline;

import io.millrace.pool.ObjectPool;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A pipeline and its pool for one test, stages that record, and the check that all events are back at the end.
 */
abstract class PipelineFixture
{
    static final int CAPACITY = 8;

    ObjectPool<NumberedEvent> pool;
    EventPipeline<NumberedEvent> pipeline;
    /** Releases without a reference that this test causes. */
    long strayReleases;

    private final List<RecordingStage> stages = new ArrayList<>();
    private long nextNumber;

    /** Set pool and pipeline; the pipeline has a capacity of at least CAPACITY events. */
    abstract void create();

    /** No busy spin: a spin, then yields, then sleeps of 1 to 50 microseconds. */
    static IdleStrategy idle()
    {
        return new BackoffIdleStrategy(1, 20, 1_000, 50_000);
    }

    @BeforeEach
    void setUp()
    {
        create();
    }

    @AfterEach
    void everyEventIsBack() throws Exception
    {
        for (final RecordingStage stage : stages)
        {
            stage.failOn(0, null).doing(RecordingStage::nothing);
            stage.drain();
        }
        assertBalance();
        assertEquals(0, pipeline.close(), "undelivered");
        assertBalance();
        assertEquals(strayReleases, pool.metrics().doubleReleases() + pool.metrics().lateReleases(), "stray releases");
    }

    final void assertBalance()
    {
        assertEquals(pool.capacity(), pool.available(), pool::describeInFlight);
        assertEquals("", pool.describeInFlight());
    }

    final RecordingStage stage(final String name, final RecordingStage... after)
    {
        final EventSubscription<?>[] before = new EventSubscription<?>[after.length];
        for (int i = 0; i < before.length; i++)
        {
            before[i] = after[i].subscription;
        }
        final RecordingStage stage = new RecordingStage(pipeline.subscribe(name, before));
        stages.add(stage);
        return stage;
    }

    final NumberedEvent acquire(final long number)
    {
        final NumberedEvent event = pool.acquire();
        assertNotNull(event, "the pool is exhausted");
        return event.fill(number);
    }

    /** Publish the next numbers, from 0 on; each must be accepted. */
    final void publish(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            final NumberedEvent event = acquire(nextNumber);
            nextNumber++;
            assertTrue(pipeline.offer(event), "not accepted");
        }
    }

    static List<Long> numbers(final long first, final long last)
    {
        return LongStream.rangeClosed(first, last).boxed().toList();
    }
}

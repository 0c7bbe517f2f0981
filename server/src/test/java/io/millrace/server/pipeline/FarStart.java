package io.millrace.server.pipeline;

import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequencer;
import io.millrace.pool.RingPool;
import io.millrace.pool.SharedRingPool;

import java.lang.reflect.Field;

/**
 * Pipelines whose first event has a sequence other than 0, to test where an {@code int} wraps and where a {@code long}
 * nearly does. A ring takes its first sequence from its pool. The others always start at 0; this class moves them
 * before the first subscription.
 */
final class FarStart
{
    /** A few events later the sequence does not fit into an {@code int} any more. */
    static final long INT_END = (1L << 31) - 5;
    /** A few events later the low 32 bits start again. */
    static final long LOW_BITS_END = (1L << 32) - 5;
    /**
     * 2^20 events before the end of a {@code long}, more than any test here publishes. At 100 million events a second
     * it takes 2,900 years to get there.
     */
    static final long LONG_END = RingPool.MAX_FIRST_SEQUENCE;

    /** 2^20 events before the bits above the sequence, which say that an event is claimed. */
    static final long SHARED_END = SharedRingPool.MAX_FIRST_SEQUENCE;

    private FarStart()
    {
    }

    /** An SPSC, evicting or conflating pipeline. */
    static <P extends OneStagePipeline<NumberedEvent>> P at(final long first, final P pipeline)
    {
        for (final RingEnd end : new RingEnd[]{pipeline.publisher, pipeline.consumer})
        {
            end.seen = first;
            end.release(first);
        }
        return pipeline;
    }

    /** A Disruptor: sets its sequencer, by reflection because the library has no such setting. */
    static DisruptorPipeline<NumberedEvent> at(final long first, final DisruptorPipeline<NumberedEvent> pipeline)
    {
        if (first > 0)
        {
            final Object ring = read(DisruptorPipeline.class, "ring", pipeline);
            final Sequencer sequencer = (Sequencer)read(RingBuffer.class.getSuperclass(), "sequencer", ring);
            sequencer.claim(first - 1);
            sequencer.publish(first - 1);
        }
        return pipeline;
    }

    private static Object read(final Class<?> type, final String name, final Object object)
    {
        try
        {
            final Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field.get(object);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new AssertionError(ex);
        }
    }
}

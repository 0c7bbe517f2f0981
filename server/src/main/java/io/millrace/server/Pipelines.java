package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.ObjectPool;
import io.millrace.server.pipeline.ConflatingPipeline;

import java.util.Objects;
import java.util.function.ToLongFunction;

/**
 * Kinds of pipeline for {@link Flow#through}. {@code docs/pipelines.md} helps to choose one.
 */
public final class Pipelines
{
    private Pipelines()
    {
    }

    enum Kind
    {
        RING, SPSC, DISRUPTOR, DIRECT, CONFLATING
    }

    /**
     * A kind of pipeline with its capacity.
     *
     * @param <E> type of the events.
     */
    public static final class Spec<E extends BasePoolAware>
    {
        final Kind kind;
        final int capacity;
        final ToLongFunction<? super E> keyOf;

        Spec(final Kind kind, final int capacity, final ToLongFunction<? super E> keyOf)
        {
            this.kind = kind;
            this.capacity = capacity;
            this.keyOf = keyOf;
        }

        @Override
        public String toString()
        {
            return kind + (capacity > 0 ? "(" + capacity + ")" : "");
        }
    }

    /**
     * One ring is pool and pipeline, with the capacity of the source; one cache line moves per event. One publishing
     * thread, or many when the source is shared; fan-out and ordered stages.
     *
     * @param <E> type of the events.
     * @return the kind.
     */
    public static <E extends BasePoolAware> Spec<E> ring()
    {
        return new Spec<>(Kind.RING, 0, null);
    }

    /**
     * A ring of references: one publishing thread, one agent, any pooled events.
     *
     * @param capacity number of events, a power of two.
     * @param <E>      type of the events.
     * @return the kind.
     * @throws IllegalArgumentException if the capacity is out of range.
     */
    public static <E extends BasePoolAware> Spec<E> spsc(final int capacity)
    {
        return new Spec<>(Kind.SPSC, ObjectPool.checkRingCapacity("capacity", capacity), null);
    }

    /**
     * References on an LMAX Disruptor: one publishing thread, or many when the source is shared; fan-out and ordered
     * stages.
     *
     * @param capacity number of events, a power of two.
     * @param <E>      type of the events.
     * @return the kind.
     * @throws IllegalArgumentException if the capacity is out of range.
     */
    public static <E extends BasePoolAware> Spec<E> disruptor(final int capacity)
    {
        return new Spec<>(Kind.DISRUPTOR, ObjectPool.checkRingCapacity("capacity", capacity), null);
    }

    /**
     * No queue: the publishing thread calls the handlers directly.
     *
     * @param <E> type of the events.
     * @return the kind.
     */
    public static <E extends BasePoolAware> Spec<E> direct()
    {
        return new Spec<>(Kind.DIRECT, 0, null);
    }

    /**
     * The newest event of each key: one publishing thread, one agent, {@link BackPressure#CONFLATE}.
     *
     * @param maxKeys greatest number of different keys, a power of two up to {@link ConflatingPipeline#MAX_KEYS}.
     * @param keyOf   the key of an event; must not allocate.
     * @param <E>     type of the events.
     * @return the kind.
     * @throws IllegalArgumentException if the number is out of range.
     */
    public static <E extends BasePoolAware> Spec<E> conflating(final int maxKeys, final ToLongFunction<? super E> keyOf)
    {
        ObjectPool.checkRingCapacity("maxKeys", maxKeys, ConflatingPipeline.MAX_KEYS);
        return new Spec<>(Kind.CONFLATING, maxKeys, Objects.requireNonNull(keyOf, "keyOf"));
    }
}

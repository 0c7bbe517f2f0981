package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.ObjectPool;
import io.millrace.pool.RingPool;
import io.millrace.server.pipeline.RingPipeline;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Events that the application's own threads publish: claim, fill, publish. The pool is made with the source, the flow
 * is attached when the server is launched.
 * <p>
 * One publishing thread; in checked mode a second one is reported with both names. A source that is {@linkplain
 * #shared shared} takes many.
 *
 * @param <E> type of the events.
 */
public final class InVmSource<E extends BasePoolAware>
{
    private final Supplier<? extends E> factory;
    private final int capacity;
    private final boolean shared;
    private final AtomicBoolean taken = new AtomicBoolean();
    private volatile EventPublication<E> publication;
    /**
     * The short way for events one by one: the ring that they go to, while the server is open. Null where there is no
     * ring, or where the flow's policy has a part in every publish; then the publication knows what to do.
     */
    private volatile RingPipeline<E> ring;
    /** The publishing thread's own: what the last batch was claimed from, so that its events cost no volatile read. */
    private RingPool<E> batches;

    /**
     * A source for one publishing thread.
     *
     * @param factory  makes one new event at each call.
     * @param capacity number of events, a power of two in 1..{@link ObjectPool#MAX_CAPACITY}. Through a ring it is
     *                 the capacity of the ring.
     * @throws IllegalArgumentException when the capacity is out of range.
     */
    public InVmSource(final Supplier<? extends E> factory, final int capacity)
    {
        this(factory, capacity, false);
    }

    private InVmSource(final Supplier<? extends E> factory, final int capacity, final boolean shared)
    {
        this.factory = Objects.requireNonNull(factory, "factory");
        this.capacity = ObjectPool.checkRingCapacity("capacity", capacity);
        this.shared = shared;
    }

    /**
     * A source for any number of publishing threads. Its flow goes through a Disruptor.
     *
     * @param factory  makes one new event at each call.
     * @param capacity number of events, a power of two in 1..{@link ObjectPool#MAX_CAPACITY}.
     * @param <E>      type of the events.
     * @return the source.
     * @throws IllegalArgumentException when the capacity is out of range.
     */
    public static <E extends BasePoolAware> InVmSource<E> shared(
        final Supplier<? extends E> factory, final int capacity)
    {
        return new InVmSource<>(factory, capacity, true);
    }

    /**
     * Borrow an event to fill; its fields are as its last use left them. The publishing thread.
     *
     * @return the event, to be published or given back by {@code release()}; null when there is no room and the
     * flow's policy says FAIL, when the server closes, when the thread is interrupted while it waits for room, or when
     * it would wait in vain: for itself, because it handles the events or has all of them in hand, for a stage whose
     * agent has ended, or in {@code onStart} for one not started.
     * @throws IllegalStateException when the server is not launched yet.
     */
    public E claim()
    {
        final RingPipeline<E> open = ring;
        final E event = open != null ? open.pool().acquireKnownFree() : null;
        return event != null ? event : attached().claim();
    }

    /**
     * Look whether there is room, before work that cannot be taken back: a handler that makes several events of one
     * asks for the most that it can make. Takes nothing. Under BLOCK it waits and is counted as {@link #claim()} is.
     * The publishing thread.
     * <p>
     * True promises that so many claims find an event each, while the server is open. Of a shared source it promises
     * nothing when others publish meanwhile. Through an spsc or a disruptor of less than this source's capacity, the
     * publish may find no room after all. Under a policy that drops or displaces there always is room.
     *
     * @param count how many events, 1 to the capacity.
     * @return true: there is room; false where {@link #claim()} would say null.
     * @throws IllegalArgumentException when the count is out of range.
     * @throws IllegalStateException    when the server is not launched yet.
     */
    public boolean awaitCapacity(final int count)
    {
        return attached().awaitCapacity(count);
    }

    /**
     * Publish a claimed event. The publishing thread; the event is not touched after.
     *
     * @param event from {@link #claim()}.
     * @return true: it is on its way; false: there was no room, or the server closes, and the event is still the
     * caller's to release. Through a ring, room is found at claim, so false means closing.
     * @throws IllegalStateException when the server is not launched yet; in a direct flow also when its handlers have
     * not started, or one of them is handling an event. The event is still the caller's to release.
     */
    public boolean publish(final E event)
    {
        final RingPipeline<E> open = ring;
        if (open != null && open.offer(event))
        {
            if (ring != open)
            {
                publishedLate();
            }
            return true;
        }
        return attached().offer(event);
    }

    /** Closed between the two looks: whoever closes may not have seen this event. */
    private void publishedLate()
    {
        final EventPublication<E> out = publication;
        if (out != null)
        {
            out.publishedLate();
        }
    }

    /**
     * Borrow several events in a row, to be filled and published together: cheaper for each than one by one, and the
     * stages see all of them at once. Only of a source whose flow goes through a ring. The publishing thread.
     *
     * @param count how many, 1 to the capacity.
     * @return sequence of the first, for {@link #event} and {@link #publish(long, int)}; -1 where {@link #claim()}
     * would say null, or where DROP_NEWEST drops them all (they count as dropped).
     * @throws IllegalArgumentException when the count is out of range.
     * @throws IllegalStateException    when the server is not launched yet, or the flow does not go through a ring.
     */
    public long claim(final int count)
    {
        final EventPublication<E> out = attached();
        final long first = out.claim(count);
        final RingPool<E> pool = out.batchPool();
        if (batches != pool)
        {
            batches = pool;
        }
        return first;
    }

    /**
     * One event of a batch that was claimed; its fields are as its last use left them. The publishing thread.
     *
     * @param sequence from what {@link #claim(int)} said up to that plus its count.
     * @return the event. Not checked: another sequence gives another event, which is not the caller's to touch.
     * @throws IllegalStateException when the server is not launched yet, or the flow does not go through a ring.
     */
    public E event(final long sequence)
    {
        final RingPool<E> pool = batches;
        return pool != null ? pool.event(sequence) : attached().event(sequence);
    }

    /**
     * Publish a batch that was claimed. The publishing thread; the events are not touched after.
     *
     * @param first what {@link #claim(int)} said.
     * @param count how many of the batch; what is left of it is published by a later call, in order.
     * @return true: they are on their way; false: the server closes, and they are still the caller's to release.
     * @throws IllegalArgumentException when these are not claimed and unpublished events.
     * @throws IllegalStateException    when the server is not launched yet, or the flow does not go through a ring.
     */
    public boolean publish(final long first, final int count)
    {
        return attached().offer(first, count);
    }

    /**
     * Whether the calling thread is that of an agent which handles this source's events: it cannot wait for room here,
     * nor for anybody who does. Any thread, from the start of the handlers on.
     *
     * @return of a direct pipeline: whether the calling thread is inside of one of its handlers. In INVOKER mode true
     * for the thread that invoked last, before that for the launching one.
     * @throws IllegalStateException when the server is not launched yet.
     */
    public boolean isHandledByCaller()
    {
        return attached().isHandledByCaller();
    }

    /**
     * Hand the publishing end from the present publishing thread, which calls, to another one. Pass the source on with
     * a happens-before edge of its own. Not needed for a shared source.
     */
    public void handOver()
    {
        final EventPublication<E> out = attached();
        out.pipeline().handOver();
        if (out.pool() instanceof RingPool && !(out.pipeline() instanceof RingPipeline))
        {
            ((RingPool<E>)out.pool()).handOver();
        }
    }

    private EventPublication<E> attached()
    {
        final EventPublication<E> out = publication;
        if (out == null)
        {
            throw new IllegalStateException(
                "this source belongs to no launched server: launch one with a flow from it first");
        }
        return out;
    }

    /** One server takes it, before anything starts; false when another has it. */
    boolean take()
    {
        return taken.compareAndSet(false, true);
    }

    boolean isTaken()
    {
        return taken.get();
    }

    void attach(final EventPublication<E> out)
    {
        publication = out;
        ring = out.fastPath();
    }

    /** The server closes: from now on the publication refuses. */
    void closing()
    {
        ring = null;
    }

    /** The server that took it did not start. */
    void giveBack()
    {
        ring = null;
        publication = null;
        batches = null;
        taken.set(false);
    }

    Supplier<? extends E> factory()
    {
        return factory;
    }

    boolean isShared()
    {
        return shared;
    }

    /**
     * How many events it owns.
     *
     * @return number of events.
     */
    public int capacity()
    {
        return capacity;
    }
}

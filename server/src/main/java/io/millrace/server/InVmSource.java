package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.ObjectPool;
import io.millrace.pool.Padding;
import io.millrace.pool.RingPool;
import io.millrace.server.pipeline.RingPipeline;
import io.millrace.server.pipeline.SharedRingPipeline;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Source of events that the application's own threads publish: claim, fill, publish. The pool is created, and the flow
 * attached, when the server is launched.
 * <p>
 * One publishing thread; checked mode reports a second one with both names. A {@linkplain #shared shared} source takes
 * many.
 *
 * @param <E> type of the events.
 */
public final class InVmSource<E extends BasePoolAware> extends InVmSourceFields<E>
{
    byte p200, p201, p202, p203, p204, p205, p206, p207, p208, p209, p210, p211, p212, p213, p214, p215;
    byte p216, p217, p218, p219, p220, p221, p222, p223, p224, p225, p226, p227, p228, p229, p230, p231;
    byte p232, p233, p234, p235, p236, p237, p238, p239, p240, p241, p242, p243, p244, p245, p246, p247;
    byte p248, p249, p250, p251, p252, p253, p254, p255, p256, p257, p258, p259, p260, p261, p262, p263;
    byte p264, p265, p266, p267, p268, p269, p270, p271, p272, p273, p274, p275, p276, p277, p278, p279;
    byte p280, p281, p282, p283, p284, p285, p286, p287, p288, p289, p290, p291, p292, p293, p294, p295;
    byte p296, p297, p298, p299, p300, p301, p302, p303, p304, p305, p306, p307, p308, p309, p310, p311;
    byte p312, p313, p314, p315, p316, p317, p318, p319, p320, p321, p322, p323, p324, p325, p326, p327;

    /**
     * A source for one publishing thread.
     *
     * @param factory  creates one new event at each call.
     * @param capacity number of events, a power of two in 1..{@link ObjectPool#MAX_CAPACITY}. Through a ring it is
     *                 the capacity of the ring.
     * @throws IllegalArgumentException if the capacity is out of range.
     */
    public InVmSource(final Supplier<? extends E> factory, final int capacity)
    {
        this(factory, capacity, false, 0);
    }

    private InVmSource(
        final Supplier<? extends E> factory, final int capacity, final boolean shared, final long claimTimeoutNs)
    {
        super(Objects.requireNonNull(factory, "factory"), ObjectPool.checkRingCapacity("capacity", capacity), shared,
            SharedRingPipeline.checkClaimTimeout(claimTimeoutNs));
    }

    /**
     * A source for any number of publishing threads, with a claim timeout of one second. Its flow goes through a ring
     * or a disruptor.
     *
     * @param factory  creates one new event at each call.
     * @param capacity number of events, a power of two in 1..{@link ObjectPool#MAX_CAPACITY}.
     * @param <E>      type of the events.
     * @return the source.
     * @throws IllegalArgumentException if the capacity is out of range.
     */
    public static <E extends BasePoolAware> InVmSource<E> shared(
        final Supplier<? extends E> factory, final int capacity)
    {
        return shared(factory, capacity, SharedRingPipeline.DEFAULT_CLAIM_TIMEOUT_NS);
    }

    /**
     * A source for any number of publishing threads. Its flow goes through a ring or a disruptor.
     * <p>
     * Through a ring, the stages wait for each claimed event in turn. When they have waited for one for the claim
     * timeout, they skip it: it is counted in {@code FLOW.pool.revoked} and reported to the error handler. Its publish
     * returns false from then on, and is counted in {@code FLOW.rejected}.
     *
     * @param factory        creates one new event at each call; also called by an agent that skips an event.
     * @param capacity       number of events, a power of two in 1..{@link ObjectPool#MAX_CAPACITY}.
     * @param claimTimeoutNs one millisecond to one hour, in nanoseconds; 0: the stages wait for ever. A disruptor does
     *                       not use it: there an event is claimed and published inside one call.
     * @param <E>            type of the events.
     * @return the source.
     * @throws IllegalArgumentException if a value is out of range.
     */
    public static <E extends BasePoolAware> InVmSource<E> shared(
        final Supplier<? extends E> factory, final int capacity, final long claimTimeoutNs)
    {
        return new InVmSource<>(factory, capacity, true, claimTimeoutNs);
    }

    /**
     * Claim an event to fill. Its fields have the values of its last use. The publishing thread only.
     * <p>
     * Under BLOCK, the call does not wait if the wait could not end: see {@link BackPressure#BLOCK}.
     *
     * @return the event, to be published or released. Null if no capacity is free and the policy is FAIL, if the
     *         server closes, or if the flow was removed. Also null if the thread is interrupted while it waits, or if a
     *         wait could not end.
     * @throws IllegalStateException if the server is not launched yet.
     */
    public E claim()
    {
        return attached().claim();
    }

    /**
     * Check for free capacity before work that cannot be undone. A handler that publishes several events for one event
     * calls this with their greatest number. The call claims nothing. Under BLOCK it waits and is counted like {@link
     * #claim()}. The publishing thread only.
     * <p>
     * True guarantees that {@code count} claims succeed while the server is open, with these exceptions. Other
     * publishers of a shared source may take the capacity. If an spsc or a disruptor pipeline is smaller than the
     * source, the publish may still fail. Under a policy that drops or displaces, capacity is always free.
     *
     * @param count number of events, 1 to the capacity.
     * @return true if the capacity is free; false if {@link #claim()} would return null.
     * @throws IllegalArgumentException if the count is out of range.
     * @throws IllegalStateException    if the server is not launched yet.
     */
    public boolean awaitCapacity(final int count)
    {
        return attached().awaitCapacity(count);
    }

    /**
     * Publish a claimed event. The publishing thread only; it must not touch the event afterwards.
     *
     * @param event from {@link #claim()}.
     * @return true if the event was published. False if no capacity was free or the server closes; the caller must then
     * release the event. Through a ring, claim already ensures capacity, so false means closing; for a shared source
     * also that the event was skipped after the claim timeout. Also false if the source has another flow by now, or its
     * server was started again, since the event was claimed.
     * @throws IllegalStateException if the server is not launched. In a direct flow also if its handlers have not
     *                               started or one of them is handling an event. An exception of {@code keyOf} of a
     *                               conflating flow also gets to the caller. After each exception the event is not the
     *                               caller's any more: see {@link EventPublication#offer}.
     */
    public boolean publish(final E event)
    {
        final EventPublication<E> out = publication;
        if (out == null)
        {
            throw unattached(event);
        }
        if (reattached && !event.isOf(out.pool()) && event != out.spare)
        {
            out.refuse();
            return false;
        }
        return out.offer(event);
    }

    /**
     * Claim a batch of events, to be filled and published together. A batch costs less per event, and the stages see it
     * at once. Only for a flow through a ring, and not for a shared source. The publishing thread only.
     *
     * @param count number of events, 1 to the capacity.
     * @return sequence of the first event, for {@link #event} and {@link #publish(long, int)}. -1 if {@link #claim()}
     * would return null, or if DROP_NEWEST drops the batch (all its events count as dropped).
     * @throws IllegalArgumentException if the count is out of range.
     * @throws IllegalStateException    if the server is not launched yet, or the flow does not go through a ring.
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
     * One event of a claimed batch. Its fields have the values of its last use. The publishing thread only.
     *
     * @param sequence of the event: the result of {@link #claim(int)} plus 0 to count - 1.
     * @return the event. Not checked: another sequence returns an event that the caller must not touch.
     * @throws IllegalStateException if the server is not launched yet, or the flow does not go through a ring.
     */
    public E event(final long sequence)
    {
        final RingPool<E> pool = batches;
        return pool != null ? pool.event(sequence) : attached().event(sequence);
    }

    /**
     * Publish a claimed batch or its first part. The publishing thread only; it must not touch the events afterwards.
     *
     * @param first result of {@link #claim(int)}.
     * @param count number of events. Publish the rest of the batch by later calls, in order.
     * @return true if the events were published; false if the server closes, or the source has another flow since the
     * batch was claimed: the caller must then release them.
     * @throws IllegalArgumentException if these are not claimed and unpublished events.
     * @throws IllegalStateException    if the server is not launched yet, or the flow does not go through a ring.
     */
    public boolean publish(final long first, final int count)
    {
        final EventPublication<E> out = attached();
        if (reattached && batches != out.batchPool())
        {
            out.refuse();
            return false;
        }
        return out.offer(first, count);
    }

    /**
     * Whether the calling thread belongs to an agent that handles this source's events. Such a thread cannot wait for
     * capacity of this source, or for a thread that does. Any thread, from the start of the handlers on.
     *
     * @return true if it does. Direct pipeline: true if the calling thread is inside one of its handlers. INVOKER mode:
     *         true if the calling thread invoked last; before the first invocation, true for the launching thread.
     * @throws IllegalStateException if the server is not launched yet.
     */
    public boolean isHandledByCaller()
    {
        return attached().isHandledByCaller();
    }

    /**
     * Hand the publishing end over to another thread. The current publishing thread calls this; it must then pass the
     * source on by a happens-before edge (starting a thread, a lock, a queue). Not needed for a shared source.
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
            throw unattached();
        }
        return out;
    }

    private IllegalStateException unattached(final E event)
    {
        final IllegalStateException why = unattached();
        Objects.requireNonNull(event, "event").releaseRefused(why);
        return why;
    }

    private static IllegalStateException unattached()
    {
        return new IllegalStateException(
            "this source belongs to no launched server: launch a server with a flow from it first");
    }

    /** Called by a server before anything starts; false if another server has taken the source. */
    boolean take(final Object server)
    {
        return owner.compareAndSet(null, server) || owner.get() == server;
    }

    boolean isTaken()
    {
        return owner.get() != null;
    }

    void attach(final EventPublication<E> out)
    {
        reattached |= publication != null;
        publication = out;
    }

    /** It can be taken again: its flow has ended, or was not added. A publishing end that was closed stays. */
    void leaveFlow()
    {
        owner.set(null);
    }

    /** It can be taken again: the server that took it did not start. */
    void giveBack()
    {
        reattached |= publication != null;
        publication = null;
        batches = null;
        owner.set(null);
    }

    Supplier<? extends E> factory()
    {
        return factory;
    }

    long claimTimeoutNs()
    {
        return claimTimeoutNs;
    }

    boolean isShared()
    {
        return shared;
    }

    /**
     * Number of events of the source.
     *
     * @return number of events.
     */
    public int capacity()
    {
        return capacity;
    }
}

/** Read by the publishing thread for each event, so padded. */
abstract class InVmSourceFields<E extends BasePoolAware> extends Padding
{
    final Supplier<? extends E> factory;
    final int capacity;
    final boolean shared;
    final long claimTimeoutNs;
    /** The server that uses it; null if none does. */
    final AtomicReference<Object> owner = new AtomicReference<>();
    volatile EventPublication<E> publication;
    /** Whether another flow had the source before. Written before {@link #publication}, read after it. */
    boolean reattached;
    /** The pool of the last claimed batch, so that its events need no volatile read. The publishing thread only. */
    RingPool<E> batches;

    InVmSourceFields(
        final Supplier<? extends E> factory, final int capacity, final boolean shared, final long claimTimeoutNs)
    {
        this.claimTimeoutNs = claimTimeoutNs;
        this.factory = factory;
        this.capacity = capacity;
        this.shared = shared;
    }
}

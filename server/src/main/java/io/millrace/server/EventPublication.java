package io.millrace.server;

import io.millrace.pool.Backoff;
import io.millrace.pool.BasePoolAware;
import io.millrace.pool.GatingSequence;
import io.millrace.pool.ObjectPool;
import io.millrace.pool.PaddedLong;
import io.millrace.pool.Padding;
import io.millrace.pool.RingPool;
import io.millrace.pool.SharedRingPool;
import io.millrace.server.pipeline.DirectPipeline;
import io.millrace.server.pipeline.EventPipeline;
import io.millrace.server.pipeline.EventPublisher;
import io.millrace.server.pipeline.RingPipeline;
import io.millrace.server.pipeline.SharedRingPipeline;

import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Publishing end of a flow: claim an event, fill it, offer it. Applies the flow's {@link BackPressure} and counts each
 * case.
 * <p>
 * One publishing thread, unless pool and pipeline support many.
 *
 * @param <E> type of the events.
 */
public final class EventPublication<E extends BasePoolAware> extends EventPublicationFields<E>
    implements EventPublisher<E>
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
     * Creates a publishing end, for a pipeline that is used without a server.
     *
     * @param pool     provides the events.
     * @param pipeline receives the events.
     * @param policy   policy when no capacity is free.
     * @param factory  creates the placeholder event that claim returns under DROP_NEWEST when no event is free; null if
     *                 many threads publish.
     */
    public EventPublication(
        final ObjectPool<E> pool,
        final EventPipeline<E> pipeline,
        final BackPressure policy,
        final Supplier<? extends E> factory)
    {
        super(Objects.requireNonNull(pool, "pool"), Objects.requireNonNull(pipeline, "pipeline"),
            Objects.requireNonNull(policy, "policy"),
            policy == BackPressure.DROP_NEWEST && factory != null ? factory.get() : null);
    }

    /**
     * Claim an event to fill. Offer or release each claimed event.
     *
     * @return the event. Null if no capacity is free and the policy is FAIL, or if the server closes. Also null if the
     *         thread is interrupted while it waits (its interrupt flag stays set), or if a wait could not end: see
     *         {@link BackPressure#BLOCK}.
     */
    public E claim()
    {
        final RingPool<E> next = advancing;
        if (next == null)
        {
            return claimOther();
        }
        return next.isNextFree() ? next.acquire() : claimOutOfLine(0);
    }

    /**
     * A caller that retries while the ring is full calls this so often that C2 would inline it into each claim. The
     * caller's method would then be too large (2,500 bytes of code) to be inlined into its loop. C2 inlines a method
     * into itself only once, so the inner call stays a call.
     */
    private E claimOutOfLine(final int depth)
    {
        return depth < 2 ? claimOutOfLine(depth + 1) : claimOther();
    }

    private E claimOther()
    {
        final E event = acquire();
        return event != null ? event : claimSlow();
    }

    private E acquire()
    {
        final RingPool<E> last = reusing;
        return last != null ? last.acquireLast() : closed ? null : ring != null ? ring.acquire() :
            shared != null ? sharedPool.acquire() : pool.acquire();
    }

    private E claimSlow()
    {
        if (spare != null && !closed)
        {
            return spare;
        }
        if (mayBlock() && !blocksItself(1))
        {
            blocked.getAndAdd(1);
            int round = 0;
            do
            {
                final E event = acquire();
                if (event != null)
                {
                    return event;
                }
                round = Backoff.idle(round);
            }
            while (mayWait() && !blocksItself(1));
        }
        return refuse();
    }

    /**
     * Check for free capacity for several claims: see {@link InVmSource#awaitCapacity}.
     *
     * @param count number of events, 1 to the capacity of the pool.
     * @return true if that many claims find an event each; false if a claim would return null.
     * @throws IllegalArgumentException if the count is out of range.
     */
    public boolean awaitCapacity(final int count)
    {
        return !closed && hasCapacity(count) || awaitCapacitySlow(count);
    }

    private boolean hasCapacity(final int count)
    {
        return ring != null ? ring.hasCapacity(count) || direct && hasCapacityAfterLast(count - 1) :
            count > 0 && pool.hasCapacity(count);
    }

    /** The first claim takes the last event again. */
    private boolean hasCapacityAfterLast(final int count)
    {
        return ring.isLastFree() && (count == 0 || ring.hasCapacity(count));
    }

    private boolean awaitCapacitySlow(final int count)
    {
        if (count < 1 || count > pool.capacity())
        {
            throw new IllegalArgumentException("count " + count + " is not in 1.." + pool.capacity());
        }
        if (!closed && (spare != null || policy == BackPressure.DROP_OLDEST || policy == BackPressure.CONFLATE))
        {
            return true;
        }
        if (mayBlock() && !blocksItself(count))
        {
            blocked.getAndAdd(1);
            int round = 0;
            do
            {
                if (hasCapacity(count))
                {
                    return true;
                }
                round = Backoff.idle(round);
            }
            while (mayWait() && !blocksItself(count));
        }
        refuse();
        return false;
    }

    /**
     * {@inheritDoc}
     * <p>
     * Under DROP_NEWEST, an event is released and counted if no capacity is free, and the result is true.
     *
     * @throws NullPointerException if the event is null, as after a refused claim.
     */
    @Override
    public boolean offer(final E event)
    {
        if (accepts(event))
        {
            if (closed)
            {
                // The pipeline was closed during the offer: the closing thread may not have seen this event.
                publishedLate.run();
            }
            return true;
        }
        return offerSlow(event);
    }

    /**
     * A ring and a direct pipeline are called by their class: with several kinds of pipelines, the method of the
     * interface is not inlined.
     */
    private boolean accepts(final E event)
    {
        final RingPipeline<E> toRing = ringOffer;
        if (toRing != null)
        {
            return toRing.offer(event);
        }
        final DirectPipeline<E> toHandlers = directOffer;
        if (toHandlers != null)
        {
            return toHandlers.offer(event);
        }
        return !closed && (shared != null ? shared.offer(event) : event != spare && pipeline.offer(event));
    }

    private boolean offerSlow(final E event)
    {
        if (Objects.requireNonNull(event, "event") == spare)
        {
            dropped.getAndAdd(1);
            return true;
        }
        // A shared ring never refuses for lack of capacity: it is closed, or has skipped the event.
        if (shared == null && policy == BackPressure.DROP_NEWEST && !closed)
        {
            // Count first: the event's onRelease may throw.
            dropped.getAndAdd(1);
            event.release();
            return true;
        }
        if (shared == null && mayBlock())
        {
            blocked.getAndAdd(1);
            int round = 0;
            do
            {
                if (pipeline.offer(event))
                {
                    publishedLate.run();
                    return true;
                }
                round = Backoff.idle(round);
            }
            while (mayWait());
        }
        refuse();
        return false;
    }

    /**
     * Claim a batch of events: see {@link InVmSource#claim(int)}.
     *
     * @param count number of events, 1 to the capacity of the ring.
     * @return sequence of the first event; -1 if {@link #claim()} would return null, or if DROP_NEWEST drops the batch.
     * @throws IllegalArgumentException if the count is out of range.
     * @throws IllegalStateException    if the flow does not go through a ring.
     */
    public long claim(final int count)
    {
        checkBatches();
        if (!awaitCapacity(count))
        {
            return -1;
        }
        final long first = ring.claim(count);
        if (first < 0)
        {
            dropped.getAndAdd(count);
        }
        return first;
    }

    /**
     * One event of a claimed batch.
     *
     * @param sequence of the event.
     * @return the event. Not checked: another sequence returns an event that the caller must not touch.
     * @throws IllegalStateException if the flow does not go through a ring.
     */
    public E event(final long sequence)
    {
        checkBatches();
        return ring.event(sequence);
    }

    /**
     * Publish a claimed batch: see {@link InVmSource#publish(long, int)}.
     *
     * @param first sequence of its first event.
     * @param count number of events.
     * @return true if the events were published; false if the server closes: the caller must then release them.
     * @throws IllegalArgumentException if these are not claimed and unpublished events.
     * @throws IllegalStateException    if the flow does not go through a ring.
     */
    public boolean offer(final long first, final int count)
    {
        checkBatches();
        if (!closed && batches.offer(first, count))
        {
            if (closed)
            {
                publishedLate.run();
            }
            return true;
        }
        refuse();
        return false;
    }

    private void checkBatches()
    {
        if (batches == null)
        {
            throw new IllegalStateException(
                "batches need a flow through a ring of one publishing thread, not through " + pipeline);
        }
    }

    private boolean mayBlock()
    {
        return policy == BackPressure.BLOCK && mayWait() && !handledByCaller.getAsBoolean();
    }

    /**
     * Whether the publishing thread waits for events that it has claimed itself; not known for a shared source. Checked
     * in each round, because an unbound ring reports only the first event that is not free.
     */
    private boolean blocksItself(final int count)
    {
        return ring != null && ring.blocksItself(count);
    }

    private boolean mayWait()
    {
        return !closed && !Thread.currentThread().isInterrupted() && !waitIsFutile.getAsBoolean();
    }

    /** Counts a refused call. */
    E refuse()
    {
        rejected.getAndAdd(1);
        return null;
    }

    /**
     * Refused claims and offers: no capacity under FAIL, a closing server, an interrupt during a wait, or an event of
     * an earlier flow of the source. Any thread.
     *
     * @return number of calls.
     */
    public long rejected()
    {
        return rejected.getOpaque();
    }

    /**
     * Events dropped under DROP_NEWEST. Any thread.
     *
     * @return number of events.
     */
    public long dropped()
    {
        return dropped.getOpaque();
    }

    /**
     * Claims and offers that waited under BLOCK. Any thread.
     *
     * @return number of calls, not of retries.
     */
    public long blocked()
    {
        return blocked.getOpaque();
    }

    /**
     * Refuse all further claims and offers; waiting calls return. Any thread.
     */
    public void close()
    {
        // First: pairs with the reads of closed in acquire() and accepts(), which follow a read of null.
        closed = true;
        advancing = null;
        reusing = null;
        ringOffer = null;
        directOffer = null;
    }

    /** The publishing thread changes. */
    void clearPublishingThread()
    {
        pipeline.clearPublishingThread();
        if (ring != null)
        {
            ring.clearAcquiringThread();
        }
    }

    /**
     * For a feed under BLOCK, which does not wait: number of events that can be claimed now, at most an eighth of the
     * capacity, so that the stages are not asked for their positions all the time. Not 0 if a wait would be futile: the
     * claims are then refused and counted.
     */
    int demand()
    {
        int count = GatingSequence.announceInterval(pool.capacity());
        while (count > 0 && !hasCapacity(count))
        {
            count >>= 1;
        }
        return count == 0 && (closed || waitIsFutile.getAsBoolean()) ? 1 : count;
    }

    /** The pool for batches; null if the flow's pool is not a ring. */
    RingPool<E> batchPool()
    {
        return ring;
    }

    ObjectPool<E> pool()
    {
        return pool;
    }

    EventPipeline<E> pipeline()
    {
        return pipeline;
    }

    boolean isHandledByCaller()
    {
        return handledByCaller.getAsBoolean();
    }

    void handledByCaller(final BooleanSupplier test)
    {
        handledByCaller = test;
    }

    /** Tests whether a wait of the calling thread cannot end; called in each round of a wait. */
    void waitIsFutile(final BooleanSupplier test)
    {
        waitIsFutile = test;
    }

    /** Action after a publish that overlapped the close. */
    void onPublishedLate(final Runnable action)
    {
        publishedLate = action;
    }
}

/** Read by the publishing thread for each event, so padded. */
abstract class EventPublicationFields<E extends BasePoolAware> extends Padding
{
    final ObjectPool<E> pool;
    final EventPipeline<E> pipeline;
    final BackPressure policy;
    final E spare;
    final RingPool<E> ring;
    final RingPipeline<E> batches;
    /** The pipeline, if it is a ring of many publishing threads; otherwise null. */
    final SharedRingPipeline<E> shared;
    final SharedRingPool<E> sharedPool;
    /** Whether the pipeline calls the handlers: mostly, an offer then brings the event back. */
    final boolean direct;
    /**
     * The pool of a direct flow, if it is a ring. Null otherwise and after the close, so that one test is enough for
     * both. A reader that finds null because of the close also finds {@code closed} true.
     */
    volatile RingPool<E> reusing;
    /** The pool of a flow through a ring: each claim takes the next event. Otherwise as {@link #reusing}. */
    volatile RingPool<E> advancing;
    /** The pipeline, if it is a ring and no event is the spare one. Otherwise as {@link #reusing}. */
    volatile RingPipeline<E> ringOffer;
    /** The pipeline, if it calls the handlers and no event is the spare one. Otherwise as {@link #reusing}. */
    volatile DirectPipeline<E> directOffer;
    final PaddedLong rejected = new PaddedLong(0);
    final PaddedLong dropped = new PaddedLong(0);
    final PaddedLong blocked = new PaddedLong(0);
    volatile boolean closed;
    BooleanSupplier handledByCaller = () -> false;
    BooleanSupplier waitIsFutile = () -> false;
    Runnable publishedLate = () ->
    {
    };

    EventPublicationFields(
        final ObjectPool<E> pool, final EventPipeline<E> pipeline, final BackPressure policy, final E spare)
    {
        this.pool = pool;
        this.pipeline = pipeline;
        this.policy = policy;
        this.spare = spare;
        ring = pool instanceof RingPool ? (RingPool<E>)pool : null;
        batches = pipeline instanceof RingPipeline ? (RingPipeline<E>)pipeline : null;
        shared = pipeline instanceof SharedRingPipeline ? (SharedRingPipeline<E>)pipeline : null;
        sharedPool = shared == null ? null : shared.pool();
        direct = pipeline instanceof DirectPipeline;
        reusing = direct ? ring : null;
        advancing = batches != null ? ring : null;
        ringOffer = spare == null ? batches : null;
        directOffer = spare == null && direct ? (DirectPipeline<E>)pipeline : null;
    }
}

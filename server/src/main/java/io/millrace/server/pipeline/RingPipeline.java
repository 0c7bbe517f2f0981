package io.millrace.server.pipeline;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.Padding;
import io.millrace.pool.PoolCheck;
import io.millrace.pool.GatingSequence;
import io.millrace.pool.RingPool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Pool and pipeline in one ring: only the cache line of the event itself moves between cores.
 * <pre>
 *  publisher                                        stage "journal"            stage "match"           stage "audit"
 *  acquire, fill, offer --&gt; | e | e | e | e | --&gt; position p1 ----+-------&gt; position p2
 *      ^                       sequence word in e               +-------------------------------------&gt; position p3
 *      +--- free below min(p2, p3) if not retained --------------------+-----------------------------------+
 * </pre>
 * The publisher stores the sequence into the event (release). A first stage accepts an event only with the sequence
 * that it waits for (acquire). Later stages poll up to the positions of the stages before them (acquire). Stages write
 * nothing into the event. A terminal stage announces its position every eighth of the ring, and on request at the end
 * of its next poll ({@link RingFlush}). A stage with later stages announces it at the end of each poll.
 * <p>
 * One publishing thread; each subscription one polling thread.
 *
 * @param <E> type of the events.
 */
public final class RingPipeline<E extends BasePoolAware> extends RingPipelineFields<E> implements EventPipeline<E>
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
     * A pipeline over a pool.
     *
     * @param pool unused so far; it belongs to this pipeline from now on.
     * @throws IllegalStateException if the pool cannot be bound, see {@link RingPool#bind}.
     */
    public RingPipeline(final RingPool<E> pool)
    {
        super(Objects.requireNonNull(pool, "pool"));
        pool.bind(new GatingSequence()
        {
            @Override
            public long position()
            {
                return freePosition();
            }

            @Override
            public void requestPosition(final long position)
            {
                flush.request(position);
            }
        });
    }

    /**
     * The pool whose events it carries.
     *
     * @return the pool that the publishing thread acquires from.
     */
    public RingPool<E> pool()
    {
        return pool;
    }

    private long freePosition()
    {
        final RingSubscription<?>[] all = stages;
        long smallest = pool.publishedPosition();
        if (swept)
        {
            return smallest;
        }
        for (int i = 0; i < all.length; i++)
        {
            smallest = Math.min(smallest, all[i].positionAcquire());
        }
        return smallest;
    }

    /**
     * {@inheritDoc}
     * The publishing thread only.
     *
     * @throws IllegalArgumentException if the event was not acquired from this ring's pool, or was published already.
     */
    @Override
    public boolean offer(final E event)
    {
        // Read once: a close may change it meanwhile.
        final int last = terminalStages;
        if (last == 0)
        {
            return false;
        }
        if (PoolCheck.ENABLED)
        {
            offerChecked(event, last);
        }
        else
        {
            pool.publish(event);
        }
        return true;
    }

    /** In checked mode every terminal stage releases the events that it passed, so the reference count shows misuse. */
    private void offerChecked(final E event, final int last)
    {
        event.checkLive();
        event.passOn(last);
        try
        {
            pool.publish(event);
        }
        catch (final RuntimeException ex)
        {
            event.undoPassOn(last);
            throw ex;
        }
    }

    /**
     * Publish a batch of {@link RingPool#claim(int)} at once. The publishing thread only.
     *
     * @param first sequence of the first event.
     * @param count number of events.
     * @return false if the pipeline is closed or has no stage; the events are still the caller's.
     * @throws IllegalArgumentException see {@link RingPool#publish(long, int)}.
     */
    public boolean offer(final long first, final int count)
    {
        // Read once: a close may change it meanwhile.
        final int last = terminalStages;
        if (last == 0)
        {
            return false;
        }
        if (PoolCheck.ENABLED)
        {
            offerChecked(first, count, last);
        }
        else
        {
            pool.publish(first, count);
        }
        return true;
    }

    private void offerChecked(final long first, final int count, final int last)
    {
        // Events released at the head of the batch are below the published sequence; publish refuses a wrong range.
        final long start = Math.max(first, pool.publishedPosition());
        final long end = Math.min(first + count, pool.claimedPosition());
        for (long sequence = start; sequence < end; sequence++)
        {
            if (!isPad(sequence))
            {
                pool.event(sequence).passOn(last);
            }
        }
        try
        {
            pool.publish(first, count);
        }
        catch (final RuntimeException ex)
        {
            for (long sequence = start; sequence < end; sequence++)
            {
                if (!isPad(sequence))
                {
                    pool.event(sequence).undoPassOn(last);
                }
            }
            throw ex;
        }
    }

    /** An event that was released after the claim is a PAD already and gets no references. */
    private boolean isPad(final long sequence)
    {
        return RingPool.sequenceOf(pool.event(sequence)) == ~sequence;
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public EventSubscription<E> subscribe(final String stage, final EventSubscription<?>... after)
    {
        if (closed)
        {
            throw new IllegalStateException("this pipeline is closed");
        }
        final RingSubscription<?>[] before = new RingSubscription<?>[after.length];
        for (int i = 0; i < after.length; i++)
        {
            if (!subscriptions.contains(after[i]))
            {
                throw StageNames.foreign(stage, after[i]);
            }
            before[i] = (RingSubscription<?>)after[i];
        }
        names.add(stage);
        final long start = pool.publishedPosition();
        final RingSubscription<E> subscription = before.length == 0 ?
            new RingFirstSubscription<>(stage, pool, flush, start) :
            new RingLaterSubscription<>(stage, pool, flush, start, before);
        subscriptions.add(subscription);
        for (final RingSubscription<?> earlier : before)
        {
            earlier.followed(start);
        }
        stages = subscriptions.toArray(new RingSubscription<?>[0]);
        terminalStages = (int)subscriptions.stream().filter(RingSubscription::isTerminal).count();
        return subscription;
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public int capacity()
    {
        return pool.capacity();
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public long publishedPosition()
    {
        return pool.publishedPosition();
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public void clearPublishingThread()
    {
        pool.clearAcquiringThread();
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public void handOver()
    {
        pool.handOver();
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public long close()
    {
        closed = true;
        terminalStages = 0;
        final long end = pool.publishedPosition();
        long undelivered = 0;
        for (final RingSubscription<?> subscription : subscriptions)
        {
            undelivered += subscription.skipTo(end);
        }
        swept = true;
        return undelivered;
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public String toString()
    {
        return describe() + Arrays.toString(stages);
    }
}

/** Read by the publishing thread for each event, so padded. */
abstract class RingPipelineFields<E extends BasePoolAware> extends Padding
{
    final RingPool<E> pool;
    final RingFlush flush;
    final StageNames names = new StageNames();
    final List<RingSubscription<E>> subscriptions = new ArrayList<>();
    volatile boolean closed;
    /** After a close no thread polls, so later published events (PADs of released events) count as passed. */
    volatile boolean swept;
    /**
     * All stages; replaced on change, by the publishing thread. Terminal stages alone do not determine the free events,
     * because a stage that was added late is ahead of the stages that it follows.
     */
    RingSubscription<?>[] stages = {};
    /** Number of terminal stages; 0 without a subscription and after the close. */
    int terminalStages;

    RingPipelineFields(final RingPool<E> pool)
    {
        this.pool = pool;
        flush = new RingFlush(pool.publishedPosition());
    }
}

package io.millrace.server.pipeline;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.PoolCheck;
import io.millrace.pool.RingPool;

import java.util.Objects;
import java.util.function.IntConsumer;

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
public final class RingPipeline<E extends BasePoolAware> extends RingPipelineFields<E>
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
        pool.bind(gate());
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

    /**
     * {@inheritDoc}
     * The publishing thread only.
     *
     * @throws IllegalArgumentException if the event was not acquired from this ring's pool, or was published already.
     */
    @Override
    public boolean offer(final E event)
    {
        if (terminalStages == 0)
        {
            return false;
        }
        if (PoolCheck.ENABLED)
        {
            return isOfferedChecked(last -> offerChecked(event, last));
        }
        pool.publish(event);
        return true;
    }

    /**
     * In checked mode every terminal stage releases the events that it passed, so the reference count shows misuse. The
     * number of these stages stays the same meanwhile.
     */
    private boolean isOfferedChecked(final IntConsumer offer)
    {
        changing.lock();
        try
        {
            // Read once: a close may change it meanwhile.
            final int last = terminalStages;
            if (last > 0)
            {
                offer.accept(last);
            }
            return last > 0;
        }
        finally
        {
            changing.unlock();
        }
    }

    private void offerChecked(final E event, final int last)
    {
        Objects.requireNonNull(event, "event").checkLive();
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
        if (terminalStages == 0)
        {
            return false;
        }
        if (PoolCheck.ENABLED)
        {
            return isOfferedChecked(last -> offerChecked(first, count, last));
        }
        pool.publish(first, count);
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

    @Override
    public void clearPublishingThread()
    {
        pool.clearAcquiringThread();
    }

    @Override
    public void handOver()
    {
        pool.handOver();
    }
}

/** Read by the publishing thread for each event, so padded. */
abstract class RingPipelineFields<E extends BasePoolAware> extends RingSubscriptions<E>
{
    final RingPool<E> pool;

    RingPipelineFields(final RingPool<E> pool)
    {
        super(pool);
        this.pool = pool;
    }
}

package io.millrace.server.pipeline;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import com.lmax.disruptor.dsl.ProducerType;
import io.millrace.pool.BasePoolAware;
import io.millrace.pool.ObjectPool;

import java.util.ArrayList;
import java.util.List;

/**
 * One or many publishing threads, any pooled events in any order, fan-out and ordered stages: references on an LMAX Disruptor ring.
 * <p>
 * The number of holders is set before an event is published: one for each stage that no other follows; each of these gives its hold back
 * after its handler. Stages are polled by their agents: no thread of the Disruptor's runs and nothing parks in it.
 * <p>
 * With assertions enabled the Disruptor itself refuses a second publishing thread on a single-producer ring: a publishing end that is
 * handed from thread to thread is built by {@link #multi}.
 *
 * @param <E> type of the events.
 */
public final class DisruptorPipeline<E extends BasePoolAware> implements EventPipeline<E>
{
    /** A place of the ring. */
    static final class Place
    {
        BasePoolAware event;
    }

    private final RingBuffer<Place> ring;
    private final StageNames names = new StageNames();
    private final List<DisruptorSubscription<E>> subscriptions = new ArrayList<>();
    private volatile boolean closed;
    private int leaves;

    private DisruptorPipeline(final ProducerType type, final int capacity)
    {
        ObjectPool.checkRingCapacity("capacity", capacity);
        ring = RingBuffer.create(type, Place::new, capacity, new BusySpinWaitStrategy());
    }

    /**
     * A pipeline for one publishing thread.
     *
     * @param capacity number of events, a power of two.
     * @param <E>      type of the events.
     * @return an empty pipeline.
     * @throws IllegalArgumentException when the capacity is out of range.
     */
    public static <E extends BasePoolAware> DisruptorPipeline<E> single(final int capacity)
    {
        return new DisruptorPipeline<>(ProducerType.SINGLE, capacity);
    }

    /**
     * A pipeline for any number of publishing threads.
     *
     * @param capacity number of events, a power of two.
     * @param <E>      type of the events.
     * @return an empty pipeline.
     * @throws IllegalArgumentException when the capacity is out of range.
     */
    public static <E extends BasePoolAware> DisruptorPipeline<E> multi(final int capacity)
    {
        return new DisruptorPipeline<>(ProducerType.MULTI, capacity);
    }

    /**
     * {@inheritDoc}
     * The one publishing thread, or any thread, as the pipeline was made.
     */
    @Override
    public boolean offer(final E event)
    {
        event.checkLive();
        final int holders = leaves;
        if (holders == 0 || !ring.hasAvailableCapacity(1))
        {
            return false;
        }
        final long sequence;
        try
        {
            // Never next(): it parks. Of several publishers one may have taken the last place since we looked.
            sequence = ring.tryNext();
        }
        catch (final InsufficientCapacityException ex)
        {
            return false;
        }
        if (holders > 1)
        {
            event.retain(holders - 1);
        }
        ring.get(sequence).event = event;
        ring.publish(sequence);
        return true;
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
        final Sequence[] before = new Sequence[after.length];
        for (int i = 0; i < after.length; i++)
        {
            if (!subscriptions.contains(after[i]))
            {
                throw StageNames.foreign(stage, after[i]);
            }
            before[i] = ((DisruptorSubscription<?>)after[i]).sequence();
        }
        names.add(stage);
        final EventPoller<Place> poller = ring.newPoller(before);
        final DisruptorSubscription<E> subscription = new DisruptorSubscription<>(stage, poller);
        ring.addGatingSequences(poller.getSequence());
        subscriptions.add(subscription);
        for (final EventSubscription<?> earlier : after)
        {
            ((DisruptorSubscription<?>)earlier).followed();
            ring.removeGatingSequence(((DisruptorSubscription<?>)earlier).sequence());
        }
        leaves = (int)subscriptions.stream().filter(DisruptorSubscription::isLast).count();
        return subscription;
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public int capacity()
    {
        return ring.getBufferSize();
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public long published()
    {
        return ring.getCursor() + 1;
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public long close()
    {
        closed = true;
        leaves = 0;
        long undelivered = 0;
        final long end = published();
        for (final DisruptorSubscription<E> subscription : subscriptions)
        {
            if (subscription.isLast())
            {
                for (long sequence = subscription.position(); sequence < end; sequence++)
                {
                    ring.get(sequence).event.release();
                    undelivered++;
                }
            }
            subscription.sequence().set(end - 1);
        }
        return undelivered;
    }
}

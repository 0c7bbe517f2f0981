package io.millrace.server.pipeline;

import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.dsl.ProducerType;
import io.millrace.pool.BasePoolAware;
import io.millrace.pool.ObjectPool;
import io.millrace.pool.PoolCheck;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * References on an LMAX Disruptor ring: one or many publishing threads, any pooled events in any order, fan-out and
 * ordered stages.
 * <p>
 * Before an event is published, its reference count is set to one for each terminal stage; each of these releases one
 * after its handler. Agents poll the stages: no thread of the Disruptor runs, and no thread parks in it.
 * <p>
 * The Disruptor asserts a single publishing thread in {@code next()}, which parks and is never called here. This class
 * reports a second publishing thread in checked mode instead. The publishing end of {@link #single} can therefore be
 * {@linkplain #handOver() handed over}, also with assertions enabled.
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
    /** Null if any thread may publish. */
    private final PublishingThread publishingThread;
    private final StageNames names = new StageNames();
    private final List<DisruptorSubscription<E>> subscriptions = new ArrayList<>();
    private volatile boolean closed;
    private int terminalStages;

    private DisruptorPipeline(final ProducerType type, final int capacity)
    {
        ObjectPool.checkRingCapacity("capacity", capacity);
        publishingThread = type == ProducerType.SINGLE ? new PublishingThread() : null;
        ring = RingBuffer.create(type, Place::new, capacity, new DisruptorSubscription.NoWait());
    }

    /**
     * A pipeline for one publishing thread.
     *
     * @param capacity number of events, a power of two.
     * @param <E>      type of the events.
     * @return an empty pipeline.
     * @throws IllegalArgumentException if the capacity is out of range.
     */
    public static <E extends BasePoolAware> DisruptorPipeline<E> single(final int capacity)
    {
        return new DisruptorPipeline<>(ProducerType.SINGLE, capacity);
    }

    /**
     * A pipeline for any number of publishing threads. A stage is added while none of them publishes.
     *
     * @param capacity number of events, a power of two.
     * @param <E>      type of the events.
     * @return an empty pipeline.
     * @throws IllegalArgumentException if the capacity is out of range.
     */
    public static <E extends BasePoolAware> DisruptorPipeline<E> multi(final int capacity)
    {
        return new DisruptorPipeline<>(ProducerType.MULTI, capacity);
    }

    /**
     * {@inheritDoc}
     * The one publishing thread of {@link #single}; any thread of {@link #multi}.
     */
    @Override
    public boolean offer(final E event)
    {
        Objects.requireNonNull(event, "event").checkLive();
        if (PoolCheck.ENABLED && publishingThread != null)
        {
            publishingThread.check(this);
        }
        final int stages = terminalStages;
        if (stages == 0 || !ring.hasAvailableCapacity(1))
        {
            return false;
        }
        // Do this before a place is claimed: it may throw, and a claimed place that is never published stops the ring.
        event.passOn(stages);
        final long sequence;
        try
        {
            // Never next(): it parks.
            sequence = ring.tryNext();
        }
        catch (final InsufficientCapacityException ex)
        {
            // Another publisher took the last place since the check.
            event.undoPassOn(stages);
            return false;
        }
        ring.get(sequence).event = event;
        ring.publish(sequence);
        return true;
    }

    @Override
    public EventSubscription<E> subscribe(final String stage, final EventSubscription<?>... after)
    {
        if (closed)
        {
            throw new IllegalStateException("this pipeline is closed");
        }
        final DisruptorSubscription<?>[] before = new DisruptorSubscription<?>[after.length];
        for (int i = 0; i < after.length; i++)
        {
            if (!subscriptions.contains(after[i]))
            {
                throw StageNames.foreign(stage, after[i]);
            }
            before[i] = (DisruptorSubscription<?>)after[i];
        }
        names.add(stage);
        final DisruptorSubscription<E> subscription = new DisruptorSubscription<>(stage, ring, before);
        subscriptions.add(subscription);
        for (final DisruptorSubscription<?> earlier : before)
        {
            // It still gates the publisher, because a stage that joins late is ahead of the stages that it follows.
            earlier.followed(publishedPosition());
        }
        terminalStages = (int)subscriptions.stream().filter(DisruptorSubscription::isTerminal).count();
        return subscription;
    }

    @Override
    public int capacity()
    {
        return ring.getBufferSize();
    }

    @Override
    public long publishedPosition()
    {
        return ring.getCursor() + 1;
    }

    @Override
    public void clearPublishingThread()
    {
        if (publishingThread != null)
        {
            publishingThread.clear();
        }
    }

    /**
     * {@inheritDoc}
     * No effect on a pipeline for many publishing threads.
     */
    @Override
    public void handOver()
    {
        if (publishingThread != null)
        {
            publishingThread.handOver(this);
        }
    }

    @Override
    public long close()
    {
        closed = true;
        terminalStages = 0;
        long undelivered = 0;
        for (final DisruptorSubscription<E> subscription : subscriptions)
        {
            undelivered += subscription.skip();
        }
        return undelivered;
    }
}

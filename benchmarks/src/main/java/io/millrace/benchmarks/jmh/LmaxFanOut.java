package io.millrace.benchmarks.jmh;

import com.lmax.disruptor.BatchEventProcessor;
import com.lmax.disruptor.BatchEventProcessorBuilder;
import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.EventHandler;
import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import com.lmax.disruptor.WaitStrategy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The LMAX Disruptor with three stages, one producer that publishes singly, preallocated events.
 *
 * @param <E> its events.
 */
public abstract class LmaxFanOut<E> implements FanOut<E>
{
    final RingBuffer<E> ring;
    // The publishing thread's.
    private long claimed = -1;

    private LmaxFanOut(final int capacity, final Supplier<E> events, final WaitStrategy waiting)
    {
        ring = RingBuffer.createSingleProducer(events::get, capacity, waiting);
    }

    /**
     * Three of its pollers, alternately on one thread.
     *
     * @param capacity of the ring.
     * @param events   makes its events.
     * @param topology which stage follows which.
     * @param stages   the stages' handlers.
     * @param <E>      its events.
     * @return the ring.
     */
    public static <E> FanOut<E> polled(
        final int capacity, final Supplier<E> events, final Topology topology, final Stages<E> stages)
    {
        return new Polled<>(capacity, events, topology, stages);
    }

    /**
     * One batch processor whose handler calls the three stages, on one thread.
     *
     * @param capacity of the ring.
     * @param events   makes its events.
     * @param stages   the stages' handlers.
     * @param <E>      its events.
     * @return the ring.
     */
    public static <E> FanOut<E> fused(final int capacity, final Supplier<E> events, final Stages<E> stages)
    {
        final Processors<E> ring = new Processors<>(capacity, events, new BusySpinWaitStrategy());
        ring.add((event, sequence, endOfBatch) -> stages.acceptAll(event, sequence));
        return ring;
    }

    /**
     * Three batch processors, each on its own thread, as in its makers' tests.
     *
     * @param capacity of the ring.
     * @param events   makes its events.
     * @param waiting  how the processors wait.
     * @param topology which stage follows which.
     * @param stages   the stages' handlers.
     * @param <E>      its events.
     * @return the ring.
     */
    public static <E> FanOut<E> onThreads(
        final int capacity,
        final Supplier<E> events,
        final WaitStrategy waiting,
        final Topology topology,
        final Stages<E> stages)
    {
        final Processors<E> ring = new Processors<>(capacity, events, waiting);
        for (int i = 0; i < Topology.STAGES; i++)
        {
            final int stage = i;
            final EventHandler<E> handler = (event, sequence, endOfBatch) -> stages.accept(stage, event, sequence);
            if (topology.follows(i))
            {
                ring.add(handler, ring.processors.get(0).getSequence());
            }
            else
            {
                ring.add(handler);
            }
        }
        return ring;
    }

    @Override
    public final E claim()
    {
        // Asks first: next() parks when the ring is full.
        if (!ring.hasAvailableCapacity(1))
        {
            return null;
        }
        claimed = ring.next();
        return ring.get(claimed);
    }

    @Override
    public final boolean publish(final E event)
    {
        ring.publish(claimed);
        return true;
    }

    private static final class Polled<E> extends LmaxFanOut<E>
    {
        private final List<EventPoller<E>> pollers = new ArrayList<>();
        private final List<EventPoller.Handler<E>> handlers = new ArrayList<>();
        private int delivered;

        Polled(final int capacity, final Supplier<E> events, final Topology topology, final Stages<E> stages)
        {
            super(capacity, events, new BusySpinWaitStrategy());
            for (int i = 0; i < Topology.STAGES; i++)
            {
                final int stage = i;
                pollers.add(topology.follows(i) ?
                    ring.newPoller(pollers.get(0).getSequence()) : ring.newPoller());
                handlers.add((event, sequence, endOfBatch) ->
                {
                    delivered++;
                    stages.accept(stage, event, sequence);
                    return true;
                });
            }
            pollers.forEach(poller -> ring.addGatingSequences(poller.getSequence()));
        }

        @Override
        public int poll() throws Exception
        {
            return poll(0) + poll(1) + poll(2);
        }

        @Override
        public int poll(final int stage) throws Exception
        {
            delivered = 0;
            pollers.get(stage).poll(handlers.get(stage));
            return delivered;
        }
    }

    private static final class Processors<E> extends LmaxFanOut<E>
    {
        private final List<BatchEventProcessor<E>> processors = new ArrayList<>();

        Processors(final int capacity, final Supplier<E> events, final WaitStrategy waiting)
        {
            super(capacity, events, waiting);
        }

        void add(final EventHandler<E> handler, final Sequence... before)
        {
            final BatchEventProcessor<E> processor =
                new BatchEventProcessorBuilder().build(ring, ring.newBarrier(before), handler);
            processors.add(processor);
            ring.addGatingSequences(processor.getSequence());
        }

        @Override
        public int poll()
        {
            throw new UnsupportedOperationException("the processors run themselves");
        }

        @Override
        public int poll(final int stage)
        {
            return poll();
        }

        @Override
        public boolean runsItself()
        {
            return true;
        }

        @Override
        public void run(final int stage)
        {
            processors.get(stage).run();
        }

        @Override
        public void halt()
        {
            processors.forEach(BatchEventProcessor::halt);
        }
    }
}

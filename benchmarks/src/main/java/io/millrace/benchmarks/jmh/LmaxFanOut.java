package io.millrace.benchmarks.jmh;

import com.lmax.disruptor.BatchEventProcessor;
import com.lmax.disruptor.BatchEventProcessorBuilder;
import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import com.lmax.disruptor.SequenceBarrier;
import com.lmax.disruptor.WaitStrategy;
import com.lmax.disruptor.YieldingWaitStrategy;

import java.util.ArrayList;
import java.util.List;

/**
 * The LMAX Disruptor with three stages, one producer that publishes singly, preallocated events.
 */
abstract class LmaxFanOut extends FanOutContender
{
    final RingBuffer<PlainEvent> ring;

    LmaxFanOut(final Topology topology, final int batch, final WaitStrategy waiting)
    {
        super(topology, stages(topology, batch));
        ring = RingBuffer.createSingleProducer(PlainEvent.withFields(FIELDS)::get, CAPACITY, waiting);
    }

    /** Three of its pollers, alternately on one thread. */
    static Contender polled(final Topology topology, final int batch)
    {
        return new Polled(topology, batch);
    }

    /** One batch processor whose handler calls the three stages, on one thread. */
    static Contender fused(final Topology topology, final int batch)
    {
        return new Processors(topology, batch, true);
    }

    /**
     * Three batch processors, each on a thread of its own, as its makers' own tests have it. They busy-spin where
     * each of the four threads has a CPU, else they use its yielding wait strategy, which is made for that.
     */
    static Contender onThreads(final Topology topology, final int batch)
    {
        return new Processors(topology, batch, false);
    }

    @Override
    public final boolean offer(final long id)
    {
        // Asks first: next() parks when the ring is full.
        if (!ring.hasAvailableCapacity(1))
        {
            return false;
        }
        final long sequence = ring.next();
        ring.get(sequence).fill(id);
        ring.publish(sequence);
        return true;
    }

    private static final class Polled extends LmaxFanOut
    {
        private final List<EventPoller<PlainEvent>> pollers = new ArrayList<>();
        private final List<EventPoller.Handler<PlainEvent>> handlers = new ArrayList<>();
        private int delivered;

        Polled(final Topology topology, final int batch)
        {
            super(topology, batch, new BusySpinWaitStrategy());
            for (int i = 0; i < Topology.STAGES; i++)
            {
                final Stage stage = stages.get(i);
                pollers.add(topology.follows(i) ?
                    ring.newPoller(pollers.get(0).getSequence()) : ring.newPoller());
                handlers.add((event, sequence, endOfBatch) ->
                {
                    delivered++;
                    stage.accept(event);
                    return true;
                });
            }
            pollers.forEach(poller -> ring.addGatingSequences(poller.getSequence()));
        }

        @Override
        int poll() throws Exception
        {
            delivered = 0;
            pollers.get(0).poll(handlers.get(0));
            pollers.get(1).poll(handlers.get(1));
            pollers.get(2).poll(handlers.get(2));
            return delivered;
        }
    }

    private static final class Processors extends LmaxFanOut
    {
        private final boolean fused;
        private final List<BatchEventProcessor<PlainEvent>> processors = new ArrayList<>();

        Processors(final Topology topology, final int batch, final boolean fused)
        {
            super(topology, batch, fused || hasCpuForEach() ? new BusySpinWaitStrategy() : new YieldingWaitStrategy());
            this.fused = fused;
            if (fused)
            {
                processors.add(fusedProcessor());
            }
            else
            {
                apart();
            }
            processors.forEach(processor -> ring.addGatingSequences(processor.getSequence()));
        }

        private BatchEventProcessor<PlainEvent> fusedProcessor()
        {
            final Stage first = stages.get(0);
            final Stage second = stages.get(1);
            final Stage third = stages.get(2);
            return new BatchEventProcessorBuilder().build(ring, ring.newBarrier(), (event, sequence, endOfBatch) ->
            {
                first.accept(event);
                second.accept(event);
                third.accept(event);
            });
        }

        private void apart()
        {
            if (!hasCpuForEach())
            {
                yieldWhenIdle();
            }
            for (int i = 0; i < Topology.STAGES; i++)
            {
                final Stage stage = stages.get(i);
                final Sequence[] before =
                    topology.follows(i) ? new Sequence[] {processors.get(0).getSequence()} : new Sequence[0];
                final SequenceBarrier barrier = ring.newBarrier(before);
                processors.add(new BatchEventProcessorBuilder().build(
                    ring, barrier, (event, sequence, endOfBatch) -> stage.accept(event)));
            }
        }

        @Override
        int poll()
        {
            throw new UnsupportedOperationException("the processors have threads of their own");
        }

        @Override
        public void consume() throws Exception
        {
            if (fused)
            {
                processors.get(0).run();
            }
            else
            {
                consumeOnThreads(stage -> processors.get(stage).run());
            }
        }

        @Override
        public void stop()
        {
            processors.forEach(BatchEventProcessor::halt);
        }

        /** Threads of their own share what CPUs there are. */
        @Override
        boolean isPinned()
        {
            return fused;
        }
    }
}

package io.millrace.benchmarks.cost;

import java.util.ArrayList;
import java.util.List;

import com.lmax.disruptor.BatchEventProcessor;
import com.lmax.disruptor.BatchEventProcessorBuilder;
import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.RingBuffer;

import io.millrace.benchmarks.jmh.Topology;
import io.millrace.benchmarks.rate.PlainEvent;

/**
 * The LMAX Disruptor with three stages on one thread: one producer, preallocated events, busy spin.
 */
abstract class LmaxFanOutPath extends FanOutPath<PlainEvent>
{
    final RingBuffer<PlainEvent> ring;
    // The publishing thread's.
    private long claimed = -1;

    LmaxFanOutPath(final int capacity, final FanOutStages stages)
    {
        super(stages);
        ring = RingBuffer.createSingleProducer(PlainEvent::new, capacity, new BusySpinWaitStrategy());
    }

    @Override
    public PlainEvent claim()
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
    public void publish(final PlainEvent message)
    {
        ring.publish(claimed);
    }

    /** Its pollers, polled alternately. */
    static final class Polled extends LmaxFanOutPath
    {
        private final List<EventPoller<PlainEvent>> pollers = new ArrayList<>();
        private final List<EventPoller.Handler<PlainEvent>> handlers = new ArrayList<>();

        Polled(final int capacity, final Topology topology, final FanOutStages stages)
        {
            super(capacity, stages);
            for (int i = 0; i < Topology.STAGES; i++)
            {
                final int stage = i;
                pollers.add(topology.follows(i) ?
                    ring.newPoller(pollers.get(0).getSequence()) : ring.newPoller());
                handlers.add((event, sequence, endOfBatch) ->
                {
                    stages.accept(stage, event);
                    return true;
                });
            }
            pollers.forEach(poller -> ring.addGatingSequences(poller.getSequence()));
        }

        @Override
        int poll() throws Exception
        {
            int done = 0;
            for (int i = 0; i < handlers.size(); i++)
            {
                done += pollers.get(i).poll(handlers.get(i)) == EventPoller.PollState.PROCESSING ? 1 : 0;
            }
            return done;
        }
    }

    /** One batch processor. */
    static final class Fused extends LmaxFanOutPath
    {
        private final BatchEventProcessor<PlainEvent> processor;

        Fused(final int capacity, final FanOutStages stages)
        {
            super(capacity, stages);
            processor = new BatchEventProcessorBuilder().build(
                ring, ring.newBarrier(), (event, sequence, endOfBatch) -> stages.acceptAll(event));
            ring.addGatingSequences(processor.getSequence());
        }

        @Override
        int poll()
        {
            throw new UnsupportedOperationException("the processor has a thread of its own");
        }

        @Override
        void consume()
        {
            processor.run();
        }

        @Override
        void stop()
        {
            processor.halt();
        }
    }
}

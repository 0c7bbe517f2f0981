package io.millrace.benchmarks.jmh;

import com.lmax.disruptor.BatchEventProcessor;
import com.lmax.disruptor.BatchEventProcessorBuilder;
import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.RingBuffer;

import java.util.function.Supplier;

/**
 * The LMAX Disruptor as its own makers use it: preallocated events in its ring, one producer, busy-spin wait
 * strategy, its own batch processor on the consuming thread (on one thread its poller).
 */
abstract class LmaxContender extends Contender
{
    final RingBuffer<PlainEvent> ring;

    LmaxContender(final Check check, final Supplier<PlainEvent> events)
    {
        super(check);
        ring = RingBuffer.createSingleProducer(events::get, CAPACITY, new BusySpinWaitStrategy());
    }

    @Override
    public boolean offer(final long id)
    {
        final long sequence = ring.next();
        ring.get(sequence).fill(id);
        ring.publish(sequence);
        return true;
    }

    /** For one thread: no processor, its poller. */
    static final class Poller extends LmaxContender implements EventPoller.Handler<PlainEvent>
    {
        private final EventPoller<PlainEvent> poller;
        private int delivered;

        Poller(final Check check, final Supplier<PlainEvent> events)
        {
            super(check, events);
            poller = ring.newPoller();
            ring.addGatingSequences(poller.getSequence());
        }

        @Override
        int poll() throws Exception
        {
            delivered = 0;
            poller.poll(this);
            return delivered;
        }

        @Override
        public boolean onEvent(final PlainEvent event, final long sequence, final boolean endOfBatch)
        {
            delivered++;
            check.accept(event);
            return true;
        }
    }

    /** Publishes by {@code next()}, as its makers' throughput tests do; it parks when the ring is full. */
    static class Processor extends LmaxContender
    {
        private final BatchEventProcessor<PlainEvent> processor;

        Processor(final Check check, final Supplier<PlainEvent> events)
        {
            super(check, events);
            processor = new BatchEventProcessorBuilder().build(
                ring, ring.newBarrier(), (event, sequence, endOfBatch) -> check.accept(event));
            ring.addGatingSequences(processor.getSequence());
        }

        @Override
        int poll()
        {
            throw new UnsupportedOperationException("the processor has its own thread");
        }

        @Override
        public void consume()
        {
            try
            {
                processor.run();
            }
            catch (final RuntimeException ex)
            {
                // The publisher waits in next() without an end: let it go, so that it can see the failure.
                ring.removeGatingSequence(processor.getSequence());
                throw ex;
            }
        }

        @Override
        public void stop()
        {
            processor.halt();
        }
    }

    /** Publishes by {@code next()} after asking for capacity: spins when the ring is full. */
    static final class Spinning extends Processor
    {
        Spinning(final Check check, final Supplier<PlainEvent> events)
        {
            super(check, events);
        }

        @Override
        public boolean offer(final long id)
        {
            return ring.hasAvailableCapacity(1) && super.offer(id);
        }
    }

    /** Claims and publishes several events at once by {@code next(n)}. */
    static final class Batch extends Processor
    {
        private final int size;

        Batch(final Check check, final Supplier<PlainEvent> events, final int size)
        {
            super(check, events);
            this.size = size;
        }

        @Override
        public void publish(final long firstId, final int count)
        {
            final long end = firstId + count;
            long id = firstId;
            while (id < end)
            {
                final int batch = (int)Math.min(size, end - id);
                final long last = ring.next(batch);
                final long first = last - batch + 1;
                for (long sequence = first; sequence <= last; sequence++)
                {
                    ring.get(sequence).fill(id++);
                }
                ring.publish(first, last);
            }
        }
    }
}

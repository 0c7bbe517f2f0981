package io.millrace.benchmarks.jmh;

import com.lmax.disruptor.BatchEventProcessor;
import com.lmax.disruptor.BatchEventProcessorBuilder;
import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.YieldingWaitStrategy;
import io.millrace.benchmarks.harness.Daemon;
import io.millrace.benchmarks.harness.ThreadProbe;
import io.millrace.pool.PaddedLong;
import io.millrace.pool.SharedRingPool;
import io.millrace.server.agent.GatheringIdleStrategy;
import io.millrace.server.pipeline.EventHandler;
import io.millrace.server.pipeline.EventSubscription;
import io.millrace.server.pipeline.SharedRingPipeline;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.jctools.queues.MessagePassingQueue;
import org.jctools.queues.MpscArrayQueue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A path that many threads publish to.
 * <pre>
 *  sender, publisher 0 --+
 *  publisher 1 ----------+--&gt; ring or queue --&gt; consumer: the events of each publisher arrive in its order
 *  publisher 2, 3 -------+
 * </pre>
 * Publisher p of n publishes the ids p, p + n, p + 2n ... of each chunk. With one publisher all threads spin, with more
 * all yield when they wait. A chunk begins when the helpers have at most one chunk left to publish.
 */
abstract class ManyContender extends Contender
{
    private final int publishers;
    private final long[] nextIds;
    private final List<Thread> threads = new ArrayList<>();
    private final List<ThreadProbe> probes = new ArrayList<>();
    /** End of the ids that may be published; written by the sender. */
    private final PaddedLong goal = new PaddedLong(0);
    /** End of the ids up to which each helper has published. */
    private final PaddedLong[] reached;
    private long count;

    ManyContender(final Check check, final int publishers)
    {
        super(check);
        this.publishers = publishers;
        nextIds = new long[publishers];
        reached = new PaddedLong[publishers];
        for (int i = 0; i < publishers; i++)
        {
            nextIds[i] = i;
            reached[i] = new PaddedLong(0);
        }
        if (publishers > 1)
        {
            yieldWhenIdle();
        }
    }

    /**
     * A contender by its name.
     *
     * @param name {@code sharedRing}, {@code lmaxMulti} or {@code jctoolsMpsc}, and the number of publishers.
     */
    static Contender named(final String name, final Check check)
    {
        final int publishers = Integer.parseInt(name.replaceAll("\\D", ""));
        return switch (name.replaceAll("\\d", ""))
        {
            case "sharedRing" -> new SharedRing(check, publishers);
            case "lmaxMulti" -> new LmaxMulti(check, publishers);
            case "jctoolsMpsc" -> new JctoolsMpsc(check, publishers);
            default -> throw new IllegalArgumentException("no contender '" + name + "'");
        };
    }

    abstract boolean offer(int publisher, long id);

    @Override
    public boolean offer(final long id)
    {
        return offer(0, id);
    }

    @Override
    public void publish(final long firstId, final int chunk)
    {
        for (int i = 1; i < publishers; i++)
        {
            while (reached[i].getAcquire() < firstId - chunk)
            {
                pause();
            }
        }
        goal.setRelease(firstId + chunk);
        publishShare(0, firstId, firstId + chunk);
    }

    private void publishShare(final int publisher, final long from, final long to)
    {
        for (long id = from + publisher; id < to; id += publishers)
        {
            while (!offer(publisher, id))
            {
                pause();
            }
        }
    }

    private void help(final int publisher)
    {
        long done = 0;
        while (!isStopped())
        {
            final long to = goal.getAcquire();
            if (to == done)
            {
                pause();
            }
            else
            {
                publishShare(publisher, done, to);
                done = to;
                reached[publisher].setRelease(done);
            }
        }
    }

    @Override
    public void startConsumer(final int cpu, final Runnable onStart)
    {
        for (int i = 1; i < publishers; i++)
        {
            final int publisher = i;
            threads.add(Daemon.start("publisher-" + i, () ->
            {
                synchronized (probes)
                {
                    probes.add(ThreadProbe.ofCurrentThread());
                    probes.notifyAll();
                }
                try
                {
                    help(publisher);
                }
                catch (final RuntimeException ex)
                {
                    failed(ex);
                }
            }));
        }
        super.startConsumer(cpu, onStart);
    }

    @Override
    public void endConsumer() throws InterruptedException
    {
        super.endConsumer();
        for (final Thread thread : threads)
        {
            thread.join();
        }
    }

    @Override
    public List<ThreadProbe> helpers()
    {
        synchronized (probes)
        {
            while (probes.size() < publishers - 1)
            {
                try
                {
                    probes.wait();
                }
                catch (final InterruptedException ex)
                {
                    throw new IllegalStateException(ex);
                }
            }
            return List.copyOf(probes);
        }
    }

    /** The consumer: an event out of its publisher's order is a wrong answer. */
    final void accept(final long id, final long sum)
    {
        final int publisher = (int)(id % publishers);
        check.accept(id == nextIds[publisher] ? count : -1, sum);
        nextIds[publisher] = id + publishers;
        count++;
    }

    private static final class SharedRing extends ManyContender
    {
        private final SharedRingPool<PooledEvent> pool = new SharedRingPool<>(PooledEvent.ofSize(64), CAPACITY);
        private final SharedRingPipeline<PooledEvent> pipeline = new SharedRingPipeline<>(pool);
        private final EventSubscription<PooledEvent> subscription = pipeline.subscribe("check");
        private final EventHandler<PooledEvent> handler =
            (event, sequence, endOfBatch) -> accept(event.id(sequence), event.sum());
        /** Made by the consuming thread, as in the other rings. */
        private IdleStrategy idle;

        SharedRing(final Check check, final int publishers)
        {
            super(check, publishers);
        }

        @Override
        boolean offer(final int publisher, final long id)
        {
            final PooledEvent event = pool.acquire();
            if (event == null)
            {
                return false;
            }
            event.fill(id);
            return pipeline.offer(event);
        }

        @Override
        int poll() throws Exception
        {
            return subscription.poll(handler, POLL_LIMIT);
        }

        @Override
        void rest(final int found)
        {
            if (idle == null)
            {
                idle = new GatheringIdleStrategy(
                    isYielding() ? new YieldingIdleStrategy() : new BusySpinIdleStrategy());
            }
            idle.idle(found);
        }

        @Override
        public void verifyBalance()
        {
            subscription.flush();
            Pools.verifyBalance(pool);
        }
    }

    /** Many producers, preallocated events, its own batch processor. */
    private static final class LmaxMulti extends ManyContender
    {
        private final RingBuffer<PlainEvent> ring;
        private final BatchEventProcessor<PlainEvent> processor;

        LmaxMulti(final Check check, final int publishers)
        {
            super(check, publishers);
            final Supplier<PlainEvent> events = PlainEvent.ofOneLine();
            ring = RingBuffer.createMultiProducer(
                events::get, CAPACITY, publishers == 1 ? new BusySpinWaitStrategy() : new YieldingWaitStrategy());
            processor = new BatchEventProcessorBuilder().build(
                ring, ring.newBarrier(), (event, sequence, endOfBatch) -> accept(event.id(), event.sum()));
            ring.addGatingSequences(processor.getSequence());
        }

        @Override
        boolean offer(final int publisher, final long id)
        {
            // It parks in next() only if another publisher has taken the last place meanwhile.
            if (!ring.hasAvailableCapacity(1))
            {
                return false;
            }
            final long sequence = ring.next();
            ring.get(sequence).fill(id);
            ring.publish(sequence);
            return true;
        }

        @Override
        int poll()
        {
            throw new UnsupportedOperationException("the processor has its own thread");
        }

        @Override
        public void consume()
        {
            processor.run();
        }

        @Override
        public void stop()
        {
            super.stop();
            processor.halt();
        }
    }

    /** References to preallocated events; each publisher has enough of its own to fill the queue. */
    private static final class JctoolsMpsc extends ManyContender
    {
        private final MpscArrayQueue<PlainEvent> queue = new MpscArrayQueue<>(CAPACITY);
        private final MessagePassingQueue.Consumer<PlainEvent> handler = event -> accept(event.id(), event.sum());
        private final PlainEvent[][] events;
        private final PaddedLong[] next;

        JctoolsMpsc(final Check check, final int publishers)
        {
            super(check, publishers);
            events = new PlainEvent[publishers][];
            next = new PaddedLong[publishers];
            for (int i = 0; i < publishers; i++)
            {
                events[i] = PlainEvent.array(CAPACITY + POLL_LIMIT + 1, PlainEvent.ofOneLine());
                next[i] = new PaddedLong(0);
            }
        }

        @Override
        boolean offer(final int publisher, final long id)
        {
            final PlainEvent[] own = events[publisher];
            final int index = (int)next[publisher].getPlain();
            own[index].fill(id);
            if (!queue.offer(own[index]))
            {
                return false;
            }
            next[publisher].setOpaque(index + 1 == own.length ? 0 : index + 1);
            return true;
        }

        @Override
        int poll()
        {
            return queue.drain(handler, POLL_LIMIT);
        }
    }
}

package io.millrace.benchmarks.jmh;

import io.millrace.benchmarks.harness.Daemon;
import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.YieldingWaitStrategy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;

/**
 * A way for events to three stages, each of which checks every event.
 */
final class FanOutContender<E> extends Contender
{
    /** Used fields of an event: 64 bytes of ours, 48 of a plain one. */
    static final int FIELDS = 4;

    // One event in 256 reads the other stage's line: enough to catch a wrong order, too few to cost.
    private static final long CHECK_MASK = 255;

    private final List<Stage> stages;
    private final boolean isOnThreads;
    private final FanOut<E> ring;
    private final ObjLongConsumer<E> filler;

    private FanOutContender(
        final List<Stage> stages, final boolean isOnThreads, final FanOut<E> ring, final ObjLongConsumer<E> filler)
    {
        super(stages.get(0).check);
        this.stages = stages;
        this.isOnThreads = isOnThreads;
        this.ring = ring;
        this.filler = filler;
        if (isOnThreads && !hasCpuForEach())
        {
            yieldWhenIdle();
        }
    }

    /**
     * A contender by its name: {@code lmax} or {@code ring}, and {@code Polled} or {@code Fused} on one thread or
     * {@code OnThreads}. Batch processors on threads busy-spin where each of the four threads has a CPU; else they use
     * the Disruptor's yielding wait strategy.
     *
     * @param batch of the checks.
     */
    static Contender named(final String name, final Topology topology, final int batch)
    {
        final List<Stage> stages = stages(topology, batch);
        final Supplier<PlainEvent> plain = PlainEvent.withFields(FIELDS);
        final FanOut.Stages<PlainEvent> plainStages = (stage, event, sequence) -> stages.get(stage).accept(event);
        final Supplier<PooledEvent> pooled = PooledEvent.ofSize(64);
        final FanOut.Stages<PooledEvent> pooledStages =
            (stage, event, sequence) -> stages.get(stage).accept(event, sequence);
        return switch (name)
        {
            case "lmaxPolled" -> plain(stages, false, LmaxFanOut.polled(CAPACITY, plain, topology, plainStages));
            case "lmaxFused" -> plain(stages, false, LmaxFanOut.fused(CAPACITY, plain, plainStages));
            case "lmaxOnThreads" -> plain(stages, true, LmaxFanOut.onThreads(CAPACITY, plain,
                hasCpuForEach() ? new BusySpinWaitStrategy() : new YieldingWaitStrategy(), topology, plainStages));
            case "ringPolled" -> pooled(stages, false, RingFanOut.polled(CAPACITY, pooled, topology, pooledStages));
            case "ringFused" -> pooled(stages, false, RingFanOut.fused(CAPACITY, pooled, pooledStages));
            case "ringOnThreads" -> pooled(stages, true, RingFanOut.polled(CAPACITY, pooled, topology, pooledStages));
            default -> throw new IllegalArgumentException("no contender '" + name + "'");
        };
    }

    private static Contender plain(
        final List<Stage> stages, final boolean isOnThreads, final FanOut<PlainEvent> ring)
    {
        return new FanOutContender<>(stages, isOnThreads, ring, PlainEvent::fill);
    }

    private static Contender pooled(
        final List<Stage> stages, final boolean isOnThreads, final FanOut<PooledEvent> ring)
    {
        return new FanOutContender<>(stages, isOnThreads, ring, PooledEvent::fill);
    }

    /** One of the three. Its thread only. */
    static final class Stage
    {
        private final Check check;
        private final Check before;

        private Stage(final Check check, final Check before)
        {
            this.check = check;
            this.before = before;
        }

        void accept(final PlainEvent event)
        {
            accept(event.id(), event.sum());
        }

        void accept(final PooledEvent event, final long sequence)
        {
            accept(event.id(sequence), event.sum());
        }

        private void accept(final long id, final long sum)
        {
            // A plain read: the work of the stage before is visible to all who may see the event.
            if (before != null && (id & CHECK_MASK) == 0 && before.handled <= id)
            {
                throw new IllegalStateException("event " + id + " came to a stage before the one that it follows");
            }
            check.accept(id, sum);
        }
    }

    static List<Stage> stages(final Topology topology, final int batch)
    {
        final List<Stage> stages = new ArrayList<>();
        for (int i = 0; i < Topology.STAGES; i++)
        {
            stages.add(new Stage(new Check(batch, FIELDS), topology.follows(i) ? stages.get(0).check : null));
        }
        return stages;
    }

    @Override
    boolean isReached(final long count)
    {
        for (int i = 0; i < Topology.STAGES; i++)
        {
            if (!stages.get(i).check.isReached(count))
            {
                return false;
            }
        }
        return true;
    }

    @Override
    void verify(final long published)
    {
        stages.forEach(stage -> stage.check.verify(published));
    }

    @Override
    public boolean offer(final long id)
    {
        final E event = ring.claim();
        if (event == null)
        {
            return false;
        }
        filler.accept(event, id);
        return ring.publish(event);
    }

    @Override
    int poll() throws Exception
    {
        return ring.poll();
    }

    /** The first stage runs on the calling thread, the others on their own threads or on this one, too. */
    @Override
    public void consume() throws Exception
    {
        final List<Thread> others = new ArrayList<>();
        for (int i = 1; isOnThreads && i < Topology.STAGES; i++)
        {
            final int stage = i;
            others.add(Daemon.start("consumer-" + i, () -> runAndReport(stage)));
        }
        run(0);
        for (final Thread thread : others)
        {
            thread.join();
        }
    }

    private void runAndReport(final int stage)
    {
        try
        {
            run(stage);
        }
        catch (final Throwable ex)
        {
            failed(ex);
        }
    }

    private void run(final int stage) throws Exception
    {
        if (ring.runsItself())
        {
            ring.run(stage);
        }
        while (!isStopped())
        {
            if ((isOnThreads ? ring.poll(stage) : ring.poll()) == 0)
            {
                idle();
            }
        }
    }

    @Override
    public void stop()
    {
        super.stop();
        ring.halt();
    }

    /** The stages' own threads share the CPUs that there are. */
    @Override
    boolean isPinned()
    {
        return !isOnThreads;
    }

    @Override
    public void verifyBalance()
    {
        ring.verifyBalance();
    }

    /** Checks whether four busy threads have a CPU each; else they yield to each other. */
    static boolean hasCpuForEach()
    {
        return Runtime.getRuntime().availableProcessors() > Topology.STAGES;
    }
}

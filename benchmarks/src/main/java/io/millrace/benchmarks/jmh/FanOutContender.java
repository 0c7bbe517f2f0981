package io.millrace.benchmarks.jmh;

import java.util.ArrayList;
import java.util.List;

/**
 * A way for events to three stages, each of which checks every event.
 */
abstract class FanOutContender extends Contender
{
    /** Used fields of an event: 64 bytes of ours, 48 of a plain one. */
    static final int FIELDS = 4;

    // A look at another thread's line now and then: often enough to catch a wrong order, too seldom to cost.
    private static final long LOOK_MASK = 255;

    final Topology topology;
    final List<Stage> stages;

    FanOutContender(final Topology topology, final List<Stage> stages)
    {
        super(stages.get(0).check);
        this.topology = topology;
        this.stages = stages;
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
            // A plain read: what the stage before did is visible to whoever may see the event.
            if (before != null && (id & LOOK_MASK) == 0 && before.handled <= id)
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
    final boolean isReached(final long count)
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
    final void verify(final long published)
    {
        stages.forEach(stage -> stage.check.verify(published));
    }

    /**
     * Run the stages on threads of their own: the first on the calling one.
     *
     * @param work what a stage does until the contender is stopped.
     */
    final void consumeOnThreads(final StageWork work) throws Exception
    {
        final List<Thread> others = new ArrayList<>();
        for (int i = 1; i < Topology.STAGES; i++)
        {
            final int stage = i;
            final Thread thread = new Thread(() -> run(work, stage), "consumer-" + i);
            thread.setDaemon(true);
            thread.start();
            others.add(thread);
        }
        work.run(0);
        for (final Thread thread : others)
        {
            thread.join();
        }
    }

    private void run(final StageWork work, final int stage)
    {
        try
        {
            work.run(stage);
        }
        catch (final Throwable ex)
        {
            failed(ex);
        }
    }

    /** What a stage does on a thread of its own. */
    @FunctionalInterface
    interface StageWork
    {
        void run(int stage) throws Exception;
    }

    /** Whether four busy threads have a CPU each; else they yield to each other. */
    static boolean hasCpuForEach()
    {
        return Runtime.getRuntime().availableProcessors() > Topology.STAGES;
    }
}

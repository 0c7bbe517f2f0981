package io.millrace.benchmarks.cost;

import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.rate.MessageOutlet;
import io.millrace.benchmarks.rate.PathUnderTest;
import io.millrace.benchmarks.rate.RateMessage;

/**
 * A way to three stages on one thread, open for one round.
 *
 * @param <M> the path's own event.
 */
abstract class FanOutPath<M extends RateMessage> implements PathUnderTest<M>, MessageOutlet<M>
{
    private final FanOutStages stages;
    private Thread thread;
    private volatile boolean closed;
    private volatile Throwable failure;

    FanOutPath(final FanOutStages stages)
    {
        this.stages = stages;
    }

    /** Hand over what is there; how many events one stage or all of them saw. The handling thread. */
    abstract int poll() throws Exception;

    /** The handling thread's work until {@link #stop()}. */
    void consume() throws Exception
    {
        while (!closed)
        {
            if (poll() == 0)
            {
                Thread.onSpinWait();
            }
        }
    }

    void stop()
    {
        closed = true;
    }

    final void start(final int cpu)
    {
        thread = new Thread(() -> run(cpu), "stages");
        thread.setDaemon(true);
        thread.start();
    }

    private void run(final int cpu)
    {
        try
        {
            Pinning.pinCurrentThread(cpu);
            stages.meter().onStart();
            consume();
        }
        catch (final Throwable ex)
        {
            failure = ex;
        }
    }

    @Override
    public final MessageOutlet<M> outlet()
    {
        return this;
    }

    @Override
    public final int handle()
    {
        try
        {
            final long before = stages.meter().handled();
            poll();
            return (int)(stages.meter().handled() - before);
        }
        catch (final Exception ex)
        {
            throw new IllegalStateException("a stage failed", ex);
        }
    }

    @Override
    public final long dropped()
    {
        return 0;
    }

    @Override
    public final void close()
    {
        stop();
        try
        {
            if (thread != null)
            {
                thread.join();
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        if (failure != null)
        {
            throw new IllegalStateException("a stage failed", failure);
        }
        stages.verify();
    }
}

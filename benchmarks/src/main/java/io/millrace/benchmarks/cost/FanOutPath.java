package io.millrace.benchmarks.cost;

import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.jmh.FanOut;
import io.millrace.benchmarks.rate.MessageOutlet;
import io.millrace.benchmarks.rate.PathUnderTest;
import io.millrace.benchmarks.rate.RateMessage;

/**
 * A way to three stages on one thread, open for one round.
 *
 * @param <M> the path's own event.
 */
final class FanOutPath<M extends RateMessage> implements PathUnderTest<M>, MessageOutlet<M>
{
    private final FanOutStages stages;
    private final FanOut<M> ring;
    private Thread thread;
    private volatile boolean closed;
    private volatile Throwable failure;

    FanOutPath(final FanOutStages stages, final FanOut<M> ring)
    {
        this.stages = stages;
        this.ring = ring;
    }

    /** The handling thread's work until {@link #close()}. */
    private void consume() throws Exception
    {
        if (ring.runsItself())
        {
            ring.run(0);
        }
        while (!closed)
        {
            if (ring.poll() == 0)
            {
                Thread.onSpinWait();
            }
        }
    }

    @Override
    public M claim()
    {
        return ring.claim();
    }

    @Override
    public void publish(final M message)
    {
        if (!ring.publish(message))
        {
            throw new IllegalStateException("the ring refused its own event");
        }
    }

    void start(final int cpu)
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
    public MessageOutlet<M> outlet()
    {
        return this;
    }

    @Override
    public int handle()
    {
        try
        {
            final long before = stages.meter().handled();
            ring.poll();
            return (int)(stages.meter().handled() - before);
        }
        catch (final Exception ex)
        {
            throw new IllegalStateException("a stage failed", ex);
        }
    }

    @Override
    public long dropped()
    {
        return 0;
    }

    @Override
    public void close()
    {
        closed = true;
        ring.halt();
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

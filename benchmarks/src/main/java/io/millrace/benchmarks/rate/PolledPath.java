package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.harness.Daemon;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.RoundPlan;

/**
 * A path without a server: a busy-spinning thread of its own polls it, or the caller does.
 *
 * @param <M> the path's own event.
 */
public abstract class PolledPath<M extends RateMessage> implements PathUnderTest<M>
{
    private final MessageMeter meter;
    private Thread thread;
    private volatile boolean closed;
    private volatile Throwable failure;

    /**
     * A path that is not started.
     *
     * @param meter receives each event.
     */
    protected PolledPath(final MessageMeter meter)
    {
        this.meter = meter;
    }

    /**
     * Start it. By the thread that opens the path.
     *
     * @param plan       the handling thread's CPU.
     * @param isOnThread whether a thread of its own polls.
     * @return this path.
     */
    public final PolledPath<M> start(final RoundPlan plan, final boolean isOnThread)
    {
        if (isOnThread)
        {
            thread = Daemon.start("handle", () -> run(plan.handlerCpu()));
        }
        else
        {
            meter.onStart();
        }
        return this;
    }

    private void run(final int cpu)
    {
        try
        {
            Pinning.pinCurrentThread(cpu);
            meter.onStart();
            consume();
        }
        catch (final Throwable ex)
        {
            failure = ex;
        }
    }

    /**
     * The handling thread's work until {@link #close()}.
     *
     * @throws Exception when the handler fails.
     */
    protected void consume() throws Exception
    {
        while (!closed)
        {
            if (poll() == 0)
            {
                Thread.onSpinWait();
            }
        }
    }

    /**
     * Hands published events to the meter. The handling thread.
     *
     * @return events that were there, of all stages; 0 when there was none.
     * @throws Exception when the handler fails.
     */
    protected abstract int poll() throws Exception;

    /**
     * The handling end.
     *
     * @return the meter of the round.
     */
    protected final MessageMeter meter()
    {
        return meter;
    }

    @Override
    public int handle()
    {
        try
        {
            return poll();
        }
        catch (final Exception ex)
        {
            throw new IllegalStateException("the handler failed", ex);
        }
    }

    @Override
    public final Executions executions()
    {
        return meter.ledger().executions();
    }

    @Override
    public void close()
    {
        closed = true;
        Daemon.join(thread);
        if (failure != null)
        {
            throw new IllegalStateException("the handler failed", failure);
        }
    }
}

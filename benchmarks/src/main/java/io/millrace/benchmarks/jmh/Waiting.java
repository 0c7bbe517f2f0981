package io.millrace.benchmarks.jmh;

/**
 * Makes the threads of a benchmark wait for each other. They spin, like the threads of a busy-spin server, unless there
 * are more threads than CPUs. No field here changes while events pass, so that reading them costs nothing.
 */
public abstract class Waiting
{
    private volatile Throwable failure;
    private boolean yields;

    /** Yield when idle: more threads than CPUs, or a test on a busy machine. Before the threads start. */
    final void yieldWhenIdle()
    {
        yields = true;
    }

    final boolean isYielding()
    {
        return yields;
    }

    final void failed(final Throwable reason)
    {
        failure = reason;
    }

    final void idle()
    {
        if (yields)
        {
            Thread.yield();
        }
        else
        {
            Thread.onSpinWait();
        }
    }

    /** Idle on a thread that must not wait for ever: for capacity, for a free event, or for the end of a batch. */
    public final void pause()
    {
        idle();
        final Throwable reason = failure;
        if (reason != null)
        {
            throw new IllegalStateException("another thread of the benchmark failed", reason);
        }
        if (Thread.currentThread().isInterrupted())
        {
            // This is how JMH ends a benchmark that hangs.
            throw new IllegalStateException("interrupted while waiting for the other threads of the benchmark");
        }
    }
}

package io.millrace.server.pipeline;

import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The threads of a test: they stop when one of them fails, and the test waits for their end with a deadline.
 */
final class TestThreads
{
    /** Time limit for a test that hangs: far longer than most tests take, also on a busy machine. */
    private static final long DEADLINE_S = 120;

    /** What a thread does. */
    interface Work
    {
        void run() throws Exception;
    }

    private final long deadlineS;
    private final List<Thread> threads = new ArrayList<>();
    private volatile Throwable failure;
    private volatile boolean stopped;

    TestThreads()
    {
        this(DEADLINE_S);
    }

    /** Time limit for threads that take longer. */
    TestThreads(final long deadlineS)
    {
        this.deadlineS = deadlineS;
    }

    /** No busy spin: a spin, then yields, then sleeps of 1 to 50 microseconds. */
    static IdleStrategy idle()
    {
        return new BackoffIdleStrategy(1, 20, 1_000, 50_000);
    }

    TestThreads start(final String name, final Work work)
    {
        final Thread thread = new Thread(() -> guarded(work), name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
        return this;
    }

    private void guarded(final Work work)
    {
        try
        {
            work.run();
        }
        catch (final Throwable ex)
        {
            failure = ex;
            stopped = true;
        }
    }

    /** True until a thread fails or the test ends: the condition of every loop. */
    boolean isRunning()
    {
        return !stopped;
    }

    void join() throws InterruptedException
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(deadlineS);
        for (final Thread thread : threads)
        {
            TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, deadlineNs - System.nanoTime()));
            if (thread.isAlive() && failure == null)
            {
                final AssertionError hang = new AssertionError("thread '" + thread.getName() + "' does not end");
                hang.setStackTrace(thread.getStackTrace());
                failure = hang;
            }
            stopped |= failure != null;
        }
        if (failure != null)
        {
            throw new AssertionError("a thread failed", failure);
        }
    }
}

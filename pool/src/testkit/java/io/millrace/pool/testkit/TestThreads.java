package io.millrace.pool.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** The threads of a test: they stop when one of them fails, and the test waits for their end with a deadline. */
public final class TestThreads
{
    /** What a thread does. */
    public interface Work
    {
        void run() throws Exception;
    }

    /** Time limit for a test that hangs: far longer than most tests take, also on a busy machine. */
    private static final long DEADLINE_S = 120;

    private final long deadlineS;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    public TestThreads()
    {
        this(DEADLINE_S);
    }

    /** Time limit for threads that take longer. */
    public TestThreads(final long deadlineS)
    {
        this.deadlineS = deadlineS;
    }

    /** A thread that starts now. */
    public TestThreads start(final String name, final Work work)
    {
        add(name, work).start();
        return this;
    }

    /** A thread that starts together with the others of {@link #work}. */
    public Thread add(final String name, final Work work)
    {
        final Thread thread = new Thread(() ->
        {
            try
            {
                work.run();
            }
            catch (final Throwable ex)
            {
                failure.compareAndSet(null, ex);
            }
        }, name);
        thread.setDaemon(true);
        threads.add(thread);
        return thread;
    }

    /** True until a thread fails or hangs: the condition of every loop. */
    public boolean isRunning()
    {
        return failure.get() == null;
    }

    /** Starts the threads that were added, and waits for all. */
    public void work(final String what) throws InterruptedException
    {
        threads.forEach(Thread::start);
        await(what);
    }

    /** Waits for the threads that have started. */
    public void join() throws InterruptedException
    {
        await("a thread failed");
    }

    private void await(final String what) throws InterruptedException
    {
        for (final Thread thread : threads)
        {
            thread.join(TimeUnit.SECONDS.toMillis(deadlineS));
            if (thread.isAlive())
            {
                final AssertionError hang = new AssertionError("thread '" + thread.getName() + "' does not end");
                hang.setStackTrace(thread.getStackTrace());
                failure.compareAndSet(null, hang);
                break;
            }
        }
        if (failure.get() != null)
        {
            throw new AssertionError(what, failure.get());
        }
    }
}

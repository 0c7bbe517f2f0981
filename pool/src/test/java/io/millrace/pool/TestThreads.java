package io.millrace.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import static org.junit.jupiter.api.Assertions.assertFalse;

/**
 * Threads that run together in a test until all have ended or one of them fails.
 */
final class TestThreads
{
    /** What one thread does. */
    interface Job
    {
        void run() throws Exception;
    }

    /** Time limit for a test that hangs: far longer than most tests take, also on a busy machine. */
    private static final long DEADLINE_S = 120;

    private final long deadlineS;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    TestThreads()
    {
        this(DEADLINE_S);
    }

    /** Time limit for threads that take longer. */
    TestThreads(final long deadlineS)
    {
        this.deadlineS = deadlineS;
    }

    void add(final String name, final Job job)
    {
        final Thread thread = new Thread(() ->
        {
            try
            {
                job.run();
            }
            catch (final Throwable ex)
            {
                failure.compareAndSet(null, ex);
            }
        }, name);
        thread.setDaemon(true);
        threads.add(thread);
    }

    /** Jobs ask this in their loops. */
    boolean isRunning()
    {
        return failure.get() == null;
    }

    void work(final String what) throws InterruptedException
    {
        threads.forEach(Thread::start);
        for (final Thread thread : threads)
        {
            thread.join(TimeUnit.SECONDS.toMillis(deadlineS));
            assertFalse(thread.isAlive() && isRunning(), () -> thread.getName() + " hangs: " + what);
        }
        if (failure.get() != null)
        {
            throw new AssertionError(what, failure.get());
        }
    }
}

package io.millrace.journal;

import io.millrace.server.agent.UninterruptedWait;
import org.agrona.concurrent.Agent;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Runs the keeper or the follower of a journal on a daemon thread of the lowest priority. */
final class KeeperThread extends Thread
{
    /** Half the interval at which pieces are written. */
    private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /** Interval of the looks at a thread that shall end. */
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Agent agent;
    private volatile boolean ended;
    /** Whether it is in the application's error handler, which may wait for a close. Read by the closing thread. */
    private volatile boolean reporting;

    KeeperThread(final String name, final Agent agent)
    {
        super(name);
        this.agent = agent;
        setDaemon(true);
        setPriority(MIN_PRIORITY);
    }

    @Override
    public void run()
    {
        try
        {
            while (!ended)
            {
                if (doWork() == 0)
                {
                    LockSupport.parkNanos(IDLE_NS);
                }
            }
        }
        finally
        {
            agent.onClose();
        }
    }

    private int doWork()
    {
        try
        {
            return agent.doWork();
        }
        catch (final Exception ex)
        {
            // Both agents record failures instead.
            throw new IllegalStateException(ex);
        }
    }

    /** Report a failure on the calling thread, whichever that is. */
    static void report(final Runnable report)
    {
        final KeeperThread own =
            Thread.currentThread() instanceof KeeperThread ? (KeeperThread)Thread.currentThread() : null;
        if (own != null)
        {
            own.reporting = true;
        }
        try
        {
            report.run();
        }
        finally
        {
            if (own != null)
            {
                own.reporting = false;
            }
        }
    }

    /**
     * Wait until the current piece is written: its file must not be closed meanwhile. A thread that reports a failure
     * writes none, also in the rest of its duty cycle, and may wait for the caller. Null for no thread.
     */
    static void end(final KeeperThread thread)
    {
        if (thread != null)
        {
            thread.end();
        }
    }

    private void end()
    {
        ended = true;
        UninterruptedWait.await(Long.MAX_VALUE, remainingNs ->
        {
            TimeUnit.NANOSECONDS.timedJoin(this, Math.min(remainingNs, LOOK_NS));
            return !isAlive() || reporting;
        });
    }
}

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

    private final Agent agent;
    private volatile boolean ended;

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

    /** Wait until the current piece is written: its file must not be closed meanwhile. Null for no thread. */
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
        UninterruptedWait.join(this, Long.MAX_VALUE);
    }
}

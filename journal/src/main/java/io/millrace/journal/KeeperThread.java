package io.millrace.journal;

import org.agrona.concurrent.Agent;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Runs the keeper or the follower of a journal, once there is one, on a daemon thread of the lowest priority. */
final class KeeperThread extends Thread
{
    /** Half the interval at which pieces are written. */
    private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Supplier<? extends Agent> agent;
    private volatile boolean ended;

    KeeperThread(final String name, final Supplier<? extends Agent> agent)
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
            final Agent last = agent.get();
            if (last != null)
            {
                last.onClose();
            }
        }
    }

    private int doWork()
    {
        try
        {
            final Agent running = agent.get();
            return running == null ? 0 : running.doWork();
        }
        catch (final Exception ex)
        {
            // Both agents record failures instead.
            throw new IllegalStateException(ex);
        }
    }

    /** Wait until the current piece is written: its file must not be closed meanwhile. */
    void end()
    {
        ended = true;
        boolean interrupted = false;
        while (isAlive())
        {
            try
            {
                join();
            }
            catch (final InterruptedException ex)
            {
                interrupted = true;
            }
        }
        if (interrupted)
        {
            Thread.currentThread().interrupt();
        }
    }
}

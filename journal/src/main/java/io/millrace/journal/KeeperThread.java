package io.millrace.journal;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Runs the keeper of a journal, once there is one, on a daemon thread of the lowest priority. */
final class KeeperThread extends Thread
{
    /** Half the interval at which pieces are written. */
    private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Supplier<SegmentKeeper> keeper;
    private volatile boolean ended;

    KeeperThread(final String name, final Supplier<SegmentKeeper> keeper)
    {
        super(name);
        this.keeper = keeper;
        setDaemon(true);
        setPriority(MIN_PRIORITY);
    }

    @Override
    public void run()
    {
        while (!ended)
        {
            final SegmentKeeper running = keeper.get();
            if (running == null || running.doWork() == 0)
            {
                LockSupport.parkNanos(IDLE_NS);
            }
        }
    }

    /** Wait for the piece that is being written: nobody may close its file meanwhile. */
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

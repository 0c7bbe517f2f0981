package io.millrace.ipc;

import io.millrace.pool.Padding;
import org.agrona.concurrent.IdleStrategy;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for requests: spins as long as that has paid, then yields, then parks.
 */
final class LaneIdleStrategy extends Padding implements IdleStrategy
{
    private static final int YIELDS = 100;
    private static final long MAX_PARK_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final LaneServer server;
    private final SpinLimit limit = new SpinLimit();
    private int rounds;

    LaneIdleStrategy(final LaneServer server)
    {
        this.server = server;
    }

    @Override
    public void idle(final int workCount)
    {
        if (workCount > 0)
        {
            if (rounds > 0 && rounds < limit.get())
            {
                limit.succeeded();
            }
            rounds = 0;
        }
        else
        {
            idle();
        }
    }

    @Override
    public void idle()
    {
        final int spins = limit.get();
        final int round = rounds++;
        if (round < spins)
        {
            Thread.onSpinWait();
        }
        else if (round < spins + YIELDS)
        {
            Thread.yield();
        }
        else
        {
            limit.failed();
            if (server.announceParking(true))
            {
                LockSupport.parkNanos(this, MAX_PARK_NS);
            }
            server.announceParking(false);
            // Still in the phase of parking, until there is work.
            rounds = spins + YIELDS;
        }
    }

    @Override
    public void reset()
    {
        rounds = 0;
    }

    @Override
    public String alias()
    {
        return "lane";
    }
}

package io.millrace.server;

import java.util.List;

/**
 * Detects that a flow is idle: its stages have passed all events, and each of its agents has started a new duty cycle
 * since. The second condition is needed because a position may advance while the handler still works on its last
 * event. One thread.
 */
final class Quiescence
{
    private final RunningFlow<?> flow;
    private final List<StageAgent> hosts;
    private final long[] cycles;
    private boolean seen;
    private long publishedThen;

    Quiescence(final RunningFlow<?> flow)
    {
        this.flow = flow;
        hosts = List.copyOf(flow.hosts());
        cycles = new long[hosts.size()];
    }

    RunningFlow<?> flow()
    {
        return flow;
    }

    /** Call repeatedly until it returns true. */
    boolean isReached()
    {
        final long published = flow.publishedPosition();
        if (!flow.isDrained())
        {
            seen = false;
            return false;
        }
        if (!seen || published != publishedThen)
        {
            seen = true;
            publishedThen = published;
            for (int i = 0; i < cycles.length; i++)
            {
                cycles[i] = hosts.get(i).cycles();
            }
            return false;
        }
        for (int i = 0; i < cycles.length; i++)
        {
            if (hosts.get(i).isRunning() && hosts.get(i).cycles() == cycles[i])
            {
                return false;
            }
        }
        // The completed cycles may have published more.
        return flow.publishedPosition() == publishedThen && flow.isDrained();
    }
}

package io.millrace.server;

import java.util.List;

/**
 * Tells when a flow is at rest: its stages have passed everything, and since then each of its agents came round once.
 * The second look is needed because a position may move on while the handler is still at work on its last event. One
 * watching thread.
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

    /** To be called again and again until it says true. */
    boolean isReached()
    {
        final long published = flow.published();
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
        // What the cycles that are over published.
        return flow.published() == publishedThen && flow.isDrained();
    }
}

package io.millrace.server;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The handlers that have asked for the publishing end of a flow. Any thread. */
final class FlowPublishers
{
    private final String flow;
    private final boolean isShared;
    private final Map<String, HandlerContext> byStage = new ConcurrentHashMap<>();

    FlowPublishers(final String flow, final boolean isShared)
    {
        this.flow = flow;
        this.isShared = isShared;
    }

    /**
     * A source for one thread takes handlers of one agent only.
     *
     * @throws IllegalArgumentException if a handler of another agent has the publishing end.
     */
    synchronized void add(final HandlerContext handler)
    {
        for (final HandlerContext other : byStage.values())
        {
            if (!isShared && other.hasOtherThread(handler))
            {
                throw new IllegalArgumentException("stages '" + other.stage() + "' and '" + handler.stage() +
                    "' of different agents ask for flow '" + flow + "', whose source takes one publishing thread: " +
                    "use InVmSource.shared, or place them on one agent");
            }
        }
        byStage.put(handler.stage(), handler);
    }

    /** The handler has left. */
    void remove(final HandlerContext handler)
    {
        byStage.remove(handler.stage(), handler);
    }

    boolean has(final HandlerContext handler)
    {
        return byStage.get(handler.stage()) == handler;
    }

    Set<String> stages()
    {
        return byStage.keySet();
    }
}

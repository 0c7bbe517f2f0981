package io.millrace.gateway.sink;

import io.millrace.gateway.BboEvent;
import io.millrace.server.Counters;
import io.millrace.server.pipeline.ThrottledHandler;

/**
 * Carries events out of the process. {@link SinkFanOut} gives each sink its own queue and its own agent, so it may take
 * its time; it must not block for ever.
 * <p>
 * A sink that loses its connection goes {@link SinkHealth#DOWN}, returns 0 from {@link #demand()}, and tries again
 * after a back-off. The events wait in its queue meanwhile, under the policy of {@link SinkQueue}. It never throws for
 * a broken connection: an exception is a defect, which the agent records.
 */
public interface Sink extends ThrottledHandler<BboEvent>
{
    /**
     * Counters and health. The sink calls {@link SinkStatus#up()} when it can deliver: the server is DEGRADED before.
     *
     * @return the status of this sink, always the same object; any thread may read it.
     */
    SinkStatus status();

    /**
     * {@inheritDoc}
     *
     * @return all events, unless the sink overrides this.
     */
    @Override
    default int demand()
    {
        return Integer.MAX_VALUE;
    }

    /**
     * Add the sink's own counters to the server's, beside those of its {@link #status()}.
     *
     * @param counters of the server.
     * @param name     of the sink; begin each counter name with it and a dot.
     */
    default void addCounters(final Counters counters, final String name)
    {
    }
}

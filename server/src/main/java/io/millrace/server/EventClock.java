package io.millrace.server;

import io.millrace.server.pipeline.EventHandler;

import java.util.function.ToLongFunction;

/**
 * Sets the clock of an agent to the time of each event. An event without a time is handled at the present one, if the
 * error policy is to continue.
 */
final class EventClock<E> implements EventHandler<E>
{
    private final Scheduler timers;
    private final ToLongFunction<? super E> timeNs;
    private final PartFailures failures;

    EventClock(final Scheduler timers, final ToLongFunction<? super E> timeNs, final PartFailures failures)
    {
        this.timers = timers;
        this.timeNs = timeNs;
        this.failures = failures;
    }

    @Override
    public void onEvent(final E event, final long sequence, final boolean endOfBatch)
    {
        final long eventNs;
        try
        {
            eventNs = timeNs.applyAsLong(event);
        }
        catch (final Throwable ex)
        {
            failures.onFailure(ex);
            return;
        }
        timers.advanceTo(eventNs);
    }
}

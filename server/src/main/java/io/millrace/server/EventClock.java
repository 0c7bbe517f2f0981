package io.millrace.server;

import io.millrace.server.pipeline.EventHandler;

import java.util.function.ToLongFunction;

/**
 * Sets the clock of an agent to the time of each event. An event without a time is handled at the present one, if the
 * error policy is to continue.
 */
final class EventClock<E> implements EventHandler<E>
{
    private static final String FAILED = "the function of the event time failed";

    private final Scheduler timers;
    private final ToLongFunction<? super E> timeNs;
    private final ErrorPolicy policy;
    private final boolean ownThread;
    private final Failures failures;
    private final FailStop failStop;

    EventClock(
        final Scheduler timers,
        final ToLongFunction<? super E> timeNs,
        final ErrorPolicy policy,
        final boolean ownThread,
        final Failures failures)
    {
        this.timers = timers;
        this.timeNs = timeNs;
        this.policy = policy;
        this.ownThread = ownThread;
        this.failures = failures;
        failStop = failures.failStop(FAILED);
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
            failures.onFailure(policy, ownThread, failStop, FAILED, ex);
            return;
        }
        timers.advanceTo(eventNs);
    }
}

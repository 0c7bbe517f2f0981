package io.millrace.server;

import java.util.ArrayList;
import java.util.List;

/**
 * Whether a server does its work, with the reasons if it does not.
 */
public final class Health
{
    /** From best to worst. */
    public enum Status
    {
        /** Every part works. */
        UP,
        /** Events are handled, but a part is paused or a service has a problem. */
        DEGRADED,
        /** Events are not handled: the server does not run, or an agent has ended or is stalled. */
        DOWN
    }

    private final Status status;
    private final List<String> reasons;

    Health(final List<String> down, final List<String> degraded)
    {
        status = !down.isEmpty() ? Status.DOWN : !degraded.isEmpty() ? Status.DEGRADED : Status.UP;
        reasons = new ArrayList<>(down);
        reasons.addAll(degraded);
        reasons.replaceAll(Health::line);
    }

    /** A cause of an exception may have several lines; a console and JMX show one for each reason. */
    private static String line(final String reason)
    {
        return reason.strip().replaceAll("[\\p{Cntrl}\\u0085\\u2028\\u2029]+", " ");
    }

    /** @return the status. */
    public Status status()
    {
        return status;
    }

    /** @return one line of text for each problem, the worst first; empty if the status is UP. */
    public List<String> reasons()
    {
        return List.copyOf(reasons);
    }

    @Override
    public String toString()
    {
        return reasons.isEmpty() ? status.toString() : status + ": " + String.join("; ", reasons);
    }
}

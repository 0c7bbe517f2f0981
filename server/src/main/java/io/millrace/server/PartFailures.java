package io.millrace.server;

/**
 * Handles the failures of one part of an agent by the agent's error policy. Allocated at the start, with the exception
 * that ends the agent.
 */
final class PartFailures
{
    /** Of the server. */
    final Failures all;
    final ErrorPolicy policy;
    private final boolean ownThread;
    private final String where;
    private final FailStop failStop;

    /**
     * @param ownThread true if the server's agents call the part, false if a thread of the application does.
     * @param where     the text of a failure.
     */
    PartFailures(final Failures all, final ErrorPolicy policy, final boolean ownThread, final String where)
    {
        this.all = all;
        this.policy = policy;
        this.ownThread = ownThread;
        this.where = where;
        failStop = all.failStop(where);
    }

    /** The same part after a change to another agent. */
    PartFailures under(final ErrorPolicy other)
    {
        return new PartFailures(all, other, ownThread, where);
    }

    /** Another part of the agent. */
    PartFailures of(final String otherWhere)
    {
        return new PartFailures(all, policy, ownThread, otherWhere);
    }

    /** The thread must end: otherwise every later call that waits would fail because of the same interrupt. */
    boolean isInterrupt(final Throwable cause)
    {
        return ownThread && Failures.isInterrupt(cause);
    }

    /** A failure of a function beside the handlers: recorded, or it ends the agent. */
    void onFailure(final Throwable cause)
    {
        if (policy != ErrorPolicy.SKIP_AND_RECORD || isInterrupt(cause))
        {
            throw end(FailStop.NO_EVENT, cause);
        }
        all.report(where, cause);
        Failures.keepInterrupt(cause);
    }

    /** Ends the agent, or the server if the policy is to skip events. Returns what the agent's thread throws. */
    FailStop end(final long sequence, final Throwable cause)
    {
        final ErrorPolicy ending = policy == ErrorPolicy.SKIP_AND_RECORD ? ErrorPolicy.STOP_SERVER : policy;
        final FailStop end = all.stop(ending, failStop.onEvent(sequence, cause));
        Failures.keepInterrupt(cause);
        return end;
    }
}

package io.millrace.ipc;

import java.util.concurrent.TimeUnit;

/**
 * A call was not answered.
 */
public final class CallException extends ExchangeException
{
    private static final long serialVersionUID = 1L;

    private final CallStatus status;

    CallException(final CallStatus status, final String message)
    {
        super(message + ": " + status);
        this.status = status;
    }

    /** For a call of which {@link LaneEnd#await} has no answer. */
    static CallException unanswered(final String call, final LaneEnd end, final int peer)
    {
        final CallStatus status = end.lostStatus(peer);
        return new CallException(status, call + " on lane " + end.lane + (status == CallStatus.TIMED_OUT ?
            ", timeout " + TimeUnit.NANOSECONDS.toMillis(end.timeoutNs) + " ms" : ""));
    }

    /**
     * How the call ended.
     *
     * @return any status except OK.
     */
    public CallStatus status()
    {
        return status;
    }
}

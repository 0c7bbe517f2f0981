package io.millrace.ipc;

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

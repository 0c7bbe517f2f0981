package io.millrace.ipc;

import java.io.IOException;

/**
 * An exchange cannot be created or attached, or a call failed. The message says why.
 */
public class ExchangeException extends IOException
{
    private static final long serialVersionUID = 1L;

    /**
     * A failure.
     *
     * @param message why.
     */
    public ExchangeException(final String message)
    {
        super(message);
    }

    /**
     * A failure with a cause.
     *
     * @param message why.
     * @param cause   of it.
     */
    public ExchangeException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}

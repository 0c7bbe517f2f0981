package io.millrace.server.replay;

/**
 * A row of a recorded file is not what it should be. The message begins with {@code file:line:}, lines counted from 1,
 * and shows the text at fault. The source goes on with the next row, if the policy of its agent lets it.
 */
public final class MalformedRowException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    MalformedRowException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}

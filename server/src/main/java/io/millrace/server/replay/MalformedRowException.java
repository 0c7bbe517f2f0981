package io.millrace.server.replay;

/**
 * A row of a recorded file is malformed. The message begins with {@code file:line:}, with lines counted from 1, and
 * shows the wrong text. The source continues with the next row if the error policy of its agent allows it.
 */
public final class MalformedRowException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    MalformedRowException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}

package io.millrace.engine.book;

/**
 * Thrown when a snapshot cannot be taken, read or restored; nothing has changed. The message names the place, the wrong
 * value and the allowed range.
 */
public final class BookSnapshotException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     * @param message for people.
     */
    public BookSnapshotException(final String message)
    {
        super(message);
    }
}

package io.millrace.engine.book;

/**
 * Thrown when a snapshot cannot be taken, read or restored; nothing has changed. The message says where, which value is
 * wrong, and which values are allowed.
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

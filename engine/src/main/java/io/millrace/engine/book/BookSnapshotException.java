package io.millrace.engine.book;

/**
 * A snapshot cannot be taken, read or restored; nothing was changed. The message says where, which value, and what is
 * allowed.
 */
public final class BookSnapshotException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * With a reason.
     *
     * @param message for people.
     */
    public BookSnapshotException(final String message)
    {
        super(message);
    }
}

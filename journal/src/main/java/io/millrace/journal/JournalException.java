package io.millrace.journal;

import java.io.IOException;
import java.nio.file.FileSystemException;

/**
 * The journal cannot start with the files on the disk, or cannot continue after a failed write. The message names the
 * file, the offset and the sequence where they are known.
 */
public final class JournalException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * Why the journal refuses.
     */
    public enum Kind
    {
        /**
         * Another process, or another journal of this process, uses the directory.
         */
        LOCKED,

        /**
         * The directory or a file cannot be used: wrong owner, a symbolic link, no permission, no space.
         */
        UNUSABLE,

        /**
         * Bytes that were committed are damaged or missing. Nothing was changed.
         */
        DAMAGED,

        /**
         * A read failed, or returned fewer bytes than the file has. Nothing was changed.
         */
        UNREADABLE,

        /**
         * A file has another format version, another schema, or belongs to another journal. Nothing was changed.
         */
        WRONG_FORMAT,

        /**
         * The handler threw on a record that is being replayed.
         */
        POISON,

        /**
         * A write or a force failed. The journal accepts no more events; events that are not committed may be lost.
         */
        FAILED
    }

    private final Kind kind;

    /**
     * A refusal.
     *
     * @param kind    why.
     * @param message with the location.
     */
    public JournalException(final Kind kind, final String message)
    {
        this(kind, message, null);
    }

    /**
     * A refusal with its cause.
     *
     * @param kind    why.
     * @param message with the location.
     * @param cause   an exception of the file system or the handler; null for none.
     */
    public JournalException(final Kind kind, final String message, final Throwable cause)
    {
        super(message, cause);
        this.kind = kind;
    }

    /** The text of a failure; with its class if that text is the path alone, as without a permission. */
    static String reason(final IOException failure)
    {
        final boolean saysWhy = failure.getMessage() != null &&
            !(failure instanceof FileSystemException && ((FileSystemException)failure).getReason() == null);
        return saysWhy ? failure.getMessage() : failure.toString();
    }

    /**
     * Why the journal refuses.
     *
     * @return the kind.
     */
    public Kind kind()
    {
        return kind;
    }
}

package io.millrace.benchmarks.harness;

/**
 * Something that the user gave is impossible or unreadable: a setting or an input file. The message is one line that
 * says what, where and what would be right; the report prints it and ends with exit code {@value #EXIT_CODE} before
 * anything is started.
 */
public final class InputException extends RuntimeException
{
    /**
     * Exit code of a run that was refused.
     */
    public static final int EXIT_CODE = 2;

    private static final long serialVersionUID = 1L;

    /**
     * Refuse.
     *
     * @param message one line for the user.
     */
    public InputException(final String message)
    {
        super(message);
    }
}

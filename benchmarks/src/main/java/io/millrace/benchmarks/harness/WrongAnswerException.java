package io.millrace.benchmarks.harness;

/**
 * A contender lost, repeated, swapped or changed events: the benchmark has no result. The message says which
 * contender, rate and round.
 */
public final class WrongAnswerException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * A wrong answer.
     *
     * @param message who, where, and what is wrong.
     */
    public WrongAnswerException(final String message)
    {
        super(message);
    }
}

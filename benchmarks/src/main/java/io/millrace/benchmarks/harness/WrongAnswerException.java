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

    /**
     * Compares an answer with the right one.
     *
     * @param where  contender, rate and round.
     * @param wanted the right answer.
     * @param answer the contender's.
     * @throws WrongAnswerException when they differ.
     */
    public static void check(final String where, final Object wanted, final Object answer)
    {
        if (!wanted.equals(answer))
        {
            throw new WrongAnswerException(where + ": " + answer + " instead of " + wanted);
        }
    }

    /**
     * Compares a number with the right one. Allocates only when they differ.
     *
     * @param where  contender, rate and round, or what the number is.
     * @param wanted the right number.
     * @param answer the contender's.
     * @throws WrongAnswerException when they differ.
     */
    public static void check(final String where, final long wanted, final long answer)
    {
        if (wanted != answer)
        {
            throw new WrongAnswerException(where + ": " + answer + " instead of " + wanted);
        }
    }
}

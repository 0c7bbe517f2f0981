package io.millrace.benchmarks.harness;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Collection;

/**
 * Runs the rounds of all contenders interleaved: each contender once, then each again. So what the host does meanwhile
 * comes to all of them alike, and rounds of one number can be compared in pairs.
 */
public final class Interleaving
{
    private Interleaving()
    {
    }

    /**
     * One round of one contender.
     *
     * @param <C> a contender.
     */
    @FunctionalInterface
    public interface Step<C>
    {
        /**
         * Run it.
         *
         * @param contender whose round it is.
         * @param round     its number, from 1; 0 and below do not count.
         * @return its result, for the printed line.
         * @throws IOException when the contender fails.
         */
        String run(C contender, int round) throws IOException;
    }

    /**
     * Run all rounds, and print a line for each of them.
     *
     * @param out        where to print.
     * @param what       the line begins with.
     * @param warmUps    rounds before those that count.
     * @param rounds     rounds that count.
     * @param contenders in the order in which they run.
     * @param step       runs one.
     * @param <C>        a contender.
     * @throws IOException when one fails.
     */
    public static <C> void run(
        final PrintStream out,
        final String what,
        final int warmUps,
        final int rounds,
        final Collection<C> contenders,
        final Step<C> step) throws IOException
    {
        for (int round = 1 - warmUps; round <= rounds; round++)
        {
            run(out, what + (round > 0 ? " round " + round + "/" + rounds : " warm-up"), round, contenders, step);
        }
    }

    /**
     * Run one round of each contender, and print a line.
     *
     * @param out        where to print.
     * @param what       the line begins with.
     * @param round      its number.
     * @param contenders in the order in which they run.
     * @param step       runs one.
     * @param <C>        a contender.
     * @throws IOException when one fails.
     */
    public static <C> void run(
        final PrintStream out,
        final String what,
        final int round,
        final Collection<C> contenders,
        final Step<C> step) throws IOException
    {
        final StringBuilder line = new StringBuilder(what);
        for (final C contender : contenders)
        {
            final String text = step.run(contender, round);
            line.append(text.isEmpty() ? "" : "   ").append(text);
        }
        out.println(line);
    }
}

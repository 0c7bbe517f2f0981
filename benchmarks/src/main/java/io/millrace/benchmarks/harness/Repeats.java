package io.millrace.benchmarks.harness;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Repeats measurements that the host disturbed, as long as the time budget allows it. One thread.
 */
public final class Repeats
{
    private static final int MAX_ATTEMPTS = 4;
    private static final long MS_PER_S = 1_000;

    private final long budgetMs;
    private final Consumer<String> notes;

    /**
     * Rounds that make a result, or do not.
     */
    public interface Attempt
    {
        /**
         * Why it is no result.
         *
         * @return empty when it is one.
         */
        String invalid();

        /**
         * Number of clean rounds.
         *
         * @return a count: the more, the better the attempt.
         */
        int clean();

        /**
         * Why another attempt would not help.
         *
         * @return empty when it may.
         */
        String hopeless();
    }

    /**
     * Makes an attempt.
     *
     * @param <A> the attempt.
     */
    @FunctionalInterface
    public interface Maker<A>
    {
        /**
         * Run it.
         *
         * @return its result.
         * @throws IOException when a contender fails.
         */
        A make() throws IOException;
    }

    /**
     * All attempts at one thing.
     *
     * @param attempts in their order.
     * @param kept     the one that counts: a valid one, else the one with the most clean rounds.
     * @param <A>      an attempt.
     */
    public record Outcome<A>(List<A> attempts, A kept)
    {
    }

    /**
     * Creates repeats with a time budget, counted from the start of this JVM.
     *
     * @param budgetSeconds the budget.
     * @param notes         gets a line about each invalid attempt.
     */
    public Repeats(final int budgetSeconds, final Consumer<String> notes)
    {
        budgetMs = budgetSeconds * MS_PER_S;
        this.notes = notes;
    }

    /**
     * Remaining part of the budget.
     *
     * @return milliseconds; below 0 when it is used up.
     */
    public long leftMs()
    {
        return budgetMs - ManagementFactory.getRuntimeMXBean().getUptime();
    }

    /**
     * Attempt a thing until it is valid, at most four times.
     *
     * @param name      of the thing.
     * @param others    how many things come after it, each of which may take as long.
     * @param reserveMs time to keep for the rest.
     * @param maker     makes an attempt.
     * @param <A>       an attempt.
     * @return all attempts, and the one to keep.
     * @throws IOException when a contender fails.
     */
    public <A extends Attempt> Outcome<A> run(
        final String name, final int others, final long reserveMs, final Maker<A> maker) throws IOException
    {
        final List<A> attempts = new ArrayList<>();
        A kept = null;
        long longestMs = 0;
        String whyNot = "";
        while (whyNot.isEmpty())
        {
            final long beforeMs = System.currentTimeMillis();
            final A attempt = maker.make();
            attempts.add(attempt);
            longestMs = Math.max(longestMs, System.currentTimeMillis() - beforeMs);
            if (kept == null || attempt.invalid().isEmpty() || attempt.clean() > kept.clean())
            {
                kept = attempt;
            }
            if (attempt.invalid().isEmpty())
            {
                break;
            }
            whyNot = attempts.size() == MAX_ATTEMPTS ? "that was the last attempt" : !attempt.hopeless().isEmpty() ?
                attempt.hopeless() : leftMs() >= (1 + others) * longestMs + reserveMs ? "" :
                "the time budget does not allow it";
            notes.accept(name + " attempt " + attempts.size() + " is INVALID (" + attempt.invalid() + "), " +
                (whyNot.isEmpty() ? "run again" : "not run again: " + whyNot));
        }
        return new Outcome<>(attempts, kept);
    }
}

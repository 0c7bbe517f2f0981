package io.millrace.benchmarks.depth;

import io.millrace.benchmarks.flow.DepthFlow;
import io.millrace.benchmarks.flow.DepthPrices;
import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.InputException;
import io.millrace.engine.book.SymbolSpec;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;

/**
 * A size of book. Immutable; any thread.
 *
 * @param orders that rest.
 * @param levels that they rest on; as many as orders: one on each.
 */
public record DepthCase(int orders, int levels) implements Serializable
{
    /**
     * The setting that chooses the sizes.
     */
    public static final String PROPERTY = "report.depth";

    private static final String DEFAULTS = "1k/1k,100k/10k,1m/10k,10m/10k,1m/10,1m/100k,1m/1m";

    private static final int SYMBOL = 1;
    private static final int LEAST = 64;
    private static final int LEAST_LEVELS = 10;
    // The largest book that runs in a heap of 8 GB, which is all that a rival is given.
    private static final int MOST = 10_000_000;

    // A fast command takes 40 ns: a round of these spans at least two clock ticks of the host, 10 ms each.
    private static final int MANY_COMMANDS = 1_000_000;
    // A slow one takes 300 to 800 ns.
    static final int FEW_COMMANDS = 250_000;
    private static final int SMALL_BOOK = 50_000;
    // To try the report: too few for a result.
    private static final int PREVIEW_COMMANDS = 20_000;
    private static final int PREVIEW_BOOK = 1_000;

    /** Sparse levels are run if the book has as many orders as the window could contain. */
    private static final int MOST_LEVELS_OF_FAR_LINE = 10_000;
    private static final int MOST_ORDERS_OF_FAR_LINE = 1_000_000;

    /**
     * Check.
     */
    public DepthCase
    {
        if (!isPossible(orders, levels))
        {
            throw refusal(orders + "/" + levels);
        }
    }

    private static boolean isPossible(final long orders, final long levels)
    {
        return orders >= LEAST && orders <= MOST && levels >= LEAST_LEVELS && levels <= orders;
    }

    private static InputException refusal(final String size)
    {
        return new InputException(PROPERTY + " '" + size + "' is not ORDERS/LEVELS with orders in " + LEAST + ".." +
            MOST + " and levels in " + LEAST_LEVELS + "..orders, like 100k/10k");
    }

    /**
     * The sizes that were asked for.
     *
     * @param properties where {@value #PROPERTY} is; missing or empty means the default.
     * @return at least one.
     * @throws InputException when one is impossible.
     */
    public static List<DepthCase> from(final Properties properties)
    {
        final String given = properties.getProperty(PROPERTY, "").trim();
        final List<DepthCase> cases = new ArrayList<>();
        for (final String one : (given.isEmpty() ? DEFAULTS : given).split(",", -1))
        {
            final String[] parts = one.split("/", -1);
            final long orders = number(parts[0]);
            final long levels = parts.length == 2 ? number(parts[1]) : 0;
            if (!isPossible(orders, levels))
            {
                throw refusal(one.trim());
            }
            cases.add(new DepthCase((int)orders, (int)levels));
        }
        return cases;
    }

    private static long number(final String text)
    {
        final String digits =
            text.trim().toLowerCase(Locale.ROOT).replaceFirst("k$", "000").replaceFirst("m$", "000000");
        return HostFiles.number(digits, 0);
    }

    /** A flow for this book. */
    public DepthFlow flow()
    {
        return new DepthFlow(orders, levels, DepthPrices.NEAR, null);
    }

    /** Commands of a round. */
    public int commands()
    {
        return orders < PREVIEW_BOOK ? PREVIEW_COMMANDS : orders <= SMALL_BOOK ? MANY_COMMANDS : FEW_COMMANDS;
    }

    /**
     * The book: capacity for the orders, and the default window.
     *
     * @param isFar whether the window is to be the smallest instead.
     * @return a future.
     */
    public SymbolSpec spec(final boolean isFar)
    {
        final SymbolSpec spec = SymbolSpec.future(SYMBOL).withOrderCapacity(orders + DepthFlow.SLACK);
        return isFar ? spec.withWindowTicks(SymbolSpec.MIN_WINDOW_TICKS) : spec;
    }

    /** Over how many ticks the orders spread; with one on each level every other price is free. */
    private int span()
    {
        return levels == orders ? 2 * levels + 4 : levels + 4;
    }

    /**
     * Checks whether all prices lie in the window of {@link #spec}.
     *
     * @return whether they do.
     */
    public boolean isInsideWindow()
    {
        return span() <= spec(false).windowTicks();
    }

    /**
     * Checks whether a book of the smallest window is run, too.
     *
     * @return true where there are many orders on a level, so that it costs little to run.
     */
    public boolean hasFarLine()
    {
        return levels >= 2 * SymbolSpec.MIN_WINDOW_TICKS && levels <= MOST_LEVELS_OF_FAR_LINE &&
            orders > levels && orders <= MOST_ORDERS_OF_FAR_LINE;
    }

    @Override
    public String toString()
    {
        return String.format(Locale.ROOT, "%,d orders on %,d levels", orders, levels);
    }
}

package io.millrace.benchmarks.depth;

import io.millrace.benchmarks.flow.DepthFlow;
import io.millrace.benchmarks.flow.DepthPrices;
import io.millrace.benchmarks.harness.InputException;
import io.millrace.benchmarks.harness.Options;
import io.millrace.engine.book.SymbolSpec;

import java.util.Properties;

/**
 * Hostile loads, each with a friendly one of as many orders. Stateless; any thread.
 */
public enum HostileCase
{
    /**
     * Order ids chosen so that the id table has one bucket for all.
     */
    IDS("order ids that collide", "random ids", (isHostile, orders) ->
    {
        final int ids = orders + DepthFlow.SLACK;
        return flow(orders, tenth(orders), DepthPrices.NEAR,
            isHostile ? CollidingIds.of(ids, ids) : CollidingIds.random(ids), suiting(orders, tenth(orders)));
    }),

    /**
     * Half of the asks at 0, half at the greatest price, and orders that move from end to end.
     */
    ENDS("prices at both ends of long", "prices side by side", (isHostile, orders) -> flow(orders, tenth(orders),
        isHostile ? DepthPrices.ENDS : DepthPrices.NEAR, null, suiting(orders, tenth(orders)))),

    /**
     * The best price runs away from the window again and again, and few levels make it cheap to call it back.
     */
    JUMPS("best price jumps from end to end", "best price steps to and fro", (isHostile, orders) ->
        flow(orders, HostileCase.FEW_LEVELS, isHostile ? DepthPrices.JUMPING : DepthPrices.STEPPING, null,
            suiting(orders, HostileCase.FEW_LEVELS))),

    /**
     * One order for each level, in the greatest window.
     */
    LEVELS_INSIDE("one order per level, in the window", "ten orders per level", (isHostile, orders) ->
        isHostile ? flow(orders, orders, DepthPrices.NEAR, null, suiting(orders, 2 * orders)) : tenPerLevel(orders)),

    /**
     * One order for each level, next to none of them in the window.
     */
    LEVELS_OUTSIDE("one order per level, out of the window", "ten orders per level", (isHostile, orders) ->
        isHostile ? flow(orders, orders, DepthPrices.NEAR, null, smallest(orders)) : tenPerLevel(orders)),

    /**
     * One command that trades with all orders.
     */
    SWEEP("one sweep of all, per order", "as many single trades", (isHostile, orders) ->
        new SweepRun(orders, tenth(orders), isHostile, suiting(orders, 2 * tenth(orders)))),

    /**
     * The same over one order per level out of the window.
     */
    SWEEP_OUTSIDE("the same, one per level out of the window", "single trades, ten per level", (isHostile, orders) ->
        isHostile ? new SweepRun(orders, orders, true, smallest(orders)) :
            new SweepRun(orders, tenth(orders), false, suiting(orders, 2 * tenth(orders))));

    /**
     * The setting for the number of orders at rest.
     */
    public static final String PROPERTY = "report.orders";

    private static final int DEFAULT_ORDERS = 100_000;
    private static final int LEAST_ORDERS = 1_000;
    // The greatest window has space for so many with every other price free.
    private static final int MOST_ORDERS = 130_000;
    private static final int FEW_LEVELS = 16;

    private final String hostile;
    private final String friendly;
    private final Load load;

    HostileCase(final String hostile, final String friendly, final Load load)
    {
        this.hostile = hostile;
        this.friendly = friendly;
        this.load = load;
    }

    /** Fills a book, and puts the load on it. */
    private interface Load
    {
        HostileRun open(boolean isHostile, int orders);
    }

    /**
     * Number of orders asked for.
     *
     * @param properties where {@value #PROPERTY} is; missing or empty means the default.
     * @return a count.
     * @throws InputException when it is out of range.
     */
    public static int orders(final Properties properties)
    {
        return new Options(properties, "").number(PROPERTY, DEFAULT_ORDERS, LEAST_ORDERS, MOST_ORDERS);
    }

    /** A book under the hostile load, or under the friendly one. */
    HostileRun run(final boolean isHostile, final int orders)
    {
        return load.open(isHostile, orders);
    }

    /** In words. */
    String label(final boolean isHostile)
    {
        return isHostile ? hostile : friendly;
    }

    private static int tenth(final int orders)
    {
        return orders / 10;
    }

    private static HostileRun tenPerLevel(final int orders)
    {
        return flow(orders, tenth(orders), DepthPrices.NEAR, null, suiting(orders, tenth(orders)));
    }

    private static HostileRun flow(
        final int orders, final int levels, final DepthPrices prices, final long[] ids, final SymbolSpec spec)
    {
        return new FlowRun(new DepthFlow(orders, levels, prices, ids), spec);
    }

    private static SymbolSpec suiting(final int orders, final int span)
    {
        final int window = Integer.highestOneBit(span) << 1;
        return smallest(orders).withWindowTicks(
            Math.max(SymbolSpec.MIN_DEFAULT_WINDOW_TICKS, Math.min(SymbolSpec.MAX_WINDOW_TICKS, window)));
    }

    private static SymbolSpec smallest(final int orders)
    {
        return SymbolSpec.future(1).withOrderCapacity(orders + DepthFlow.SLACK)
            .withWindowTicks(SymbolSpec.MIN_WINDOW_TICKS);
    }
}

package io.millrace.benchmarks.flow;

import java.util.Random;

/**
 * The price range of a flow and where its market stands. Prices are in price steps. One thread.
 */
final class FlowPrices
{
    // A start price is 10 to a power in 3.3 to 6.3.
    private static final double LEAST_EXPONENT = 3.3;
    private static final double EXPONENT_SPAN = 1.5;
    private static final double DEVIATION_PART = 0.05;
    private static final double MAX_DEVIATION = 10_000;
    private static final int RANGE_DEVIATIONS = 5;
    private static final double MOVE_PART = 0.01;

    private final int deviation;
    final int min;
    final int max;
    private int last;

    /** Takes the first two draws of the flow. */
    FlowPrices(final Random random)
    {
        // StrictMath: to the last bit the same on every JDK.
        last = (int)StrictMath.pow(10,
            LEAST_EXPONENT + random.nextDouble() * EXPONENT_SPAN + random.nextDouble() * EXPONENT_SPAN);
        deviation = (int)Math.min(last * DEVIATION_PART, MAX_DEVIATION);
        min = last - RANGE_DEVIATIONS * deviation;
        max = last + RANGE_DEVIATIONS * deviation;
    }

    /** A trade happened: the market follows it as far as the range reaches. */
    void traded(final long price)
    {
        last = (int)Math.max(min, Math.min(price, max));
    }

    /** The limit of a new order, most of them near the market, on the side's own side of it. */
    int limit(final Random random, final boolean bid)
    {
        final double square = random.nextDouble();
        final int spread = 1 + (int)(square * square * deviation);
        int sum = 0;
        for (int i = 0; i < 4; i++)
        {
            sum += random.nextInt(spread);
        }
        final int distance = Math.abs(sum / 4 * 2 - spread);
        return bid ? last - distance : last + distance;
    }

    /** The next price of an order that moves a hundredth closer to the market, or one step away. */
    int moved(final Random random, final int price)
    {
        final double way = (last - price) * MOVE_PART;
        final int step = price == last ? random.nextInt(2) * 2 - 1 : (int)(way > 0 ? Math.ceil(way) : Math.floor(way));
        return Math.min(price + step, max);
    }
}

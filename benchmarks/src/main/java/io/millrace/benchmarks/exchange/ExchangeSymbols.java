package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.flow.OrderFlow;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.book.SymbolType;
import io.millrace.engine.risk.SymbolTerms;
import io.millrace.engine.tables.PowerOfTwo;

import java.util.Random;

/**
 * The symbols of a set-up: their weights, sizes and terms. The same set-up and seed give the same ones on every JDK.
 * Immutable; any thread.
 */
final class ExchangeSymbols
{
    // Pareto's shape, as the published generator has it; the scale falls out when the weights are made to add up to 1.
    private static final double PARETO_SHAPE = 1.5;

    // Above all prices of the flow, which begin at 2,000,000 at most and stay within 50,000 of that. With it a position
    // may have 67 million lots; all trades of a run together have a few.
    private static final long MAX_PRICE = (1 << 22) - 1;
    private static final long MAX_POSITION = SymbolTerms.MAX_EXPOSURE / (MAX_PRICE + 1);

    private static final long BASE_SCALE = 100;
    private static final long QUOTE_SCALE = 10;
    // Small, since money is not what is measured, but not zero, so that fees are reckoned.
    private static final long TAKER_FEE = 4;
    private static final long MAKER_FEE = 2;
    private static final long MARGIN_BUY = 1_200;
    private static final long MARGIN_SELL = 1_100;

    // The flow counts the missing orders every 512 commands, so it may overshoot by as many on each side.
    private static final int OVERSHOOT = 1_024;

    // Four ticks of the fast ladder for each order, within sizes that a thousand books can have: 64 MB and more.
    private static final int TICKS_PER_ORDER = 4;
    private static final int LEAST_TICKS = 1_024;

    private final ExchangeSetup setup;
    private final int[] targets;
    private final int[] timed;

    ExchangeSymbols(final ExchangeSetup setup, final int resting, final int timed, final int seed)
    {
        final int symbols = setup.symbols;
        if (resting < symbols)
        {
            throw new IllegalArgumentException("resting " + resting + " is less than " + symbols + ", one a symbol");
        }
        this.setup = setup;
        final double[] weights = weights(symbols, seed);
        // One for each symbol in addition to its share.
        targets = shares(weights, resting - symbols);
        for (int i = 0; i < symbols; i++)
        {
            targets[i]++;
        }
        this.timed = shares(weights, timed);
    }

    private static double[] weights(final int count, final int seed)
    {
        final Random random = new Random(seed);
        final double[] weights = new double[count];
        double sum = 0;
        for (int i = 0; i < count; i++)
        {
            weights[i] = StrictMath.pow(1 - random.nextDouble(), -1 / PARETO_SHAPE);
            sum += weights[i];
        }
        for (int i = 0; i < count; i++)
        {
            weights[i] /= sum;
        }
        return weights;
    }

    /** The remainder of the rounding goes to the first. */
    private static int[] shares(final double[] weights, final int total)
    {
        final int[] shares = new int[weights.length];
        int left = total;
        for (int i = 1; i < weights.length; i++)
        {
            shares[i] = (int)(total * weights[i]);
            left -= shares[i];
        }
        shares[0] = left;
        return shares;
    }

    /** Orders placed first. */
    int target(final int index)
    {
        return targets[index];
    }

    /** Timed commands. */
    int timed(final int index)
    {
        return timed[index];
    }

    private boolean isSpot(final int index)
    {
        return setup == ExchangeSetup.SPOT || setup == ExchangeSetup.MEDIUM && withinGroup(index) % 2 != 0;
    }

    private int withinGroup(final int index)
    {
        return index / setup.groups;
    }

    SymbolSpec spec(final int index)
    {
        final int ticks = PowerOfTwo.atLeast(targets[index] * TICKS_PER_ORDER);
        return new SymbolSpec(
            OrderFlow.SYMBOL + index,
            isSpot(index) ? SymbolType.SPOT : SymbolType.FUTURE,
            targets[index] + targets[index] / 4 + OVERSHOOT,
            Math.max(LEAST_TICKS, Math.min(ticks, SymbolSpec.MIN_DEFAULT_WINDOW_TICKS)),
            0,
            MAX_PRICE,
            0);
    }

    SymbolTerms terms(final int index)
    {
        final int currencies = setup.currenciesPerGroup;
        final int first = index % setup.groups * currencies + 1;
        // All ordered pairs, each as a future and as spot.
        final int pair = withinGroup(index) / 2 % (currencies * (currencies - 1));
        final int base = pair / (currencies - 1);
        final int other = pair % (currencies - 1);
        final int quote = other < base ? other : other + 1;
        final SymbolTerms terms = isSpot(index) ?
            SymbolTerms.spot(first + base, first + quote, BASE_SCALE, QUOTE_SCALE) :
            SymbolTerms.future(first + base, first + quote, MARGIN_BUY, MARGIN_SELL, MAX_POSITION);
        return terms.withFees(TAKER_FEE, MAKER_FEE);
    }
}

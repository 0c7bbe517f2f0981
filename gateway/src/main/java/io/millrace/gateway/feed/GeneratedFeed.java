package io.millrace.gateway.feed;

import io.millrace.gateway.BboEvent;
import io.millrace.gateway.Symbols;
import io.millrace.pool.Range;

import java.util.Locale;

/**
 * Quotes of some symbols whose prices walk at random; the same for the same seed. Allocates nothing.
 */
public final class GeneratedFeed implements BboFeed
{
    /** Greatest number of symbols: {@code S00000} to {@code S99999}. */
    public static final int MAX_SYMBOLS = 100_000;

    private static final int FIRST_PRICE = 1_500_000;
    private static final int TICK = 100;
    private static final int LOT = 100;

    private final long[] symbols;
    private final int[] bidPrices;
    private long remaining;
    private long state;

    /**
     * A feed.
     *
     * @param symbolCount number of symbols, 1 to 100,000.
     * @param count       number of events; {@link Long#MAX_VALUE}: without an end.
     * @param seed        any number.
     */
    public GeneratedFeed(final int symbolCount, final long count, final long seed)
    {
        Range.check("symbolCount", symbolCount, 1, MAX_SYMBOLS);
        if (count < 0)
        {
            throw new IllegalArgumentException("count " + count + " is below 0");
        }
        symbols = new long[symbolCount];
        bidPrices = new int[symbolCount];
        for (int i = 0; i < symbolCount; i++)
        {
            symbols[i] = Symbols.of(String.format(Locale.ROOT, "S%05d", i));
            bidPrices[i] = FIRST_PRICE;
        }
        remaining = count;
        state = seed;
    }

    /** {@inheritDoc} The spread is 1 to 16 cents, the shares 100 to 6,400; prices stay above 1 cent. */
    @Override
    public boolean next(final BboEvent into)
    {
        if (remaining == 0)
        {
            return false;
        }
        remaining--;
        final long random = random();
        final int i = (int)((random >>> 32) % symbols.length);
        bidPrices[i] = Math.max(TICK, bidPrices[i] + TICK * ((int)(random & 7) - 3));
        final long askPrice = bidPrices[i] + TICK * (1 + (random >>> 3 & 15));
        into.quote(symbols[i], bidPrices[i], LOT * (1 + (random >>> 7 & 63)),
            askPrice, LOT * (1 + (random >>> 13 & 63)));
        return true;
    }

    /** SplitMix64, by Steele, Lea and Flood (2014). */
    private long random()
    {
        state += 0x9E3779B97F4A7C15L;
        long z = state;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}

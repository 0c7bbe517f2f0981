package io.millrace.engine;

import io.millrace.engine.book.PriceBand;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.book.SymbolType;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.engine.risk.SymbolTerms;

import java.util.Random;

/** Random symbols, terms and limits in unusual combinations: tiny and huge ones, all within their ranges. */
final class RandomTerms
{
    private static final int CURRENCIES = 3;

    private final Random random;

    RandomTerms(final Random random)
    {
        this.random = random;
    }

    long one(final long... values)
    {
        return values[random.nextInt(values.length)];
    }

    private int few(final int few, final int usual)
    {
        return random.nextInt(3) == 0 ? 1 + random.nextInt(few) : usual;
    }

    RiskLimits limits()
    {
        return new RiskLimits(few(4, 16), few(8, 64), few(4, 64), few(3, 16), few(14, 1_000),
            random.nextInt(4) == 0 ? 1 + random.nextInt(40) : 0, 100);
    }

    SymbolSpec spec(final int symbol)
    {
        final boolean isSpot = random.nextInt(5) < 3;
        final long maxPrice = isSpot ? one(200, 400, 1L << 40, SymbolSpec.MAX_PRICE) : one(200, 1L << 20, 1L << 47);
        final SymbolSpec spec = (isSpot ? SymbolSpec.spot(symbol) : SymbolSpec.future(symbol))
            .withOrderCapacity(few(6, 64)).withWindowTicks(SymbolSpec.MIN_WINDOW_TICKS)
            .withPrices(random.nextInt(4) == 0 ? random.nextInt(102) : 0, maxPrice);
        final SymbolSpec plain = random.nextInt(5) == 0 ? spec.withMinAskPrice(random.nextInt(103)) : spec;
        final SymbolSpec banded = random.nextBoolean() ? plain : plain.withPriceBand(new PriceBand(
            PriceBand.Policy.values()[1 + random.nextInt(3)], 1 + random.nextInt(5),
            random.nextInt(3) == 0 ? PriceBand.NO_REFERENCE : 95 + random.nextInt(10)));
        return random.nextInt(4) == 0 ? banded.withMaxOrderSize(1 + random.nextInt(12)) : banded;
    }

    /** Terms for a symbol that may be refused: a spot symbol with one currency, or a fee above its prices. */
    SymbolTerms terms(final SymbolSpec spec)
    {
        final int base = random.nextInt(CURRENCIES);
        final int quote = random.nextInt(CURRENCIES);
        final long takerFee = one(0, 0, 5, 12, random.nextInt(400), SymbolTerms.MAX_FEE);
        final long makerFee = takerFee / one(1, 2, SymbolTerms.MAX_FEE + 1);
        if (spec.type() == SymbolType.SPOT)
        {
            return SymbolTerms.spot(base, quote, one(1, 7, 1L << 40, Long.MAX_VALUE), one(1, 3, 1L << 30, 1L << 61))
                .withFees(takerFee, makerFee);
        }
        final long buy = one(0, 30, 50, 1L << 30);
        final long sell = one(0, 25, 40, 1L << 30);
        final long most = SymbolTerms.MAX_EXPOSURE /
            Math.max(Math.max(spec.maxPrice(), takerFee), Math.max(buy, sell));
        return SymbolTerms.future(base, quote, buy, sell, Math.max(1, one(most, Math.min(most, 60))))
            .withFees(takerFee, makerFee);
    }
}

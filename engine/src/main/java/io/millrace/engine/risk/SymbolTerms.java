package io.millrace.engine.risk;

import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.book.SymbolType;
import io.millrace.engine.tables.Fnv;

/**
 * Terms of a symbol: its currencies, fees and margins. Immutable; any thread.
 * @param baseCurrency  currency of a lot; only a name for a future.
 * @param quoteCurrency currency of payments.
 * @param baseScaleK    units of the base currency per lot, 1 or more; ignored for a future.
 * @param quoteScaleK   units of the quote currency per price step of a lot, 1 or more; ignored for a future, where a
 *                      price step of a lot is one unit.
 * @param takerFee      fee of the incoming order, in units of the quote currency per lot, 0 to {@value #MAX_FEE}; for a
 *                      future, only for lots that open or enlarge a position.
 * @param makerFee      fee of the resting order, 0 to takerFee.
 * @param marginBuy     margin per lot bought, in units of the quote currency, 0 or more; 0 for a spot symbol.
 * @param marginSell    margin per lot sold, likewise.
 * @param maxPosition   greatest lots of a position including all its open orders of one side, 1 or more; 0 for a spot
 *                      symbol. Its product with the greatest of margins, fee and {@link SymbolSpec#maxPrice()} is at
 *                      most {@value #MAX_EXPOSURE}.
 */
public record SymbolTerms(
    int baseCurrency,
    int quoteCurrency,
    long baseScaleK,
    long quoteScaleK,
    long takerFee,
    long makerFee,
    long marginBuy,
    long marginSell,
    long maxPosition)
{
    /**
     * Greatest fee: far above the price of any lot, and small enough that the sum of a lot's fee and price is a long.
     * Fee times size may overflow; then the reserve also overflows, and the order is refused.
     */
    public static final long MAX_FEE = 1L << 40;

    /**
     * Greatest value of a position: 2^48. A position with its pending orders then stays below 2^50, and the positions
     * of a user in all {@link #MAX_SYMBOLS} symbols below 2^60.
     */
    public static final long MAX_EXPOSURE = 1L << 48;

    /** Greatest number of symbols of an engine with users. */
    public static final int MAX_SYMBOLS = 1_024;

    /**
     * Checks the values.
     * @throws IllegalArgumentException when a value is out of its range; the message names both.
     */
    public SymbolTerms
    {
        RiskLimits.check("baseScaleK", baseScaleK, 1, Long.MAX_VALUE);
        RiskLimits.check("quoteScaleK", quoteScaleK, 1, Long.MAX_VALUE);
        RiskLimits.check("takerFee", takerFee, 0, MAX_FEE);
        RiskLimits.check("makerFee", makerFee, 0, takerFee);
        RiskLimits.check("marginBuy", marginBuy, 0, MAX_EXPOSURE);
        RiskLimits.check("marginSell", marginSell, 0, MAX_EXPOSURE);
        RiskLimits.check("maxPosition", maxPosition, 0, MAX_EXPOSURE);
    }

    /**
     * Terms of a spot symbol without fees.
     * @param baseCurrency  currency of a lot.
     * @param quoteCurrency currency of payments; different from the base currency.
     * @param baseScaleK    units of the base currency per lot, 1 or more.
     * @param quoteScaleK   units of the quote currency per price step of a lot, 1 or more.
     * @return new terms.
     * @throws IllegalArgumentException when a value is out of range.
     */
    public static SymbolTerms spot(
        final int baseCurrency, final int quoteCurrency, final long baseScaleK, final long quoteScaleK)
    {
        return new SymbolTerms(baseCurrency, quoteCurrency, baseScaleK, quoteScaleK, 0, 0, 0, 0, 0);
    }

    /**
     * Terms of a future without fees.
     * @param baseCurrency  the underlying; only a name.
     * @param quoteCurrency currency of payments.
     * @param marginBuy     margin per lot bought, in units of the quote currency.
     * @param marginSell    margin per lot sold.
     * @param maxPosition   greatest lots of a position, 1 or more.
     * @return new terms.
     * @throws IllegalArgumentException when a value is out of range.
     */
    public static SymbolTerms future(
        final int baseCurrency,
        final int quoteCurrency,
        final long marginBuy,
        final long marginSell,
        final long maxPosition)
    {
        return new SymbolTerms(baseCurrency, quoteCurrency, 1, 1, 0, 0, marginBuy, marginSell, maxPosition);
    }

    /**
     * The same terms with fees.
     * @param taker fee of the incoming order per lot.
     * @param maker fee of the resting order per lot, at most the taker's.
     * @return new terms.
     * @throws IllegalArgumentException when a fee is out of range.
     */
    public SymbolTerms withFees(final long taker, final long maker)
    {
        return new SymbolTerms(
            baseCurrency, quoteCurrency, baseScaleK, quoteScaleK, taker, maker, marginBuy, marginSell, maxPosition);
    }

    /**
     * Finds the problem of these terms with a symbol.
     * @param spec the symbol.
     * @return null when there is none, otherwise the wrong value and its range.
     */
    public String problemWith(final SymbolSpec spec)
    {
        if (spec.type() == SymbolType.SPOT)
        {
            if (baseCurrency == quoteCurrency)
            {
                return "the currencies of a spot symbol are both " + baseCurrency;
            }
            if ((marginBuy | marginSell | maxPosition) != 0)
            {
                return "margins and maxPosition of a spot symbol are not 0";
            }
            return minAskPrice() > spec.maxPrice() ?
                "takerFee " + takerFee + " is more than the proceeds of a lot at maxPrice " + spec.maxPrice() : null;
        }
        final long most = MAX_EXPOSURE / greatestPerLot(spec);
        if (most == 0)
        {
            return "maxPrice " + spec.maxPrice() + " of a future with terms is not in 0.." + MAX_EXPOSURE +
                ": SymbolSpec.withPrices sets it";
        }
        return maxPosition >= 1 && maxPosition <= most ? null : "maxPosition " + maxPosition + " is not in 1.." + most +
            ", for maxPrice " + spec.maxPrice() + ", margins " + marginBuy + " and " + marginSell + ", takerFee " +
            takerFee;
    }

    private long greatestPerLot(final SymbolSpec spec)
    {
        return Math.max(1, Math.max(Math.max(spec.maxPrice(), takerFee), Math.max(marginBuy, marginSell)));
    }

    /**
     * Least price of an ask of a spot symbol: the proceeds of a lot pay the taker's fee.
     * @return price steps: takerFee / quoteScaleK, rounded up.
     */
    public long minAskPrice()
    {
        return takerFee / quoteScaleK + (takerFee % quoteScaleK == 0 ? 0 : 1);
    }

    /**
     * Adds all fields to a hash, in their order.
     * @param hash the hash of what is before them, see {@link Fnv}.
     * @return the new hash, not mixed.
     */
    public long addToHash(final long hash)
    {
        long sum = Fnv.add(Fnv.add(hash, baseCurrency), quoteCurrency);
        sum = Fnv.add(Fnv.add(sum, baseScaleK), quoteScaleK);
        sum = Fnv.add(Fnv.add(sum, takerFee), makerFee);
        sum = Fnv.add(Fnv.add(sum, marginBuy), marginSell);
        return Fnv.add(sum, maxPosition);
    }
}

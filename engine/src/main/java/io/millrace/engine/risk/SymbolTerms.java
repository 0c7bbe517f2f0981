package io.millrace.engine.risk;

import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.book.SymbolType;

/**
 * What a trade of a symbol costs and in which currencies, and what margin a position needs. Immutable; any thread.
 *
 * @param baseCurrency  what a lot is of; of a future only a name.
 * @param quoteCurrency what is paid.
 * @param baseScaleK    units of the base currency in a lot, 1 or more; of a future not looked at.
 * @param quoteScaleK   units of the quote currency in a price step of a lot, 1 or more; of a future not looked at: a
 *                      price step of a lot is a unit there.
 * @param takerFee      what the order that comes pays, in units of the quote currency for each lot, 0 to {@value
 *                      #MAX_FEE}; of a future only for lots that open or enlarge a position.
 * @param makerFee      what the order that rests pays, 0 to takerFee.
 * @param marginBuy     margin for each lot bought, in units of the quote currency, 0 or more; 0 for a spot symbol.
 * @param marginSell    margin for each lot sold, likewise.
 * @param maxPosition   lots that a position can have with all its open orders of one side, 1 or more; 0 for a spot
 *                      symbol. Times the greatest of margins, fee and {@link SymbolSpec#maxPrice()} it is at most
 *                      {@value #MAX_EXPOSURE}.
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
     * Greatest fee: far above the price of any lot, and small enough that a fee for a lot and its price add up. Times a
     * size it may be too much; then the reserve is too, and the order is refused.
     */
    public static final long MAX_FEE = 1L << 40;

    /**
     * Greatest value of a position: 2^48, so that with its pending orders it stays below 2^50, and those of all {@link
     * #MAX_SYMBOLS} symbols of a user below 2^60.
     */
    public static final long MAX_EXPOSURE = 1L << 48;

    /**
     * How many symbols an engine with risk can have.
     */
    public static final int MAX_SYMBOLS = 1_024;

    /**
     * Check the values.
     *
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
     *
     * @param baseCurrency  what a lot is of.
     * @param quoteCurrency what is paid; another one.
     * @param baseScaleK    units of the base currency in a lot, 1 or more.
     * @param quoteScaleK   units of the quote currency in a price step of a lot, 1 or more.
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
     *
     * @param baseCurrency  what it is about.
     * @param quoteCurrency what is paid.
     * @param marginBuy     margin for each lot bought, in units of the quote currency.
     * @param marginSell    margin for each lot sold.
     * @param maxPosition   lots that a position can have, 1 or more.
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
     * The same with fees.
     *
     * @param taker what the order that comes pays for each lot.
     * @param maker what the order that rests pays for each lot, at most as much.
     * @return new terms.
     * @throws IllegalArgumentException when a fee is out of range.
     */
    public SymbolTerms withFees(final long taker, final long maker)
    {
        return new SymbolTerms(
            baseCurrency, quoteCurrency, baseScaleK, quoteScaleK, taker, maker, marginBuy, marginSell, maxPosition);
    }

    /**
     * Say what is wrong with these terms for a symbol.
     *
     * @param spec the symbol.
     * @return null when nothing is, otherwise the value and its range.
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
                "takerFee " + takerFee + " is more than a lot at maxPrice " + spec.maxPrice() + " pays" : null;
        }
        final long most = MAX_EXPOSURE / greatestPerLot(spec);
        return maxPosition >= 1 && maxPosition <= most ? null : "maxPosition " + maxPosition + " is not in 1.." + most +
            ", for maxPrice " + spec.maxPrice() + ", margins " + marginBuy + " and " + marginSell + ", takerFee " +
            takerFee;
    }

    private long greatestPerLot(final SymbolSpec spec)
    {
        return Math.max(1, Math.max(Math.max(spec.maxPrice(), takerFee), Math.max(marginBuy, marginSell)));
    }

    /**
     * The least price of an ask of a spot symbol: what a lot is sold for pays the taker's fee.
     *
     * @return price steps: takerFee / quoteScaleK, rounded up.
     */
    public long minAskPrice()
    {
        return takerFee / quoteScaleK + (takerFee % quoteScaleK == 0 ? 0 : 1);
    }
}

package io.millrace.exchange;

import io.millrace.engine.book.SymbolSpec;
import io.millrace.exchange.core.ExchangeCommand;
import io.millrace.gateway.Symbols;
import io.millrace.pool.Range;

/**
 * A symbol of the engine under the name, the price unit and the size unit of other protocols. Immutable; any thread.
 *
 * @param spec         its limits; the book of the engine has the same. Its symbol is not -1.
 * @param stock        name of the stock, 1 to 8 printable ASCII characters.
 * @param priceUnits   a price step in 1/10,000 of the currency, the unit of ITCH and OUCH; 1 to {@value #MAX_FIELD}.
 * @param sharesPerLot shares of a lot, 1 to {@value #MAX_FIELD}.
 */
public record Listing(SymbolSpec spec, String stock, long priceUnits, long sharesPerLot)
{
    /** Greatest price and greatest number of shares of an ITCH message, and of both units: 32 bits. */
    public static final long MAX_FIELD = 0xFFFF_FFFFL;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if a value is out of its range; the message names both.
     */
    public Listing
    {
        if (spec.symbol() == ExchangeCommand.ALL_SYMBOLS)
        {
            throw new IllegalArgumentException("symbol " + spec.symbol() + " means all symbols");
        }
        Symbols.of(stock);
        Range.check("priceUnits", priceUnits, 1, MAX_FIELD);
        Range.check("sharesPerLot", sharesPerLot, 1, MAX_FIELD);
    }

    /**
     * A price step is 1/10,000, a lot is a share.
     *
     * @param spec  limits of the book.
     * @param stock name of the stock, 1 to 8 printable ASCII characters.
     */
    public Listing(final SymbolSpec spec, final String stock)
    {
        this(spec, stock, 1, 1);
    }
}

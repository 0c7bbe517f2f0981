package io.millrace.gateway.bbo;

import io.millrace.gateway.Symbols;

/**
 * What each format checks of a quote.
 */
final class Quotes
{
    private Quotes()
    {
    }

    /**
     * Whether the fields can be those of a quote: the symbol is one, no price is negative as a signed number (the
     * exchange's prices end at 200,000 dollars), and the spread fits. Senders do not agree on the spread of a crossed
     * or one-sided book; there it is not checked.
     */
    static boolean isPossible(final long symbol, final int bidPrice, final int askPrice, final int spread)
    {
        return Symbols.isValid(symbol) && (bidPrice | askPrice) >= 0 &&
            (spread == askPrice - bidPrice || bidPrice == 0 || askPrice == 0 || bidPrice > askPrice);
    }
}

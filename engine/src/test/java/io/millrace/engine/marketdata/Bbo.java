package io.millrace.engine.marketdata;

import io.millrace.engine.book.MarketByOrderBook;
import io.millrace.engine.book.Side;

/** Best bid and offer: price and volume of each side, -1 and 0 for an empty one. */
record Bbo(long askPrice, long askVolume, long bidPrice, long bidVolume)
{
    static final Bbo NONE = new Bbo(-1, 0, -1, 0);

    static Bbo of(final MarketByOrderBook book)
    {
        return new Bbo(book.bestPrice(Side.ASK), book.bestVolume(Side.ASK),
            book.bestPrice(Side.BID), book.bestVolume(Side.BID));
    }

    /** Locked counts as crossed. */
    boolean isCrossed()
    {
        return askPrice != -1 && bidPrice >= askPrice;
    }
}

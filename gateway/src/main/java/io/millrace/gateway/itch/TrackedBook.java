package io.millrace.gateway.itch;

import io.millrace.gateway.BboEvent;

/** A book, and its best bid and offer as they were last seen. One thread. */
final class TrackedBook
{
    final ItchBook book;
    final long symbol;
    private long bidPrice;
    private long bidShares;
    private long askPrice;
    private long askShares;

    TrackedBook(final ItchBook book, final long symbol)
    {
        this.book = book;
        this.symbol = symbol;
    }

    /** Looks at the book; true if its best bid or offer is another one than before. */
    boolean hasChanged()
    {
        final long newBidPrice = book.bidPrice();
        final long newBidShares = book.bidShares();
        final long newAskPrice = book.askPrice();
        final long newAskShares = book.askShares();
        if (((newBidPrice ^ bidPrice) | (newBidShares ^ bidShares) | (newAskPrice ^ askPrice) |
            (newAskShares ^ askShares)) == 0)
        {
            return false;
        }
        bidPrice = newBidPrice;
        bidShares = newBidShares;
        askPrice = newAskPrice;
        askShares = newAskShares;
        return true;
    }

    /** Whether it had a best bid or offer when it was last seen. */
    boolean hasQuote()
    {
        return (bidPrice | bidShares | askPrice | askShares) != 0;
    }

    /** Its orders are gone with their session. */
    void endQuote()
    {
        bidPrice = 0;
        bidShares = 0;
        askPrice = 0;
        askShares = 0;
    }

    /** As last seen; a locked book counts as crossed. */
    boolean isCrossed()
    {
        return askShares != 0 && bidShares != 0 && bidPrice >= askPrice;
    }

    /** Shares beyond 32 bits are cut: the event has no more. */
    void copyTo(final BboEvent event)
    {
        event.quote(symbol, bidPrice, Math.min(bidShares, BboEvent.MAX_VALUE),
            askPrice, Math.min(askShares, BboEvent.MAX_VALUE));
    }
}

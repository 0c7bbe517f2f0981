package io.millrace.examples;

import io.millrace.engine.tables.Fnv;
import io.millrace.itchbook.BacktestItchBook;

/**
 * The strategy of {@link BacktestItch}: joins the best bid and the best ask with 100 shares, and each tenth time also
 * takes 100 shares. Counts its fills. Allocates nothing.
 */
final class JoiningStrategy implements BacktestItchBook.Fills
{
    private static final long SHARES = 100;
    private static final int QUOTES_PER_TAKE = 10;

    long orders;
    long sharesAhead;
    long makerShares;
    long takerShares;
    long position;
    /** Dollars x 10,000. */
    long cash;
    private long quotes;
    private long fillHash = Fnv.OFFSET;
    private long lastBid = -1;
    private long lastAsk = -1;

    void quote(final BacktestItchBook book)
    {
        final long bid = book.bidPrice();
        final long ask = book.askPrice();
        if (bid == 0 || ask == 0)
        {
            return;
        }
        // False if they are filled.
        book.cancelSimulated(lastBid);
        book.cancelSimulated(lastAsk);
        if (++quotes % QUOTES_PER_TAKE == 0)
        {
            final boolean buys = quotes / QUOTES_PER_TAKE % 2 == 0;
            book.simulate(orders++, buys, buys ? ask : bid, SHARES, false);
        }
        lastBid = orders++;
        lastAsk = orders++;
        book.simulate(lastBid, true, bid, SHARES, true);
        book.simulate(lastAsk, false, ask, SHARES, true);
        sharesAhead += Math.max(0, book.volumeAhead(lastBid)) + Math.max(0, book.volumeAhead(lastAsk));
    }

    @Override
    public void onFill(final long id, final boolean isBid, final long price, final long shares, final boolean isMaker)
    {
        position += isBid ? shares : -shares;
        cash += isBid ? -price * shares : price * shares;
        makerShares += isMaker ? shares : 0;
        takerShares += isMaker ? 0 : shares;
        fillHash = Fnv.add(Fnv.add(Fnv.add(fillHash, id), price), isBid ? shares : -shares);
    }

    /** A number over all fills in their order. */
    long fillHash()
    {
        return fillHash;
    }
}

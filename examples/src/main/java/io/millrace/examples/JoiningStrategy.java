package io.millrace.examples;

import io.millrace.engine.tables.Fnv;
import io.millrace.itchbook.BacktestItchBook;

import java.io.PrintStream;
import java.util.Locale;

/**
 * The strategy of {@link Backtest}: joins the best bid and the best ask with 100 shares, and each tenth time also
 * takes 100 shares. Counts its fills. Allocates nothing while it trades.
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

    void print(final PrintStream out, final long hash)
    {
        out.printf(Locale.ROOT, "%,d simulated orders: %,d shares filled as maker, %,d as taker%n",
            orders, makerShares, takerShares);
        out.printf(Locale.ROOT, "%,d shares ahead of all quotes, position %,d, cash %,.2f dollars%n",
            sharesAhead, position, cash / 10_000.0);
        out.printf(Locale.ROOT, "hash %016x%n", hash);
    }

    /** A number over all fills in their order. */
    long fillHash()
    {
        return fillHash;
    }
}

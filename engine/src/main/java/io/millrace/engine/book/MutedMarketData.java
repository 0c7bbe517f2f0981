package io.millrace.engine.book;

/** Stops the messages of market data during a replay: they are only numbered. */
public final class MutedMarketData
{
    private MutedMarketData()
    {
    }

    /**
     * Stops or resumes the messages of a book's market data. Call on the book's thread, between two commands.
     *
     * @param book  the book; without market data, nothing happens.
     * @param muted whether its listener is not called.
     */
    public static void mute(final OrderBook book, final boolean muted)
    {
        book.checkCommand();
        final MarketDataFeed feed = book.orders().feed;
        if (feed != null)
        {
            feed.mute(muted);
        }
    }
}

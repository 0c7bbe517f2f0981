package io.millrace.engine.book;

/** A listener that does nothing, for a replay: the messages are only numbered. Stateless; any thread. */
public final class MutedMarketData implements MarketDataListener
{
    static final MarketDataListener INSTANCE = new MutedMarketData();

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

    @Override
    public void onOrderAdded(
        final int symbol, final long sequence, final byte side, final long orderId, final long price, final long size)
    {
        // Muted.
    }

    @Override
    public void onOrderReduced(
        final int symbol, final long sequence, final byte side, final long orderId, final long price, final long size)
    {
        // Muted.
    }

    @Override
    public void onOrderRemoved(
        final int symbol, final long sequence, final byte side, final long orderId, final long price)
    {
        // Muted.
    }

    @Override
    public void onLevelChanged(
        final int symbol, final long sequence, final byte side, final long price, final long volume, final int orders)
    {
        // Muted.
    }
}

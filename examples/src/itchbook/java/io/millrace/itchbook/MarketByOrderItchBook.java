package io.millrace.itchbook;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.MarketByOrderBook;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.gateway.itch.ItchBook;

/**
 * The engine's book as the gateway wants it; examples and benchmarks compile it. Its price steps are cents, so that
 * its window is wide: an order whose
 * price has a part of a cent is refused.
 */
public final class MarketByOrderItchBook implements ItchBook
{
    /** A cent. */
    private static final int STEP = 100;

    private final MarketByOrderBook book;

    /**
     * An empty book with the engine's default window.
     *
     * @param stockLocate number of the stock.
     * @param orders      greatest number of resting orders.
     */
    public MarketByOrderItchBook(final int stockLocate, final int orders)
    {
        this(SymbolSpec.future(stockLocate).withOrderCapacity(orders));
    }

    /**
     * An empty book.
     *
     * @param stockLocate number of the stock.
     * @param orders      greatest number of resting orders.
     * @param windowTicks cents around the best price that are found without a search, a power of two.
     */
    public MarketByOrderItchBook(final int stockLocate, final int orders, final int windowTicks)
    {
        this(SymbolSpec.future(stockLocate).withOrderCapacity(orders).withWindowTicks(windowTicks));
    }

    private MarketByOrderItchBook(final SymbolSpec spec)
    {
        book = new MarketByOrderBook(spec);
    }

    /**
     * The engine's book.
     *
     * @return always the same object.
     */
    public MarketByOrderBook book()
    {
        return book;
    }

    @Override
    public boolean add(final long reference, final boolean isBid, final long price, final long shares)
    {
        final long step = price / STEP;
        return step * STEP == price &&
            book.add(reference, isBid ? Side.BID : Side.ASK, step, shares) == CommandResult.SUCCESS;
    }

    @Override
    public boolean execute(final long reference, final long shares)
    {
        return book.execute(reference, shares) == CommandResult.SUCCESS;
    }

    @Override
    public boolean cancel(final long reference, final long shares)
    {
        return book.reduce(reference, shares) == CommandResult.SUCCESS;
    }

    @Override
    public boolean delete(final long reference)
    {
        return book.cancel(reference) == CommandResult.SUCCESS;
    }

    @Override
    public boolean replace(final long reference, final long newReference, final long price, final long shares)
    {
        final long step = price / STEP;
        return step * STEP == price &&
            book.replace(reference, newReference, step, shares) == CommandResult.SUCCESS;
    }

    @Override
    public long bidPrice()
    {
        return Math.max(0, book.bestPrice(Side.BID)) * STEP;
    }

    @Override
    public long bidShares()
    {
        return book.bestVolume(Side.BID);
    }

    @Override
    public long askPrice()
    {
        return Math.max(0, book.bestPrice(Side.ASK)) * STEP;
    }

    @Override
    public long askShares()
    {
        return book.bestVolume(Side.ASK);
    }
}

package io.millrace.engine;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.OrderConsumer;
import io.millrace.engine.book.Side;
import io.millrace.engine.risk.UserReportConsumer;

/**
 * Reads orders of a book without allocating: all orders of a user for a report, or a single order. Used by the engine's
 * thread only.
 */
final class OrderReader implements OrderConsumer
{
    private long wantedUid;
    private int symbol;
    private UserReportConsumer consumer;
    private byte lastSide;
    private long lastSize;
    private long lastReserve;

    /** Reports a user's orders of a book. */
    void report(final OrderBook book, final long uid, final UserReportConsumer reader)
    {
        wantedUid = uid;
        symbol = book.spec().symbol();
        consumer = reader;
        book.forEachOrder(Side.BID, this);
        book.forEachOrder(Side.ASK, this);
        book.forEachStop(this);
        consumer = null;
    }

    /** Reserves the growth of an order, if it grows. */
    CommandResult reserveGrowth(final TradedSymbol traded, final int user, final long orderId, final long newSize)
    {
        traded.book.withOrder(orderId, this);
        return newSize <= lastSize ? CommandResult.SUCCESS :
            traded.risk.reserveMore(user, lastSide, newSize - lastSize, lastReserve);
    }

    @Override
    public void onOrder(
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final long filled,
        final long reservePrice)
    {
        lastSide = side;
        lastSize = size;
        lastReserve = reservePrice;
    }

    @Override
    public void onOpenOrder(
        final long orderId,
        final long uid,
        final byte type,
        final byte side,
        final byte selfTrade,
        final long price,
        final long size,
        final long filled,
        final long reservePrice,
        final long parameter)
    {
        onOrder(orderId, uid, side, price, size, filled, reservePrice);
        if (consumer != null && uid == wantedUid)
        {
            consumer.onOrder(
                symbol, orderId, type, side, selfTrade, price, size, filled, reservePrice, parameter);
        }
    }
}

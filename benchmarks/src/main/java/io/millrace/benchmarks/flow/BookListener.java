package io.millrace.benchmarks.flow;

import io.millrace.engine.book.ExecutionListener;

/**
 * Listens to a book and does nothing. Subclasses override what they need, with the few fields that benchmarks use.
 */
public abstract class BookListener implements ExecutionListener
{
    /**
     * Two orders traded.
     *
     * @param makerId the resting order.
     * @param takerId the incoming order.
     * @param price   of the trade.
     * @param size    of the trade.
     */
    protected void trade(final long makerId, final long takerId, final long price, final long size)
    {
    }

    /**
     * An instant order, or a part of it, was rejected.
     *
     * @param orderId the order.
     * @param size    of the part.
     */
    protected void reject(final long orderId, final long size)
    {
    }

    /**
     * An order was cancelled or made smaller.
     *
     * @param orderId the order.
     * @param size    by which it is smaller.
     */
    protected void reduce(final long orderId, final long size)
    {
    }

    @Override
    public void onTrade(
        final int symbol,
        final long makerOrderId,
        final long makerUid,
        final boolean makerCompleted,
        final long takerOrderId,
        final long takerUid,
        final byte takerSide,
        final boolean takerCompleted,
        final long price,
        final long size,
        final long bidReservePrice)
    {
        trade(makerOrderId, takerOrderId, price, size);
    }

    @Override
    public void onReject(
        final int symbol,
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final long reservePrice)
    {
        reject(orderId, size);
    }

    @Override
    public void onReduce(
        final int symbol,
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final boolean completed,
        final long reservePrice)
    {
        reduce(orderId, size);
    }
}

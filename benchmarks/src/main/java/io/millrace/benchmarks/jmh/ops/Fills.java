package io.millrace.benchmarks.jmh.ops;

import io.millrace.engine.book.ExecutionListener;

/**
 * Sums up what a book tells. One thread.
 */
class Fills implements ExecutionListener
{
    long trades;
    long volume;
    long orderIds;
    long reduces;
    long reduced;
    long rejects;

    void clear()
    {
        trades = 0;
        volume = 0;
        orderIds = 0;
        reduces = 0;
        reduced = 0;
        rejects = 0;
    }

    @Override
    public void onTrade(
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
        trades++;
        volume += size;
        orderIds += makerOrderId;
    }

    @Override
    public void onReject(
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final long reservePrice)
    {
        rejects++;
    }

    @Override
    public void onReduce(
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final boolean completed,
        final long reservePrice)
    {
        reduces++;
        reduced += size;
        orderIds += orderId;
    }
}

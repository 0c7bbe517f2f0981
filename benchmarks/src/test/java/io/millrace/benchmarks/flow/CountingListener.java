package io.millrace.benchmarks.flow;

import io.millrace.engine.book.ExecutionListener;

/** Counts the reports of a book. */
final class CountingListener implements ExecutionListener
{
    long trades;
    long rejects;
    long reduces;
    long volume;

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
        trades++;
        volume += size;
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
        rejects++;
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
        reduces++;
    }

    @Override
    public String toString()
    {
        return trades + " trades of " + volume + " lots, " + rejects + " rejects, " + reduces + " reduces";
    }
}

package io.millrace.benchmarks.jmh.ops;

import io.millrace.benchmarks.flow.BookListener;

/**
 * Sums up the reports of a book. One thread.
 */
class Fills extends BookListener
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
    protected void trade(
        final long makerOrderId,
        final boolean makerCompleted,
        final long takerOrderId,
        final long price,
        final long size)
    {
        trades++;
        volume += size;
        orderIds += makerOrderId;
    }

    @Override
    protected void reject(final long orderId, final long size)
    {
        rejects++;
    }

    @Override
    protected void reduce(final long orderId, final long size)
    {
        reduces++;
        reduced += size;
        orderIds += orderId;
    }
}

package io.millrace.benchmarks.flow;

/** Counts the reports of a book. */
final class CountingListener extends BookListener
{
    long trades;
    long rejects;
    long reduces;
    long volume;

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
    }

    @Override
    public String toString()
    {
        return trades + " trades of " + volume + " lots, " + rejects + " rejects, " + reduces + " reduces";
    }
}

package io.millrace.benchmarks.flow;

/**
 * Sums up the reports of a book. One thread.
 */
public class Fills extends BookListener
{
    public long trades;
    public long volume;
    public long orderIds;
    public long reduces;
    public long reduced;
    public long rejects;

    /** Begins again. */
    public void clear()
    {
        trades = 0;
        volume = 0;
        orderIds = 0;
        reduces = 0;
        reduced = 0;
        rejects = 0;
    }

    @Override
    protected void trade(final long makerId, final long takerId, final long price, final long size)
    {
        trades++;
        volume += size;
        orderIds += makerId;
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

    @Override
    public String toString()
    {
        return trades + " trades of " + volume + " lots, " + rejects + " rejects, " + reduces + " reduces";
    }
}

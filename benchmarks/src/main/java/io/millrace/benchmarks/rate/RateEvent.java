package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.pool.BasePoolAware;

/**
 * The pooled event of the report: 96 bytes (32 of the pool's, two ints, seven longs), a line and a half.
 * An order command with its times does not fit into one line, and a benchmark of less than that would flatter us.
 * <p>
 * Owned by one thread at a time, like every pooled event.
 */
public final class RateEvent extends BasePoolAware implements RateMessage
{
    private int seq;
    private int word;
    private long intendedNs;
    private long sentNs;
    private long orderId;
    private long uid;
    private long price;
    private long size;
    private long reserveBidPrice;

    @Override
    public long intendedNs()
    {
        return intendedNs;
    }

    @Override
    public long sentNs()
    {
        return sentNs;
    }

    @Override
    public int seq()
    {
        return seq;
    }

    @Override
    public int word()
    {
        return word;
    }

    @Override
    public long orderId()
    {
        return orderId;
    }

    @Override
    public long uid()
    {
        return uid;
    }

    @Override
    public long price()
    {
        return price;
    }

    @Override
    public long size()
    {
        return size;
    }

    @Override
    public long reserveBidPrice()
    {
        return reserveBidPrice;
    }

    @Override
    public void stamp(final long intendedNs, final long sentNs)
    {
        this.intendedNs = intendedNs;
        this.sentNs = sentNs;
    }

    @Override
    public void fill(final CommandColumns commands, final int index)
    {
        seq = commands.seq(index);
        word = commands.word(index);
        orderId = commands.orderId(index);
        uid = commands.uid(index);
        price = commands.price(index);
        size = commands.size(index);
        reserveBidPrice = commands.reserveBidPrice(index);
    }
}

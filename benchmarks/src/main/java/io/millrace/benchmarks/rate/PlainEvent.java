package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.flow.CommandColumns;

/**
 * The event of the raw baseline: the same fields in an object that knows of no pool, 80 bytes.
 * Written by the source, read by the handler in alternation.
 */
public final class PlainEvent implements RateMessage
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

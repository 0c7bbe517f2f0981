package io.millrace.benchmarks.rate;

import io.millrace.engine.book.ExecutionListener;

/**
 * FNV-1a, 64 bits, over executions: for each five little-endian longs, the command's place in the recording, the kind
 * (TRADE 0, REJECT 1, REDUCE 2), the maker's order id (0 unless TRADE), price and size. The recordings' summaries have
 * it of the books that they were made with. One thread.
 */
public final class EventHash implements ExecutionListener
{
    private static final long OFFSET_BASIS = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;
    private static final int TRADE = 0;
    private static final int REJECT = 1;
    private static final int REDUCE = 2;

    private long hash = OFFSET_BASIS;
    private int seq;

    /**
     * The command that the next executions belong to.
     *
     * @param newSeq its place in the recording.
     */
    public void command(final int newSeq)
    {
        seq = newSeq;
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
        add(TRADE, makerOrderId, price, size);
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
        add(REJECT, 0, price, size);
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
        add(REDUCE, 0, price, size);
    }

    private void add(final int kind, final long makerOrderId, final long price, final long size)
    {
        add(seq);
        add(kind);
        add(makerOrderId);
        add(price);
        add(size);
    }

    private void add(final long value)
    {
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE)
        {
            hash = (hash ^ value >>> shift & 0xff) * PRIME;
        }
    }

    /**
     * The hash so far.
     *
     * @return 16 hexadecimal digits.
     */
    public String text()
    {
        return String.format("%016x", hash);
    }
}

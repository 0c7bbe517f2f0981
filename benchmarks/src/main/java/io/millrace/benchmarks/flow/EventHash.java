package io.millrace.benchmarks.flow;

import io.millrace.engine.book.ExecutionListener;

/**
 * A number over the events of a run, in their order: equal numbers mean that two books did the same. Listens to our
 * book, and takes the events of others. One thread; allocates nothing.
 * <p>
 * Either FNV-1a over the bytes of five little-endian longs an event, as the recordings are judged and as it is at
 * first; or, in timed rounds, the same step over whole longs: an eighth of the work, since byte for byte it would cost
 * a fifth of a fast book.
 */
public final class EventHash implements ExecutionListener
{
    /**
     * Type of a trade.
     */
    public static final int TRADE = 0;

    /**
     * Type of a rejection.
     */
    public static final int REJECT = 1;

    /**
     * Type of a reduction.
     */
    public static final int REDUCE = 2;

    /**
     * The hash of nothing.
     */
    public static final long START = 0xCBF29CE484222325L;

    private static final long PRIME = 0x100000001B3L;

    private boolean byBytes = true;
    private long hash = START;
    private long events;
    private long seq;

    /**
     * Begin a run.
     *
     * @param bytewise true for FNV-1a over bytes, false for the quick form.
     */
    public void reset(final boolean bytewise)
    {
        byBytes = bytewise;
        hash = START;
        events = 0;
    }

    /**
     * Say which command the next events belong to.
     *
     * @param newSeq its place in the recording.
     */
    public void command(final long newSeq)
    {
        seq = newSeq;
    }

    /**
     * Add an event of the current command.
     *
     * @param type         {@link #TRADE}, {@link #REJECT} or {@link #REDUCE}.
     * @param makerOrderId the order that rested, 0 unless it is a trade.
     * @param price        in price steps.
     * @param size         in lots.
     */
    public void event(final int type, final long makerOrderId, final long price, final long size)
    {
        events++;
        hash = byBytes ?
            bytes(bytes(bytes(bytes(bytes(hash, seq), type), makerOrderId), price), size) :
            word(word(word(word(word(hash, seq), type), makerOrderId), price), size);
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
        event(TRADE, makerOrderId, price, size);
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
        event(REJECT, 0, price, size);
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
        event(REDUCE, 0, price, size);
    }

    /** The hash over the events so far. */
    public long hash()
    {
        return hash;
    }

    /** Number of events. */
    public long events()
    {
        return events;
    }

    /**
     * One step over a whole long.
     *
     * @param before the hash so far.
     * @param value  the added value.
     * @return the new hash.
     */
    public static long word(final long before, final long value)
    {
        return (before ^ value) * PRIME;
    }

    private static long bytes(final long before, final long value)
    {
        long after = before;
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE)
        {
            after = word(after, value >>> shift & 0xFF);
        }
        return after;
    }
}

package io.millrace.engine.book;

/** Counts executions and hashes all that they say, without allocating. */
final class EventCounter implements ExecutionListener
{
    private static final long FNV_PRIME = 0x100000001b3L;

    long trades;
    long volume;
    long rejects;
    long rejected;
    long reduces;
    long completed;
    long triggers;
    long selfTrades;
    long hash = 0xcbf29ce484222325L;

    void clear()
    {
        trades = 0;
        volume = 0;
        rejects = 0;
        rejected = 0;
        reduces = 0;
        completed = 0;
        triggers = 0;
        selfTrades = 0;
    }

    boolean isSilent()
    {
        return (trades | rejects | reduces | triggers) == 0;
    }

    private void add(final long value)
    {
        hash = (hash ^ value) * FNV_PRIME;
        hash ^= hash >>> 29;
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
        selfTrades += makerUid == takerUid ? 1 : 0;
        add(makerOrderId);
        add(makerUid);
        add(makerCompleted ? 1 : 2);
        add(takerOrderId);
        add(takerUid);
        add(takerSide);
        add(takerCompleted ? 1 : 2);
        add(price);
        add(size);
        add(bidReservePrice);
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
        rejected += size;
        add(orderId);
        add(uid);
        add(side);
        add(price);
        add(size);
        add(reservePrice);
    }

    @Override
    public void onReduce(
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final boolean isCompleted,
        final long reservePrice)
    {
        reduces++;
        completed += isCompleted ? 1 : 0;
        add(orderId);
        add(uid);
        add(side);
        add(price);
        add(size);
        add(isCompleted ? 1 : 2);
        add(reservePrice);
    }

    @Override
    public void onTrigger(
        final long orderId, final long uid, final byte side, final long stopPrice, final long reservePrice)
    {
        triggers++;
        add(orderId);
        add(uid);
        add(side);
        add(stopPrice);
        add(reservePrice);
    }
}

package io.millrace.engine.book;

/** Counts and adds up, so that every argument is looked at. */
final class CountingListener implements ExecutionListener, OrderConsumer, PriceLevelConsumer
{
    long trades;
    long rejects;
    long reduces;
    long told;
    long sum;

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
        sum += makerOrderId + makerUid + takerOrderId + takerUid + takerSide + price + size + bidReservePrice;
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
        sum += orderId + uid + side + price + size + reservePrice;
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
        sum += orderId + uid + side + price + size + reservePrice;
    }

    @Override
    public void onOrder(
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final long filled,
        final long reservePrice)
    {
        told++;
        sum += orderId + uid + side + price + size + filled + reservePrice;
    }

    @Override
    public void onLevel(final byte side, final long price, final long volume, final int orders)
    {
        told++;
        sum += side + price + volume + orders;
    }
}

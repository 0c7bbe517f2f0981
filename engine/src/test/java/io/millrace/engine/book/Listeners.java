package io.millrace.engine.book;

/** Tells two listeners, then somebody who wants to look at the book. */
record Listeners(ExecutionListener first, ExecutionListener second, Runnable look) implements ExecutionListener
{
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
        first.onTrade(makerOrderId, makerUid, makerCompleted, takerOrderId, takerUid, takerSide, takerCompleted, price,
            size, bidReservePrice);
        second.onTrade(makerOrderId, makerUid, makerCompleted, takerOrderId, takerUid, takerSide, takerCompleted, price,
            size, bidReservePrice);
        look.run();
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
        first.onReject(orderId, uid, side, price, size, reservePrice);
        second.onReject(orderId, uid, side, price, size, reservePrice);
        look.run();
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
        first.onReduce(orderId, uid, side, price, size, completed, reservePrice);
        second.onReduce(orderId, uid, side, price, size, completed, reservePrice);
        look.run();
    }

    @Override
    public void onTrigger(
        final long orderId, final long uid, final byte side, final long stopPrice, final long reservePrice)
    {
        first.onTrigger(orderId, uid, side, stopPrice, reservePrice);
        second.onTrigger(orderId, uid, side, stopPrice, reservePrice);
        look.run();
    }
}

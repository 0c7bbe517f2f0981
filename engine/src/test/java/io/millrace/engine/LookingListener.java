package io.millrace.engine;

import io.millrace.engine.book.ExecutionListener;

/** Runs something whenever it is told anything. */
final class LookingListener implements ExecutionListener
{
    private final Runnable look;

    LookingListener(final Runnable look)
    {
        this.look = look;
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
        look.run();
    }

    @Override
    public void onTrigger(
        final long orderId, final long uid, final byte side, final long stopPrice, final long reservePrice)
    {
        look.run();
    }
}

package io.millrace.engine;

import io.millrace.engine.book.ExecutionListener;

/** Ignores all executions, and knows whether there were any. */
public final class SilentListener implements ExecutionListener
{
    private boolean isTold;

    boolean isSilent()
    {
        return !isTold;
    }

    void tell()
    {
        isTold = true;
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
        tell();
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
        tell();
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
        tell();
    }

    @Override
    public void onTrigger(
        final long orderId, final long uid, final byte side, final long stopPrice, final long reservePrice)
    {
        tell();
    }
}

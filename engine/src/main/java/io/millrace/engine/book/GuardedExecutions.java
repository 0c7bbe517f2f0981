package io.millrace.engine.book;

/**
 * Wraps an execution listener in checked mode, so that its guard notices each call. One thread.
 */
final class GuardedExecutions implements ExecutionListener
{
    private final ListenerGuard guard;
    private final ExecutionListener listener;

    GuardedExecutions(final ListenerGuard guard, final ExecutionListener listener)
    {
        this.guard = guard;
        this.listener = listener;
    }

    @Override
    public void onTrade(
        final long tradeId,
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
        ListenerGuard.enter(guard);
        try
        {
            listener.onTrade(tradeId, symbol, makerOrderId, makerUid, makerCompleted, takerOrderId, takerUid,
                takerSide, takerCompleted, price, size, bidReservePrice);
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    @Override
    public void onReject(
        final byte reason,
        final int symbol,
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final long reservePrice)
    {
        ListenerGuard.enter(guard);
        try
        {
            listener.onReject(reason, symbol, orderId, uid, side, price, size, reservePrice);
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    @Override
    public void onReduce(
        final byte reason,
        final int symbol,
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final boolean completed,
        final long reservePrice)
    {
        ListenerGuard.enter(guard);
        try
        {
            listener.onReduce(reason, symbol, orderId, uid, side, price, size, completed, reservePrice);
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    @Override
    public void onTrigger(
        final int symbol,
        final long orderId,
        final long uid,
        final byte side,
        final long stopPrice,
        final long reservePrice)
    {
        ListenerGuard.enter(guard);
        try
        {
            listener.onTrigger(symbol, orderId, uid, side, stopPrice, reservePrice);
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    @Override
    public boolean isAccountable()
    {
        return listener.isAccountable();
    }
}

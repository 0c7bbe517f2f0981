package io.millrace.engine.book;

/**
 * Wraps a market data listener in checked mode, so that its guard notices each call. One thread.
 */
final class GuardedMarketData implements MarketDataListener
{
    private final ListenerGuard guard;
    private final MarketDataListener listener;

    GuardedMarketData(final ListenerGuard guard, final MarketDataListener listener)
    {
        this.guard = guard;
        this.listener = listener;
    }

    @Override
    public boolean readsOrders()
    {
        return listener.readsOrders();
    }

    @Override
    public boolean readsLevels()
    {
        return listener.readsLevels();
    }

    @Override
    public void onOrderAdded(
        final int symbol, final long sequence, final byte side, final long orderId, final long price, final long size)
    {
        ListenerGuard.enter(guard);
        try
        {
            listener.onOrderAdded(symbol, sequence, side, orderId, price, size);
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    @Override
    public void onOrderReduced(
        final int symbol, final long sequence, final byte side, final long orderId, final long price, final long size)
    {
        ListenerGuard.enter(guard);
        try
        {
            listener.onOrderReduced(symbol, sequence, side, orderId, price, size);
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    @Override
    public void onOrderRemoved(
        final int symbol, final long sequence, final byte side, final long orderId, final long price)
    {
        ListenerGuard.enter(guard);
        try
        {
            listener.onOrderRemoved(symbol, sequence, side, orderId, price);
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    @Override
    public void onLevelChanged(
        final int symbol, final long sequence, final byte side, final long price, final long volume, final int orders)
    {
        ListenerGuard.enter(guard);
        try
        {
            listener.onLevelChanged(symbol, sequence, side, price, volume, orders);
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    @Override
    public void onTrade(
        final int symbol,
        final long sequence,
        final long tradeId,
        final byte takerSide,
        final long makerOrderId,
        final long price,
        final long size)
    {
        ListenerGuard.enter(guard);
        try
        {
            listener.onTrade(symbol, sequence, tradeId, takerSide, makerOrderId, price, size);
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    @Override
    public void onStatus(final int symbol, final long sequence, final byte status)
    {
        ListenerGuard.enter(guard);
        try
        {
            listener.onStatus(symbol, sequence, status);
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }
}

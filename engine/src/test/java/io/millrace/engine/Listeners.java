package io.millrace.engine;

import io.millrace.engine.book.ExecutionListener;

/** Calls two listeners, then runs an action, for each execution. */
public record Listeners(ExecutionListener first, ExecutionListener second, Runnable action) implements ExecutionListener
{
    /** The action alone. */
    public Listeners(final Runnable action)
    {
        this(new EventCounter(), new EventCounter(), action);
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
        first.onTrade(tradeId, symbol, makerOrderId, makerUid, makerCompleted, takerOrderId, takerUid, takerSide,
            takerCompleted, price, size, bidReservePrice);
        second.onTrade(tradeId, symbol, makerOrderId, makerUid, makerCompleted, takerOrderId, takerUid, takerSide,
            takerCompleted, price, size, bidReservePrice);
        action.run();
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
        first.onReject(reason, symbol, orderId, uid, side, price, size, reservePrice);
        second.onReject(reason, symbol, orderId, uid, side, price, size, reservePrice);
        action.run();
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
        first.onReduce(reason, symbol, orderId, uid, side, price, size, completed, reservePrice);
        second.onReduce(reason, symbol, orderId, uid, side, price, size, completed, reservePrice);
        action.run();
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
        first.onTrigger(symbol, orderId, uid, side, stopPrice, reservePrice);
        second.onTrigger(symbol, orderId, uid, side, stopPrice, reservePrice);
        action.run();
    }
}

package io.millrace.engine.service;

import io.millrace.engine.book.ExecutionListener;

/**
 * The one listener of an engine that several publishers speak for, one at a time. Passed on together with the engine:
 * plain fields, for whoever has its turn.
 */
final class PassedExecutions implements ExecutionListener
{
    private ExecutionPublisher publisher;

    /** The executions that follow are for this one. */
    void to(final ExecutionPublisher newPublisher)
    {
        publisher = newPublisher;
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
        publisher.onTrade(makerOrderId, makerUid, makerCompleted, takerOrderId, takerUid, takerSide, takerCompleted,
            price, size, bidReservePrice);
    }

    @Override
    public void onReject(
        final long orderId, final long uid, final byte side, final long price, final long size, final long reservePrice)
    {
        publisher.onReject(orderId, uid, side, price, size, reservePrice);
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
        publisher.onReduce(orderId, uid, side, price, size, completed, reservePrice);
    }

    @Override
    public void onTrigger(
        final long orderId, final long uid, final byte side, final long stopPrice, final long reservePrice)
    {
        publisher.onTrigger(orderId, uid, side, stopPrice, reservePrice);
    }
}

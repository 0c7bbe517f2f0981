package io.millrace.engine.risk;

import io.millrace.engine.book.ExecutionListener;

/** Records the reports of the books of {@link ReferenceRisk}, and passes on the reports about money. */
record ReferenceEvents(ReferenceRisk risk, RecordedEvents record) implements ExecutionListener
{
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
        record.onTrade(symbol, makerOrderId, makerUid, makerCompleted, takerOrderId, takerUid, takerSide,
            takerCompleted, price, size, bidReservePrice);
        risk.onTrade(symbol, makerOrderId, makerUid, takerOrderId, takerUid, takerSide, price, size);
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
        record.onReject(symbol, orderId, uid, side, price, size, reservePrice);
        risk.onLeave(symbol, orderId, uid, size);
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
        record.onReduce(symbol, orderId, uid, side, price, size, completed, reservePrice);
        risk.onLeave(symbol, orderId, uid, size);
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
        record.onTrigger(symbol, orderId, uid, side, stopPrice, reservePrice);
    }
}

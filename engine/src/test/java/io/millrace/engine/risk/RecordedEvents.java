package io.millrace.engine.risk;

import io.millrace.engine.book.ExecutionListener;

import java.util.List;

/** Records executions as text. */
record RecordedEvents(List<String> texts) implements ExecutionListener
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
        texts.add("trade " + makerOrderId + " of " + makerUid + (makerCompleted ? " filled, " : ", ") + takerOrderId +
            " of " + takerUid + (takerCompleted ? " filled, side " : ", side ") + takerSide + ", " + size + "@" +
            price + " reserve " + bidReservePrice + " in " + symbol);
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
        texts.add("reject " + orderId + " of " + uid + ", side " + side + ", " + size + "@" + price + " reserve " +
            reservePrice + " in " + symbol);
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
        texts.add("reduce " + orderId + " of " + uid + ", side " + side + ", " + size + "@" + price +
            (completed ? " gone" : "") + " reserve " + reservePrice + " in " + symbol);
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
        texts.add("trigger " + orderId + " of " + uid + ", side " + side + ", stop " + stopPrice + " reserve " +
            reservePrice + " in " + symbol);
    }
}

package io.millrace.engine;

import io.millrace.engine.book.ExecutionListener;
import io.millrace.engine.book.ExecutionReason;

/** An execution as a value. Only a trade has a maker; the price of a trigger is its stop price. */
public record Execution(
    Kind kind, byte reason, int symbol, long orderId, long uid, byte side, boolean completed, long makerOrderId,
    long makerUid, boolean makerCompleted, long price, long size, long reservePrice)
{
    /** The calls of a listener. */
    public enum Kind
    {
        TRADE, REJECT, REDUCE, TRIGGER
    }

    /** Receives each execution as a value. */
    public interface Listener extends ExecutionListener
    {
        /** Called for each. */
        void onExecution(Execution execution);

        @Override
        default void onTrade(
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
            onExecution(new Execution(Kind.TRADE, ExecutionReason.NONE, symbol, takerOrderId, takerUid, takerSide,
                takerCompleted, makerOrderId, makerUid, makerCompleted, price, size, bidReservePrice));
        }

        @Override
        default void onReject(
            final byte reason,
            final int symbol,
            final long orderId,
            final long uid,
            final byte side,
            final long price,
            final long size,
            final long reservePrice)
        {
            onExecution(new Execution(
                Kind.REJECT, reason, symbol, orderId, uid, side, true, 0, 0, false, price, size, reservePrice));
        }

        @Override
        default void onReduce(
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
            onExecution(new Execution(
                Kind.REDUCE, reason, symbol, orderId, uid, side, completed, 0, 0, false, price, size, reservePrice));
        }

        @Override
        default void onTrigger(
            final int symbol,
            final long orderId,
            final long uid,
            final byte side,
            final long stopPrice,
            final long reservePrice)
        {
            onExecution(new Execution(Kind.TRIGGER, ExecutionReason.NONE, symbol, orderId, uid, side, false, 0, 0,
                false, stopPrice, 0, reservePrice));
        }
    }
}

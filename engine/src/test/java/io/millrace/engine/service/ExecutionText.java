package io.millrace.engine.service;

import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.Side;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** An execution in a line of text. Refuses an event with a field that has no meaning for its kind. */
final class ExecutionText
{
    private ExecutionText()
    {
    }

    /**
     * For instance {@code 5: TRADE 3@100 BID 2/20+ of 1/10- reserve 105} or {@code 5: RESULT 2/20 SUCCESS 1}: + is
     * completed, - is not; the sequence of the command stands in front.
     */
    static String of(final ExecutionEvent event)
    {
        final String start = event.commandSequence() + ": " + ExecutionKind.name(event.kind()) + " ";
        if (event.kind() != ExecutionKind.RESULT)
        {
            assertZero(event, event.resultCode());
            assertEquals(false, event.hasMore(), event::toString);
        }
        if (event.kind() != ExecutionKind.TRADE)
        {
            assertEquals(false, event.isMakerCompleted(), event::toString);
        }
        return start + (event.kind() <= ExecutionKind.TRIGGER ? execution(event) : row(event));
    }

    private static String execution(final ExecutionEvent event)
    {
        final String order = event.orderId() + "/" + event.uid();
        if (event.kind() == ExecutionKind.RESULT)
        {
            assertZero(event, event.makerUid() | event.tradeId() | event.reason());
            assertEquals(false, event.isCompleted(), event::toString);
            assertEquals(true, event.openSize() > 0 || event.makerOrderId() == 0, event::toString);
            if (!event.hasMore())
            {
                assertZero(event, event.price() | event.side());
            }
            return order + " " + event.result() + " " + event.executionCount() +
                (event.levelSequence() == 0 ? "" : " levels up to " + event.levelSequence()) +
                (!event.hasMore() ? "" : " more from " + Side.name(event.side()) + " " + event.next() +
                (event.levelsReported() == 0 ? "" : " after " + event.levelsReported()));
        }
        assertZero(event, event.count());
        assertEquals(event.kind() == ExecutionKind.TRADE, event.tradeId() > 0, event::toString);
        assertEquals(event.kind() == ExecutionKind.REDUCE, event.reason() > 0 &&
            event.kind() != ExecutionKind.REJECT, event::toString);
        final String what = event.size() + "@" + event.price() + " " + Side.name(event.side()) + " " + order +
            (event.isCompleted() ? "+" : "-");
        final String reserve = " reserve " + event.bidReservePrice();
        if (event.kind() == ExecutionKind.TRADE)
        {
            return what + " of " + event.makerOrderId() + "/" + event.makerUid() +
                (event.isMakerCompleted() ? "+" : "-") + reserve;
        }
        assertZero(event, event.makerOrderId() | event.makerUid());
        return what + reserve;
    }

    private static String row(final ExecutionEvent event)
    {
        assertEquals(false, event.isCompleted(), event::toString);
        final String side = Side.name(event.side());
        switch (event.kind())
        {
            case ExecutionKind.LEVEL:
                assertZero(event, event.orderId() | event.uid() | event.makerOrderId() | event.makerUid() |
                    event.bidReservePrice());
                return side + " " + event.volume() + "@" + event.price() + " of " + event.orderCount() + " orders";
            case ExecutionKind.ACCOUNT:
                assertZero(event, event.orderId() | event.side() | event.makerOrderId() | event.makerUid() |
                    event.price() | event.count());
                return "of " + event.uid() + " in " + event.currency() + ": " + event.balance() + " and reserved " +
                    event.reserved();
            case ExecutionKind.POSITION:
                assertZero(event, event.orderId() | event.count());
                return "of " + event.uid() + " in " + event.symbol() + ": " + side + " " + event.openVolume() +
                    " for " + event.openPriceSum() + ", profit " + event.profit() + ", pending -" +
                    event.pendingSell() + " +" + event.pendingBuy();
            case ExecutionKind.ORDER:
                return "in " + event.symbol() + ": " + event.size() + "@" + event.price() + " " + side + " " +
                    event.orderId() + "/" + event.uid() + " filled " + event.filled() + " reserve " +
                    event.bidReservePrice() + (event.count() == 0 ? "" : " " + OrderType.name(event.orderType()) +
                    " " + event.parameter() + " " + SelfTradePolicy.name(event.selfTradePolicy()));
            case ExecutionKind.HASH:
                assertZero(event, event.orderId() | event.uid() | event.side() | event.makerOrderId() |
                    event.makerUid() | event.price() | event.bidReservePrice() | event.count());
                return "" + event.stateHash();
            case ExecutionKind.TOTAL:
                assertZero(event, event.uid() | event.side() | event.makerUid() | event.count());
                return "in " + event.currency() + ": balances " + event.balances() + " reserved " + event.reserves() +
                    " cash " + event.cash() + " fees " + event.fees() + " adjusted " + event.adjusted();
            case ExecutionKind.OPEN_INTEREST:
                assertZero(event, event.orderId() | event.uid() | event.side() | event.makerOrderId() |
                    event.makerUid() | event.price() | event.count());
                return "in " + event.symbol() + ": " + event.longs() + " and " + event.shorts();
            default:
                throw new AssertionError(event);
        }
    }

    private static void assertZero(final ExecutionEvent event, final long fields)
    {
        assertEquals(0, fields, event::toString);
    }
}

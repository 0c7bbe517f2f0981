package io.millrace.engine.service;

import io.millrace.engine.book.Side;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** An execution in a line of text. Refuses an event of which a field is set that means nothing for its kind. */
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
        final String order = event.orderId() + "/" + event.uid();
        final String start = event.commandSequence() + ": " + ExecutionKind.name(event.kind()) + " ";
        if (event.kind() == ExecutionKind.RESULT)
        {
            assertNoMaker(event);
            assertEquals(0, event.price() | event.size() | event.bidReservePrice() | event.side(), event::toString);
            assertEquals(false, event.isCompleted(), event::toString);
            return start + order + " " + event.result() + " " + event.executionCount();
        }
        assertEquals(0, event.executionCount() | event.resultCode(), event::toString);
        final String what = start + event.size() + "@" + event.price() + " " + Side.name(event.side()) + " " + order +
            (event.isCompleted() ? "+" : "-");
        final String reserve = " reserve " + event.bidReservePrice();
        if (event.kind() == ExecutionKind.TRADE)
        {
            return what + " of " + event.makerOrderId() + "/" + event.makerUid() +
                (event.isMakerCompleted() ? "+" : "-") + reserve;
        }
        assertNoMaker(event);
        return what + reserve;
    }

    private static void assertNoMaker(final ExecutionEvent event)
    {
        assertEquals(0, event.makerOrderId() | event.makerUid(), event::toString);
        assertEquals(false, event.isMakerCompleted(), event::toString);
    }
}

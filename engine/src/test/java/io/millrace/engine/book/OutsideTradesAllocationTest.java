package io.millrace.engine.book;

import io.millrace.testing.Allocations;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** 0 bytes for trades with orders outside of the book, for their refusals, and for looks at a queue. */
@Tag("normal")
class OutsideTradesAllocationTest
{
    private static final int ORDERS = 16;
    private static final long UID = 7;

    private final BookCommand command = new BookCommand();
    private final OrderBook book = new OrderBook(SymbolSpec.future(1).withOrderCapacity(ORDERS), new ExecutionListener()
    {
    });
    private final OrderVisitor visitor = (id, uid, visible, open) -> see(id, open);
    private long seen;

    private boolean see(final long id, final long open)
    {
        seen += open;
        return id != ORDERS / 2;
    }

    private static void expect(final CommandResult expected, final CommandResult result)
    {
        if (expected != result)
        {
            throw new AssertionError(result);
        }
    }

    private void round()
    {
        for (int id = 0; id < ORDERS; id++)
        {
            expect(CommandResult.SUCCESS, book.execute(command.place(OrderType.GTC, Side.BID).orderId(id).uid(UID)
                .price(100).size(5).reservePrice(100)));
        }
        for (int id = ORDERS - 1; id >= 0; id--)
        {
            seen += book.volumeAhead(id);
            book.visitOrders(Side.BID, 100, visitor);
            expect(CommandResult.SUCCESS, book.executeMaker(id, UID, 1, 2, 2));
            expect(CommandResult.WRONG_SIZE, book.executeMaker(id, UID, 1, 2, 4));
            expect(CommandResult.SUCCESS, book.executeMaker(id, UID, 1, 2, 3));
            expect(CommandResult.UNKNOWN_ORDER, book.executeMaker(id, UID, 1, 2, 3));
        }
    }

    @Test
    void shouldAllocateNothing()
    {
        Allocations.shouldBeNone(() ->
        {
            for (int i = 0; i < 20_000; i++)
            {
                round();
            }
        });
        assertTrue(seen > 0);
    }
}

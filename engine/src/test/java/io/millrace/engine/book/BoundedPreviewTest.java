package io.millrace.engine.book;

import io.millrace.engine.EventCounter;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Bounds the cost of a rejected all-or-nothing order: it inspects orders, not each part of each iceberg. With
 * 20,000,000 parts to inspect for each of 800 commands the test would take hours; the deadline ends a test that hangs.
 */
class BoundedPreviewTest
{
    private static final int ICEBERGS = 20_000;
    private static final int SIZE = OrderType.MAX_SLICES;
    private static final long TAKER = 8;
    private static final long PRICE = 100;

    private final EventCounter events = new EventCounter();
    private final OrderBook book = new OrderBook(SymbolSpec.future(1), events);

    private void place(final byte type, final byte policy, final long price, final long size)
    {
        assertEquals(CommandResult.SUCCESS,
            book.execute(new BookCommand().place(type, Side.BID).selfTradePolicy(policy).orderId(ICEBERGS + 1)
                .uid(TAKER).price(price).size(size).reservePrice(PRICE)));
    }

    @Test
    @Timeout(120)
    void shouldNotInspectEachPartOfAnIceberg()
    {
        for (int i = 0; i < ICEBERGS; i++)
        {
            assertEquals(CommandResult.SUCCESS, book.execute(new BookCommand().place(OrderType.ICEBERG, Side.ASK)
                .orderId(i).uid(7).price(PRICE).size(SIZE).parameter(1)));
        }
        final long all = (long)ICEBERGS * SIZE;
        long expected = 0;
        for (int i = 0; i < 50; i++)
        {
            for (byte policy = SelfTradePolicy.CANCEL_NEWEST; policy <= SelfTradePolicy.DECREMENT; policy++)
            {
                place(OrderType.FOK, policy, PRICE, all + 1);
                place(OrderType.FOK_BUDGET, policy, all * PRICE - 1, all);
                place(OrderType.FOK, policy, PRICE - 1, 1);
                place(OrderType.IOC_BUDGET, policy, PRICE - 1, all);
                expected += all + 1 + all + 1 + all;
            }
        }
        assertEquals(expected, events.rejected);
        assertEquals(ICEBERGS, book.orderCount());
    }

    @Test
    @Timeout(120)
    void shouldEndThePreviewAtAnOrderOfItsOwnUser()
    {
        for (int i = 0; i < ICEBERGS; i++)
        {
            assertEquals(CommandResult.SUCCESS, book.execute(new BookCommand().place(OrderType.ICEBERG, Side.ASK)
                .orderId(i).uid(i == 0 ? TAKER : 7).price(PRICE).size(SIZE).parameter(1)));
        }
        final long all = (long)ICEBERGS * SIZE;
        for (int i = 0; i < 200; i++)
        {
            place(OrderType.FOK, SelfTradePolicy.DECREMENT, PRICE, all);
            place(OrderType.FOK, SelfTradePolicy.CANCEL_OLDEST, PRICE, all - SIZE + 1);
        }
        assertEquals(200 * (all + all - SIZE + 1), events.rejected);
        assertEquals(ICEBERGS, book.orderCount());
    }
}

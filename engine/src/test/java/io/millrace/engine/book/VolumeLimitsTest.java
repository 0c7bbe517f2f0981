package io.millrace.engine.book;

import io.millrace.engine.EventCounter;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** M2: Orders of the greatest size at the greatest price: no sum and no product in the book overflows. */
class VolumeLimitsTest
{
    private static final long UID = 7;
    private static final long MAX = SymbolSpec.MAX_PRICE;

    private final EventCounter events = new EventCounter();

    private OrderBook book(final int capacity)
    {
        return new OrderBook(SymbolSpec.future(1).withOrderCapacity(capacity).withWindowTicks(64), events);
    }

    private static void place(
        final OrderBook book,
        final byte type,
        final byte side,
        final long id,
        final long price,
        final long size,
        final long parameter)
    {
        assertEquals(CommandResult.SUCCESS,
            book.execute(new BookCommand().place(type, side).orderId(id).uid(UID).price(price).size(size)
                .reservePrice(price).parameter(parameter)));
    }

    @Test
    void shouldKeepTheVolumeOfAFullLevelWithinALong()
    {
        for (final int capacity : new int[]{1, 2, 3, 7, 1_000, 32_768})
        {
            final OrderBook book = book(capacity);
            final long most = book.spec().maxSize();
            assertTrue(most >= 1 && most <= Long.MAX_VALUE / capacity);
            for (int id = 0; id < capacity; id++)
            {
                place(book, OrderType.GTC, Side.ASK, id, MAX, most, 0);
            }
            assertEquals(most * capacity, book.volumeAt(Side.ASK, MAX));
            assertTrue(book.volumeAt(Side.ASK, MAX) > 0);
            assertEquals(CommandResult.BOOK_FULL, book.execute(new BookCommand().place(OrderType.GTC, Side.ASK)
                .orderId(-1).uid(UID).price(MAX).size(1).reservePrice(MAX)));
            book.verify();
            events.clear();
            for (int taken = 0; taken < capacity; taken++)
            {
                place(book, OrderType.MARKET, Side.BID, -1, 0, most, 0);
            }
            assertEquals(most * capacity, events.volume);
            assertEquals(0, book.orderCount());
            place(book, OrderType.MARKET, Side.BID, -1, 0, most, 0);
            assertEquals(most, events.rejected);
            book.verify();
        }
    }

    @Test
    void shouldKeepHiddenVolumeWithinALong()
    {
        final int capacity = 5;
        final OrderBook book = book(capacity);
        final long most = book.spec().maxSize();
        final long shown = most / OrderType.MAX_SLICES + 1;
        for (int id = 0; id < capacity; id++)
        {
            place(book, OrderType.ICEBERG, Side.BID, id, 1, most, shown);
        }
        assertEquals(shown * capacity, book.volumeAt(Side.BID, 1));
        book.verify();
        for (final byte type : new byte[]{OrderType.FOK, OrderType.IOC, OrderType.MARKET, OrderType.GTC})
        {
            events.clear();
            place(book, type, Side.ASK, -1, 1, most, 0);
            assertEquals(most, events.volume);
            book.verify();
        }
        events.clear();
        place(book, OrderType.IOC, Side.ASK, -1, 1, most - 1, 0);
        place(book, OrderType.IOC, Side.ASK, -1, 1, most, 0);
        assertEquals(most, events.volume, "one lot was left");
        assertEquals(most - 1, events.rejected);
        book.verify();
    }

    @Test
    void shouldCompareEveryProductWithABudgetExactly()
    {
        final OrderBook book = book(1);
        assertEquals(Long.MAX_VALUE, book.spec().maxSize());
        for (final long size : new long[]{2, 3, 1L << 32, Long.MAX_VALUE})
        {
            place(book, OrderType.GTC, Side.ASK, 1, MAX, size, 0);
            for (final byte type : new byte[]{OrderType.FOK_BUDGET, OrderType.IOC_BUDGET})
            {
                events.clear();
                place(book, type, Side.BID, 2, Long.MAX_VALUE, size, 0);
                place(book, type, Side.BID, 2, Long.MAX_VALUE, 2, 0);
                assertEquals(0, events.trades, "costs more than a long");
                assertEquals(2, events.rejects);
                place(book, type, Side.BID, 2, MAX - 1, 1, 0);
                assertEquals(0, events.trades, "costs one more than the budget");
            }
            place(book, OrderType.FOK_BUDGET, Side.BID, 2, MAX, 1, 0);
            assertEquals(1, events.volume);
            assertEquals(CommandResult.SUCCESS, book.cancel(1, UID));
            place(book, OrderType.GTC, Side.BID, 1, MAX, size, 0);
            events.clear();
            place(book, OrderType.FOK_BUDGET, Side.ASK, 2, Long.MAX_VALUE, 1, 0);
            assertEquals(0, events.trades, "yields one less than the budget");
            place(book, OrderType.FOK_BUDGET, Side.ASK, 2, Long.MAX_VALUE, 2, 0);
            assertEquals(2, events.volume);
            book.cancel(1, UID);
        }
    }

    @Test
    void shouldSumTheFillsOfABudgetWithoutOverflow()
    {
        final OrderBook book = book(4);
        final long half = 1L << 62;
        place(book, OrderType.GTC, Side.ASK, 1, half, 1, 0);
        place(book, OrderType.GTC, Side.ASK, 2, half, 1, 0);
        place(book, OrderType.IOC_BUDGET, Side.BID, 3, Long.MAX_VALUE, 2, 0);
        assertEquals(1, events.volume, "two of them are one more than a long");
        assertEquals(1, events.rejected);
        place(book, OrderType.GTC, Side.ASK, 1, half - 1, 1, 0);
        place(book, OrderType.IOC_BUDGET, Side.BID, 3, Long.MAX_VALUE, 2, 0);
        assertEquals(3, events.volume);
        book.verify();
    }

    @Test
    void shouldReplaceUpToTheGreatestSize()
    {
        final OrderBook book = book(2);
        final long most = book.spec().maxSize();
        place(book, OrderType.GTC, Side.ASK, 1, MAX, 1, 0);
        place(book, OrderType.GTC, Side.ASK, 2, MAX, most, 0);
        assertEquals(CommandResult.WRONG_SIZE, book.replace(1, UID, MAX, most + 1));
        assertEquals(CommandResult.SUCCESS, book.replace(1, UID, MAX, most));
        assertEquals(2 * most, book.volumeAt(Side.ASK, MAX));
        book.verify();
    }

    /** A total of more than a long is not cut to the greatest size. */
    @Test
    void shouldReplaceTheOpenSizeUpToTheGreatestSize()
    {
        final OrderBook book = book(1);
        place(book, OrderType.GTC, Side.ASK, 1, MAX, 2, 0);
        place(book, OrderType.MARKET, Side.BID, 2, 0, 1, 0);
        assertEquals(CommandResult.WRONG_SIZE, book.replaceOpen(1, UID, MAX, Long.MAX_VALUE));
        assertEquals(1, book.openSize(1));
        assertEquals(CommandResult.SUCCESS, book.replaceOpen(1, UID, MAX, Long.MAX_VALUE - 1));
        assertEquals(Long.MAX_VALUE - 1, book.openSize(1));
        book.verify();
    }

    @Test
    void shouldTriggerAtTheEndsOfTheRange()
    {
        final OrderBook book = book(8);
        place(book, OrderType.STOP, Side.BID, 1, 0, 1, MAX);
        place(book, OrderType.STOP, Side.ASK, 2, 0, 1, 0);
        place(book, OrderType.GTC, Side.ASK, 3, MAX - 1, 1, 0);
        place(book, OrderType.GTC, Side.BID, 4, MAX - 1, 1, 0);
        assertEquals(0, events.triggers);
        place(book, OrderType.GTC, Side.ASK, 3, MAX, 1, 0);
        place(book, OrderType.GTC, Side.BID, 4, MAX, 1, 0);
        assertEquals(1, events.triggers);
        place(book, OrderType.GTC, Side.ASK, 3, 0, 1, 0);
        place(book, OrderType.GTC, Side.BID, 4, 0, 1, 0);
        assertEquals(2, events.triggers);
        assertEquals(0, book.orderCount());
    }
}

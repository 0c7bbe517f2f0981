package io.millrace.engine.book;

import io.millrace.engine.EventCounter;

import io.millrace.testing.Allocations;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Arrays;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * M7: As many orders as the capacity allows, each on its own distant level: the next one is refused, the others still
 * move, cancel and match, and nothing is allocated.
 */
class ManyLevelsTest
{
    private static final long UID = 7;
    private static final long CENTRE = 1L << 40;
    /** Wider than a window, so that nearly all levels are sparse levels. */
    private static final long STRIDE = 977;

    private final BookCommand command = new BookCommand();
    private final EventCounter events = new EventCounter();
    private OrderBook book;
    private int orders;

    private static void expect(final CommandResult expected, final CommandResult result)
    {
        if (expected != result)
        {
            throw new AssertionError("expected " + expected + ", was " + result);
        }
    }

    private static byte side(final int id)
    {
        return (byte)(id & 1);
    }

    private static long price(final int id)
    {
        return side(id) == Side.BID ? CENTRE - 1 - id / 2 * STRIDE : CENTRE + id / 2 * STRIDE;
    }

    private void fill()
    {
        for (int i = 0; i < orders; i++)
        {
            // All over the book, each price once: the factor has no divisor in common with the powers of ten.
            final int id = (int)(i * 7_919L % orders);
            expect(CommandResult.SUCCESS, book.execute(command.place(OrderType.GTC, side(id)).orderId(id)
                .uid(UID).price(price(id)).size(5)));
        }
    }

    private void refuseMore()
    {
        for (int i = 0; i < 1_000; i++)
        {
            final long price = CENTRE + i * STRIDE + 3;
            expect(CommandResult.BOOK_FULL, book.execute(command.place(OrderType.GTC, Side.ASK).orderId(-1)
                .uid(UID).price(price).size(5)));
            expect(CommandResult.BOOK_FULL, book.execute(command.place(OrderType.POST_ONLY, Side.ASK)
                .orderId(-1).uid(UID).price(price).size(5)));
            expect(CommandResult.BOOK_FULL, book.execute(command.place(OrderType.STOP, Side.ASK).orderId(-1)
                .uid(UID).size(5).parameter(3)));
            expect(CommandResult.BOOK_FULL, book.execute(command.place(OrderType.ICEBERG, Side.BID)
                .orderId(-1).uid(UID).price(CENTRE - 2).size(5).parameter(3)));
            expect(CommandResult.BOOK_FULL, book.execute(command.place(OrderType.GTD, Side.BID).orderId(-1)
                .uid(UID).price(CENTRE - 2).size(5).parameter(3)));
        }
    }

    private void useFull()
    {
        for (int id = 0; id < orders; id += 100)
        {
            expect(CommandResult.SUCCESS, book.reduce(id, UID, 1));
            expect(CommandResult.SUCCESS, book.replace(id, UID, price(id), 3));
            expect(CommandResult.SUCCESS, book.move(id, UID, price(id) + (side(id) == Side.BID ? -1 : 1)));
            expect(CommandResult.SUCCESS, book.cancel(id, UID));
            expect(CommandResult.SUCCESS, book.execute(command.place(OrderType.GTC, side(id)).orderId(id)
                .uid(UID).price(price(id)).size(5)));
        }
        for (int i = 0; i < 100; i++)
        {
            expect(CommandResult.SUCCESS, book.execute(command.place(OrderType.IOC, Side.BID).orderId(-1)
                .uid(UID).price(CENTRE).size(1)));
            expect(CommandResult.SUCCESS, book.cancel(1, UID));
            expect(CommandResult.SUCCESS, book.execute(command.place(OrderType.GTC, Side.ASK).orderId(1)
                .uid(UID).price(CENTRE).size(5)));
        }
    }

    private void empty()
    {
        expect(CommandResult.SUCCESS, book.execute(command.place(OrderType.MARKET, Side.BID).orderId(-1)
            .uid(UID).size(orders / 4 * 5L)));
        for (int id = 0; id < orders; id++)
        {
            book.cancel((int)(id * 104_729L % orders), UID);
        }
    }

    private void run()
    {
        fill();
        refuseMore();
        useFull();
        empty();
    }

    private void shouldWorkWithALevelForEachOf(final int count)
    {
        orders = count;
        book = new OrderBook(SymbolSpec.future(1).withOrderCapacity(count).withWindowTicks(64), events);
        fill();
        book.verify();
        assertEquals(count / 2, book.levelCount(Side.BID));
        assertEquals(count / 2, book.levelCount(Side.ASK));
        assertEquals(CENTRE, book.bestPrice(Side.ASK));
        final long hash = book.stateHash();
        events.clear();
        refuseMore();
        assertTrue(events.isSilent());
        assertEquals(hash, book.stateHash());
        book.cancel(1, UID);
        book.execute(command.place(OrderType.GTC, Side.ASK).orderId(1).uid(UID).price(CENTRE).size(5));
        assertEquals(hash, book.stateHash());
        empty();
        assertEquals(0, book.orderCount());
        book.verify();
        events.clear();
        Allocations.shouldBeNone(this::run);
        assertEquals(0, book.orderCount());
        assertTrue(events.trades >= count / 4);
        book.verify();
    }

    @Test
    void shouldWorkWithALevelForEachOfAHundredThousandOrders()
    {
        shouldWorkWithALevelForEachOf(100_000);
    }

    @Test
    @Tag("faults")
    void shouldWorkWithALevelForEachOfAMillionOrders()
    {
        shouldWorkWithALevelForEachOf(1_000_000);
    }

    /** Prints figures only, because the time depends on the machine. */
    @Test
    @Tag("faults")
    void shouldMeasureACancelWithFewOrdersManyOrdersAndManyLevels()
    {
        for (int round = 1; round <= 3; round++)
        {
            final String few = cancelTimes(1_000, 64, STRIDE);
            final String dense = cancelTimes(1_000_000, SymbolSpec.MAX_WINDOW_TICKS, 0);
            final String sparse = cancelTimes(1_000_000, 64, STRIDE);
            System.out.printf("round %d: CANCEL, ns: 1,000 orders on as many levels %s; 1,000,000 orders on 1,000 " +
                "levels %s; on 1,000,000 levels %s%n", round, few, dense, sparse);
        }
    }

    /** With a stride of 0 there are a thousand neighbouring prices. */
    private String cancelTimes(final int count, final int window, final long stride)
    {
        orders = count;
        book = new OrderBook(SymbolSpec.future(1).withOrderCapacity(count).withWindowTicks(window), events);
        for (int i = 0; i < orders; i++)
        {
            placeAt((int)(i * 7_919L % orders), stride);
        }
        final long[] times = new long[100_000];
        for (int i = 0; i < times.length; i++)
        {
            final int id = (int)(i * 104_729L % orders);
            final long from = System.nanoTime();
            expect(CommandResult.SUCCESS, book.cancel(id, UID));
            times[i] = System.nanoTime() - from;
            placeAt(id, stride);
        }
        Arrays.sort(times);
        return "p50 " + times[times.length / 2] + " p99 " + times[times.length / 100 * 99];
    }

    private void placeAt(final int id, final long stride)
    {
        final long away = id / 2 % 500;
        final long price = stride > 0 ? price(id) : side(id) == Side.BID ? CENTRE - 1 - away : CENTRE + away;
        expect(CommandResult.SUCCESS, book.execute(command.place(OrderType.GTC, side(id)).orderId(id).uid(UID)
            .price(price).size(5)));
    }
}

package io.millrace.engine.book;

import io.millrace.engine.EventCounter;

import io.millrace.testing.Allocations;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Locale;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * M8: One command that affects a hundred thousand orders: it is executed completely, the stack does not grow with the
 * orders, and nothing is allocated.
 */
class GreatCommandsTest
{
    private static final int ORDERS = 100_000;
    private static final int STOPS = 10_000;
    private static final long UID = 7;
    private static final long OTHER = 8;
    private static final long ALL = ORDERS * 5L;

    private final BookCommand command = new BookCommand();
    private final EventCounter events = new EventCounter();
    private final OrderBook book =
        new OrderBook(SymbolSpec.future(1).withOrderCapacity(ORDERS).withWindowTicks(1_024), events);

    private static void expect(final CommandResult result)
    {
        if (result != CommandResult.SUCCESS)
        {
            throw new AssertionError(result);
        }
    }

    private void place(
        final byte type, final byte side, final long id, final long price, final long size, final long parameter)
    {
        expect(book.execute(command.place(type, side).orderId(id).uid(UID).price(price).size(size)
            .reservePrice(price).parameter(parameter)));
    }

    private void fill(final byte type, final int levels)
    {
        for (int id = 0; id < ORDERS; id++)
        {
            place(type, Side.ASK, id, 1_000 + id % levels, 5,
                type == OrderType.GTD ? 1 + id % 1_000 : type == OrderType.ICEBERG ? 1 : 0);
        }
    }

    /** Runs it once to check the outcome, then again to measure its allocation. */
    private void shouldExecute(final Runnable command)
    {
        events.clear();
        command.run();
        book.verify();
        final long trades = events.trades;
        final long reduces = events.reduces;
        final long triggers = events.triggers;
        Allocations.shouldBeNone(() ->
        {
            events.clear();
            command.run();
        });
        assertEquals(trades, events.trades);
        assertEquals(reduces, events.reduces);
        assertEquals(triggers, events.triggers);
        book.verify();
    }

    @Test
    void shouldSweepAHundredThousandOrdersByOne()
    {
        for (final byte type : new byte[]{OrderType.MARKET, OrderType.IOC, OrderType.FOK, OrderType.FOK_BUDGET,
            OrderType.IOC_BUDGET, OrderType.GTC})
        {
            shouldExecute(() ->
            {
                fill(OrderType.GTC, 1_000);
                place(type, Side.BID, -1, type == OrderType.FOK_BUDGET || type == OrderType.IOC_BUDGET ?
                    Long.MAX_VALUE : 5_000, ALL, 0);
            });
            assertEquals(ORDERS, events.trades);
            assertEquals(ALL, events.volume);
            assertEquals(0, book.orderCount());
        }
    }

    @Test
    void shouldSweepByAMoveAndByAReplacement()
    {
        shouldExecute(() ->
        {
            fill(OrderType.GTC, 1);
            expect(book.cancel(1, UID));
            place(OrderType.GTC, Side.BID, -1, 500, ALL, 0);
            expect(book.move(-1, UID, 1_000));
            expect(book.cancel(-1, UID));
            fill(OrderType.GTC, 300);
            expect(book.cancel(1, UID));
            place(OrderType.GTC, Side.BID, -1, 500, 1, 0);
            expect(book.replace(-1, UID, 2_000, ALL));
            expect(book.cancel(-1, UID));
        });
        assertEquals(2 * (ORDERS - 1), events.trades);
        assertEquals(0, book.orderCount());
    }

    @Test
    void shouldSweepEveryDisplayedPartOfManyIcebergs()
    {
        shouldExecute(() ->
        {
            fill(OrderType.ICEBERG, 10);
            place(OrderType.MARKET, Side.BID, -1, 0, ALL, 0);
        });
        assertEquals(ALL, events.trades);
        assertEquals(0, book.orderCount());
    }

    /** Icebergs of many parts among orders of one part: the preview takes one part of each per round, as trades do. */
    @Test
    void shouldPreviewEveryDisplayedPartAmongManyOtherOrders()
    {
        final int icebergs = 10;
        final long all = ORDERS - icebergs + icebergs * 1_000L;
        shouldExecute(() ->
        {
            for (int id = 0; id < ORDERS; id++)
            {
                final boolean iceberg = id % (ORDERS / icebergs) == 1;
                place(iceberg ? OrderType.ICEBERG : OrderType.GTC, Side.ASK, id, 1_000, iceberg ? 1_000 : 1,
                    iceberg ? 1 : 0);
            }
            expect(book.execute(command.place(OrderType.FOK, Side.BID)
                .selfTradePolicy(SelfTradePolicy.CANCEL_BOTH).orderId(-1).uid(OTHER).price(1_000).size(all + 1)));
            expect(book.execute(command.place(OrderType.FOK, Side.BID)
                .selfTradePolicy(SelfTradePolicy.CANCEL_BOTH).orderId(-1).uid(OTHER).price(1_000).size(all)));
        });
        assertEquals(all + 1, events.rejected);
        assertEquals(all, events.trades);
        assertEquals(0, book.orderCount());
    }

    @Test
    void shouldCancelAHundredThousandOrdersOfItsOwnUser()
    {
        shouldExecute(() ->
        {
            fill(OrderType.GTC, 1_000);
            expect(book.execute(command.place(OrderType.IOC, Side.BID)
                .selfTradePolicy(SelfTradePolicy.CANCEL_OLDEST).orderId(-1).uid(UID).price(5_000).size(1)));
        });
        assertEquals(ORDERS, events.completed);
        assertEquals(0, events.trades);
        assertEquals(1, events.rejects);
        assertEquals(0, book.orderCount());
    }

    @Test
    void shouldDecrementAHundredThousandOrders()
    {
        shouldExecute(() ->
        {
            fill(OrderType.GTC, 1_000);
            expect(book.execute(command.place(OrderType.GTC, Side.BID)
                .selfTradePolicy(SelfTradePolicy.DECREMENT).orderId(-1).uid(UID).price(5_000).size(ALL)));
        });
        assertEquals(2 * ORDERS, events.reduces);
        assertEquals(ORDERS + 1, events.completed);
        assertEquals(0, events.trades);
        assertEquals(0, book.orderCount());
    }

    @Test
    void shouldCancelAHundredThousandOrdersOneByOne()
    {
        shouldExecute(() ->
        {
            fill(OrderType.GTC, 1_000);
            for (int id = 0; id < ORDERS; id++)
            {
                expect(book.cancel(id * 7_919L % ORDERS, UID));
            }
        });
        assertEquals(ORDERS, events.completed);
        assertEquals(0, book.orderCount());
    }

    @Test
    void shouldExpireAHundredThousandOrdersAtOnce()
    {
        shouldExecute(() ->
        {
            fill(OrderType.GTD, 1_000);
            book.expire(0);
            book.expire(1_000);
        });
        assertEquals(ORDERS, events.completed);
        assertEquals(0, book.orderCount());
    }

    @Test
    void shouldTriggerACascadeOfTenThousandStops()
    {
        shouldExecute(() ->
        {
            trade(500);
            // Each stop buys the lot that triggers the next one.
            for (int n = 0; n < STOPS; n++)
            {
                place(n % 2 == 0 ? OrderType.STOP : OrderType.STOP_LIMIT, Side.BID, n, 1_001 + n, 1, 1_000 + n);
                place(OrderType.GTC, Side.ASK, STOPS + n, 1_001 + n, 1, 0);
            }
            trade(1_000);
        });
        assertEquals(STOPS, events.triggers);
        assertEquals(STOPS + 2, events.trades);
        assertEquals(0, events.rejects);
        assertEquals(0, book.orderCount());
    }

    @Test
    void shouldTriggerTenThousandStopsAtOnePrice()
    {
        shouldExecute(() ->
        {
            trade(2_000);
            for (int n = 0; n < STOPS; n++)
            {
                place(OrderType.STOP, Side.ASK, n, 0, 1, 1_000);
            }
            place(OrderType.GTC, Side.BID, -3, 900, STOPS / 2, 0);
            trade(1_000);
        });
        assertEquals(STOPS, events.triggers);
        assertEquals(STOPS / 2, events.rejects);
        assertTrue(events.trades > STOPS / 2);
        assertEquals(0, book.orderCount());
    }

    /** One lot, whatever rests further away, so that this is the price of the last trade. */
    private void trade(final long price)
    {
        expect(book.execute(command.place(OrderType.GTC, Side.ASK).orderId(-1).uid(OTHER).price(price)
            .size(1)));
        expect(book.execute(command.place(OrderType.GTC, Side.BID).orderId(-2).uid(OTHER).price(price).size(1)
            .reservePrice(price)));
    }

    /** Prints figures only, because the time depends on the machine. */
    @Test
    @Tag("faults")
    void shouldMeasureGreatCommands()
    {
        for (int round = 1; round <= 5; round++)
        {
            fill(OrderType.GTC, 1_000);
            final long sweepNs = timeNs(() -> place(OrderType.MARKET, Side.BID, -1, 0, ALL, 0));
            fill(OrderType.GTC, 1_000);
            final long preventNs = timeNs(() ->
                expect(book.execute(command.place(OrderType.IOC, Side.BID)
                    .selfTradePolicy(SelfTradePolicy.CANCEL_OLDEST).orderId(-1).uid(UID).price(5_000).size(1))));
            fill(OrderType.GTD, 1_000);
            final long expireNs = timeNs(() -> book.expire(1_000));
            trade(500);
            for (int n = 0; n < STOPS; n++)
            {
                place(OrderType.STOP, Side.BID, n, 0, 1, 1_000 + n);
                place(OrderType.GTC, Side.ASK, STOPS + n, 1_001 + n, 1, 0);
            }
            final long cascadeNs = timeNs(() -> trade(1_000));
            System.out.printf(Locale.ROOT, "round %d, us: sweep of %d orders %d, cancel of all own %d, expiry of all " +
                "%d, cascade of %d stops %d%n", round, ORDERS, sweepNs / 1_000, preventNs / 1_000, expireNs / 1_000,
                STOPS, cascadeNs / 1_000);
        }
        assertEquals(0, book.orderCount());
    }

    private static long timeNs(final Runnable command)
    {
        final long from = System.nanoTime();
        command.run();
        return System.nanoTime() - from;
    }
}

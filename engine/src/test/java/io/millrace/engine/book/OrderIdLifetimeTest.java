package io.millrace.engine.book;

import io.millrace.engine.EventCounter;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.function.Supplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * M3, M4: The life of an id. While its order exists, resting or untriggered, no other order can have it and only its
 * user can change it. As soon as the order has left, in any way, the id is free and names nothing.
 */
class OrderIdLifetimeTest
{
    private static final long ID = 42;
    private static final long UID = 7;
    private static final long STRANGER = 8;
    private static final byte[] SIDES = {Side.BID, Side.ASK};

    private final EventCounter events = new EventCounter();
    private final OrderBook book =
        new OrderBook(SymbolSpec.future(1).withOrderCapacity(8).withWindowTicks(64), events);

    @BeforeEach
    void restTwoOrdersAndTrade()
    {
        place(OrderType.GTC, Side.BID, 1, 100, 5, 0);
        place(OrderType.GTC, Side.ASK, 2, 110, 5, 0);
        place(OrderType.GTC, Side.BID, 3, 110, 1, 0);
        events.clear();
    }

    private void place(
        final byte type, final byte side, final long id, final long price, final long size, final long parameter)
    {
        assertEquals(CommandResult.SUCCESS, placed(type, side, id, price, size, parameter));
    }

    private CommandResult placed(
        final byte type, final byte side, final long id, final long price, final long size, final long parameter)
    {
        return book.execute(new BookCommand().place(type, side).orderId(id).uid(UID).price(price).size(size)
            .reservePrice(price).parameter(parameter));
    }

    private static long parameter(final byte type)
    {
        return type == OrderType.STOP || type == OrderType.STOP_LIMIT ? 105 : type == OrderType.ICEBERG ||
            type == OrderType.GTD ? 1 : 0;
    }

    private void assertRefused(final CommandResult expected, final Supplier<CommandResult> command)
    {
        final long hash = book.stateHash();
        final int orders = book.orderCount();
        events.clear();
        assertEquals(expected, command.get());
        assertTrue(events.isSilent(), "the listener was called");
        assertEquals(hash, book.stateHash());
        assertEquals(orders, book.orderCount());
        book.verify();
    }

    /** For every user and type, whether or not the order would trade. */
    private void shouldBeTaken()
    {
        for (byte type = 0; OrderType.isValid(type); type++)
        {
            for (final byte side : SIDES)
            {
                for (final long uid : new long[]{UID, STRANGER})
                {
                    for (final long price : new long[]{1, 105, 500})
                    {
                        final byte given = type;
                        assertRefused(CommandResult.DUPLICATE_ORDER, () ->
                            book.execute(new BookCommand().place(given, side)
                            .selfTradePolicy(SelfTradePolicy.CANCEL_OLDEST).orderId(ID).uid(uid).price(price).size(1)
                            .reservePrice(500).parameter(parameter(given))));
                    }
                }
            }
        }
        assertRefused(CommandResult.UNKNOWN_ORDER, () -> book.cancel(ID, STRANGER));
        assertRefused(CommandResult.UNKNOWN_ORDER, () -> book.reduce(ID, STRANGER, 1));
        assertRefused(CommandResult.UNKNOWN_ORDER, () -> book.move(ID, STRANGER, 90));
        assertRefused(CommandResult.UNKNOWN_ORDER, () -> book.replace(ID, STRANGER, 90, 1));
    }

    /** The id names no order for any user, and a new order of any user may have it. */
    private void shouldBeFree()
    {
        for (final long uid : new long[]{UID, UID, STRANGER})
        {
            assertRefused(CommandResult.UNKNOWN_ORDER, () -> book.cancel(ID, uid));
            assertRefused(CommandResult.UNKNOWN_ORDER, () -> book.reduce(ID, uid, 1));
            assertRefused(CommandResult.UNKNOWN_ORDER, () -> book.move(ID, uid, 90));
            assertRefused(CommandResult.UNKNOWN_ORDER, () -> book.replace(ID, uid, 90, 1));
        }
        assertEquals(CommandResult.SUCCESS, book.execute(new BookCommand().place(OrderType.GTC, Side.BID).orderId(ID)
            .uid(STRANGER).price(50).size(1).reservePrice(50)));
        assertEquals(CommandResult.SUCCESS, book.cancel(ID, STRANGER));
        assertRefused(CommandResult.UNKNOWN_ORDER, () -> book.cancel(ID, STRANGER));
    }

    @Test
    void shouldBeTakenWhileItsOrderRests()
    {
        for (final byte type : new byte[]{OrderType.GTC, OrderType.POST_ONLY, OrderType.ICEBERG, OrderType.GTD})
        {
            place(type, Side.BID, ID, 90, 5, parameter(type));
            shouldBeTaken();
            assertEquals(CommandResult.SUCCESS, book.cancel(ID, UID));
            shouldBeFree();
        }
    }

    @Test
    void shouldBeTakenWhileItsOrderIsUntriggered()
    {
        for (final byte type : new byte[]{OrderType.STOP, OrderType.STOP_LIMIT})
        {
            place(type, Side.BID, ID, 95, 5, 200);
            shouldBeTaken();
            assertEquals(CommandResult.SUCCESS, book.cancel(ID, UID));
            shouldBeFree();
        }
    }

    @Test
    void shouldBeTakenWhenItsStopHasTriggeredAndRests()
    {
        place(OrderType.STOP_LIMIT, Side.BID, ID, 95, 5, 111);
        place(OrderType.GTC, Side.ASK, 9, 111, 1, 0);
        place(OrderType.GTC, Side.BID, 10, 111, 5, 0);
        assertEquals(1, events.triggers);
        assertEquals(5, book.volumeAt(Side.BID, 95));
        shouldBeTaken();
        assertEquals(CommandResult.SUCCESS, book.move(ID, UID, 94));
        shouldBeTaken();
    }

    @Test
    void shouldBeTakenWhenItsOrderIsFilledInPartReducedMovedOrReplaced()
    {
        place(OrderType.GTC, Side.BID, ID, 101, 9, 0);
        place(OrderType.IOC, Side.ASK, 9, 101, 2, 0);
        shouldBeTaken();
        assertEquals(CommandResult.SUCCESS, book.reduce(ID, UID, 1));
        shouldBeTaken();
        assertEquals(CommandResult.SUCCESS, book.move(ID, UID, 99));
        shouldBeTaken();
        assertEquals(CommandResult.SUCCESS, book.replace(ID, UID, 98, 12));
        shouldBeTaken();
    }

    @Test
    void shouldBeFreeWhenItsOrderIsFilledAsMakerOrAsTaker()
    {
        place(OrderType.GTC, Side.BID, ID, 101, 2, 0);
        place(OrderType.IOC, Side.ASK, 9, 101, 2, 0);
        shouldBeFree();
        place(OrderType.GTC, Side.BID, ID, 110, 2, 0);
        shouldBeFree();
        place(OrderType.GTC, Side.BID, ID, 101, 1, 0);
        assertEquals(CommandResult.SUCCESS, book.move(ID, UID, 110));
        shouldBeFree();
    }

    @Test
    void shouldBeFreeWhenItsOrderIsReducedToNothing()
    {
        place(OrderType.ICEBERG, Side.BID, ID, 101, 2, 1);
        assertEquals(CommandResult.SUCCESS, book.reduce(ID, UID, 2));
        shouldBeFree();
        place(OrderType.STOP, Side.BID, ID, 0, 2, 200);
        assertEquals(CommandResult.SUCCESS, book.reduce(ID, UID, 9));
        shouldBeFree();
    }

    @Test
    void shouldBeFreeWhenItsOrderHasExpired()
    {
        place(OrderType.GTD, Side.BID, ID, 101, 2, 50);
        book.expire(49);
        shouldBeTaken();
        book.expire(50);
        shouldBeFree();
    }

    @Test
    void shouldBeFreeWhenItsOrderWasPreventedFromASelfTrade()
    {
        place(OrderType.GTC, Side.BID, ID, 101, 2, 0);
        assertEquals(CommandResult.SUCCESS,
            book.execute(new BookCommand().place(OrderType.IOC, Side.ASK).selfTradePolicy(SelfTradePolicy.CANCEL_OLDEST)
                .orderId(9).uid(UID).price(101).size(2)));
        shouldBeFree();
        assertEquals(CommandResult.SUCCESS,
            book.execute(new BookCommand().place(OrderType.GTC, Side.ASK).selfTradePolicy(SelfTradePolicy.CANCEL_NEWEST)
                .orderId(ID).uid(UID).price(100).size(2)));
        shouldBeFree();
    }

    @Test
    void shouldBeFreeWhenItsOrderNeverRested()
    {
        for (final byte type : new byte[]{OrderType.IOC, OrderType.FOK, OrderType.MARKET, OrderType.FOK_BUDGET,
            OrderType.IOC_BUDGET})
        {
            place(type, Side.ASK, ID, 500, 50, 0);
            shouldBeFree();
        }
        place(OrderType.STOP, Side.BID, ID, 0, 50, 50);
        assertEquals(1, events.triggers);
        shouldBeFree();
    }

    @Test
    void shouldBeFreeWhenItsOrderWasRefused()
    {
        assertRefused(CommandResult.WOULD_TRADE, () -> placed(OrderType.POST_ONLY, Side.BID, ID, 110, 1, 0));
        shouldBeFree();
        for (long id = 20; book.orderCount() < 8; id++)
        {
            place(OrderType.GTC, Side.BID, id, 30, 1, 0);
        }
        assertRefused(CommandResult.BOOK_FULL, () -> placed(OrderType.GTC, Side.BID, ID, 30, 1, 0));
        assertRefused(CommandResult.BOOK_FULL, () -> placed(OrderType.STOP, Side.BID, ID, 0, 1, 200));
        assertRefused(CommandResult.UNKNOWN_ORDER, () -> book.cancel(ID, UID));
    }

    @Test
    void shouldAnswerAFillAndACancelInOrderOfArrival()
    {
        place(OrderType.GTC, Side.BID, ID, 101, 2, 0);
        place(OrderType.IOC, Side.ASK, 9, 101, 2, 0);
        assertRefused(CommandResult.UNKNOWN_ORDER, () -> book.cancel(ID, UID));
        place(OrderType.GTC, Side.BID, ID, 101, 2, 0);
        assertEquals(CommandResult.SUCCESS, book.cancel(ID, UID));
        events.clear();
        place(OrderType.IOC, Side.ASK, 9, 101, 2, 0);
        assertEquals(List.of(0L, 1L), List.of(events.trades, events.rejects));
    }
}

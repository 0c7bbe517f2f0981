package io.millrace.engine.book;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import static io.millrace.engine.book.CommandResult.BOOK_FULL;
import static io.millrace.engine.book.CommandResult.DUPLICATE_ORDER;
import static io.millrace.engine.book.CommandResult.SUCCESS;
import static io.millrace.engine.book.CommandResult.UNKNOWN_ORDER;
import static io.millrace.engine.book.CommandResult.WRONG_PRICE;
import static io.millrace.engine.book.CommandResult.WRONG_SIDE;
import static io.millrace.engine.book.CommandResult.WRONG_SIZE;
import static io.millrace.engine.book.Side.ASK;
import static io.millrace.engine.book.Side.BID;
import static io.millrace.engine.book.SymbolSpec.MAX_PRICE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The messages of a feed, call by call: the remaining orders, and every refusal. */
class MarketByOrderBookTest
{
    private static final int CAPACITY = 8;
    private static final SymbolSpec SPEC = SymbolSpec.future(1).withOrderCapacity(CAPACITY).withWindowTicks(64);

    private final MarketByOrderBook book = new MarketByOrderBook(SPEC);

    /**
     * The orders of a side as "id open size@price", with the filled part in brackets, in the order of their priority.
     */
    private List<String> orders(final byte side)
    {
        final List<String> orders = new ArrayList<>();
        book.forEachOrder(side, (id, uid, s, price, size, filled, reserve) ->
        {
            assertEquals(side, s);
            orders.add(id + " " + (size - filled) + "@" + price + (filled == 0 ? "" : " (" + filled + ")"));
        });
        return orders;
    }

    private List<String> levels(final byte side, final int max)
    {
        final List<String> levels = new ArrayList<>();
        final int reported = book.forEachLevel(side, max, (s, price, volume, count) ->
            levels.add(count + "x " + volume + "@" + price));
        assertEquals(reported, levels.size());
        return levels;
    }

    private void assertBids(final String... expected)
    {
        assertEquals(List.of(expected), orders(BID));
        book.verify();
    }

    private void assertAsks(final String... expected)
    {
        assertEquals(List.of(expected), orders(ASK));
        book.verify();
    }

    private void add(final long orderId, final byte side, final long price, final long size)
    {
        assertEquals(SUCCESS, book.add(orderId, side, price, size));
    }

    private void assertRefused(final CommandResult expected, final Supplier<CommandResult> call)
    {
        final List<String> bids = orders(BID);
        final List<String> asks = orders(ASK);
        final int count = book.orderCount();
        assertEquals(expected, call.get());
        assertEquals(bids, orders(BID));
        assertEquals(asks, orders(ASK));
        assertEquals(count, book.orderCount());
        book.verify();
    }

    @Test
    void shouldBeEmptyAtFirst()
    {
        assertBids();
        assertAsks();
        for (final byte side : new byte[]{BID, ASK})
        {
            assertEquals(-1, book.bestPrice(side));
            assertEquals(0, book.bestVolume(side));
            assertEquals(0, book.levelCount(side));
            assertEquals(0, book.volumeAt(side, 100));
        }
        assertEquals(0, book.orderCount());
        assertEquals(SPEC, book.spec());
        assertFalse(book.withOrder(1, (id, uid, side, price, size, filled, reserve) -> assertTrue(false)));
    }

    @Test
    void shouldKeepOrdersByPriceThenByArrival()
    {
        add(1, BID, 100, 5);
        add(2, BID, 101, 6);
        add(3, BID, 100, 7);
        add(4, ASK, 103, 1);
        add(5, ASK, 102, 2);
        add(6, ASK, 103, 3);
        assertBids("2 6@101", "1 5@100", "3 7@100");
        assertAsks("5 2@102", "4 1@103", "6 3@103");
        assertEquals(List.of("1x 6@101", "2x 12@100"), levels(BID, -1));
        assertEquals(List.of("1x 2@102"), levels(ASK, 1));
        assertEquals(101, book.bestPrice(BID));
        assertEquals(6, book.bestVolume(BID));
        assertEquals(102, book.bestPrice(ASK));
        assertEquals(2, book.levelCount(ASK));
        assertEquals(12, book.volumeAt(BID, 100));
        assertEquals(0, book.volumeAt(ASK, 100));
        assertEquals(6, book.orderCount());
    }

    @Test
    void shouldRestACrossingOrder()
    {
        add(1, ASK, 100, 5);
        add(2, BID, 102, 3);
        add(3, BID, 100, 4);
        add(4, ASK, 102, 6);
        assertBids("2 3@102", "3 4@100");
        assertAsks("1 5@100", "4 6@102");
        assertEquals(102, book.bestPrice(BID));
        assertEquals(100, book.bestPrice(ASK));
        assertEquals(4, book.volumeAt(BID, 100));
        assertEquals(5, book.volumeAt(ASK, 100));
        assertEquals(SUCCESS, book.cancel(1));
        assertBids("2 3@102", "3 4@100");
        assertAsks("4 6@102");
    }

    @Test
    void shouldReduceAnOrderInItsPlace()
    {
        add(1, BID, 100, 5);
        add(2, BID, 100, 6);
        assertEquals(SUCCESS, book.reduce(1, 2));
        assertEquals(SUCCESS, book.execute(2, 1));
        assertEquals(SUCCESS, book.execute(1, 1));
        assertBids("1 2@100 (1)", "2 5@100 (1)");
        assertEquals(7, book.bestVolume(BID));
        assertTrue(book.withOrder(1, (id, uid, side, price, size, filled, reserve) ->
            assertEquals(List.of(1L, 0L, 100L, 3L, 1L, 0L), List.of(id, uid, price, size, filled, reserve))));
    }

    @Test
    void shouldRemoveAFilledOrder()
    {
        add(1, BID, 100, 5);
        add(2, BID, 99, 5);
        add(3, BID, 98, 5);
        assertEquals(SUCCESS, book.execute(1, 2));
        assertEquals(SUCCESS, book.reduce(1, 3));
        assertEquals(SUCCESS, book.execute(2, 5));
        assertEquals(SUCCESS, book.cancel(3));
        assertBids();
        assertEquals(0, book.orderCount());
        add(1, ASK, 100, 5);
        assertAsks("1 5@100");
    }

    @Test
    void shouldQueueAReplacementBehindTheOthers()
    {
        add(1, ASK, 100, 5);
        add(2, ASK, 100, 6);
        assertEquals(SUCCESS, book.execute(1, 1));
        assertEquals(SUCCESS, book.replace(1, 3, 100, 4));
        assertAsks("2 6@100", "3 4@100");
        assertEquals(SUCCESS, book.replace(2, 2, 100, 9));
        assertAsks("3 4@100", "2 9@100");
        assertEquals(SUCCESS, book.replace(3, 1, 99, 1));
        assertAsks("1 1@99", "2 9@100");
        assertRefused(UNKNOWN_ORDER, () -> book.cancel(3));
    }

    @Test
    void shouldReportTheOrderThatIsAskedFor()
    {
        add(1, BID, 100, 10);
        add(2, BID, 100, 5);
        assertEquals(SUCCESS, book.execute(1, 4));
        final List<String> reported = new ArrayList<>();
        final OrderConsumer consumer = (id, uid, side, price, size, filled, reserve) ->
            reported.add(id + " " + Side.name(side) + " " + size + "@" + price + " (" + filled + ")");
        assertTrue(book.withOrder(1, consumer));
        assertFalse(book.withOrder(3, consumer));
        assertEquals(List.of("1 BID 10@100 (4)"), reported);
    }

    @Test
    void shouldForgetAllOrdersWhenCleared()
    {
        book.clear();
        add(1, BID, 100, 5);
        add(2, BID, 100, 5);
        add(3, BID, 1_000_000, 5);
        add(4, ASK, 100, 5);
        book.clear();
        assertBids();
        assertAsks();
        assertEquals(0, book.orderCount());
        for (int id = 1; id <= CAPACITY; id++)
        {
            add(id, ASK, 100, 5);
        }
        assertEquals(List.of("8x 40@100"), levels(ASK, -1));
        book.verify();
    }

    @Test
    void shouldRefuseInvalidAdditions()
    {
        add(1, BID, 100, 5);
        for (int code = Byte.MIN_VALUE; code <= Byte.MAX_VALUE; code++)
        {
            final byte side = (byte)code;
            if (side != BID && side != ASK)
            {
                assertRefused(WRONG_SIDE, () -> book.add(2, side, 0, 0));
            }
        }
        assertRefused(WRONG_SIZE, () -> book.add(2, BID, -1, 0));
        assertRefused(WRONG_SIZE, () -> book.add(2, BID, 100, Long.MIN_VALUE));
        assertRefused(WRONG_SIZE, () -> book.add(2, BID, 100, SPEC.maxSize() + 1));
        assertRefused(WRONG_PRICE, () -> book.add(1, BID, -1, 5));
        assertRefused(WRONG_PRICE, () -> book.add(2, ASK, Long.MIN_VALUE, 5));
        assertRefused(WRONG_PRICE, () -> book.add(2, ASK, MAX_PRICE + 1, 5));
        assertRefused(DUPLICATE_ORDER, () -> book.add(1, ASK, 100, 5));
    }

    @Test
    void shouldRefuseReductionsBeyondTheOrder()
    {
        add(1, BID, 100, 5);
        assertEquals(SUCCESS, book.execute(1, 2));
        for (final long wrong : new long[]{Long.MIN_VALUE, -1, 0, 4, Long.MAX_VALUE})
        {
            assertRefused(WRONG_SIZE, () -> book.reduce(1, wrong));
            assertRefused(WRONG_SIZE, () -> book.execute(1, wrong));
            assertRefused(UNKNOWN_ORDER, () -> book.reduce(2, wrong));
            assertRefused(UNKNOWN_ORDER, () -> book.execute(2, wrong));
        }
        assertRefused(UNKNOWN_ORDER, () -> book.cancel(2));
    }

    @Test
    void shouldRefuseAnInvalidReplacement()
    {
        add(1, BID, 100, 5);
        add(2, ASK, 101, 5);
        assertRefused(WRONG_SIZE, () -> book.replace(1, 3, -1, 0));
        assertRefused(WRONG_SIZE, () -> book.replace(1, 3, 100, SPEC.maxSize() + 1));
        assertRefused(WRONG_PRICE, () -> book.replace(3, 1, -1, 5));
        assertRefused(WRONG_PRICE, () -> book.replace(1, 3, MAX_PRICE + 1, 5));
        assertRefused(UNKNOWN_ORDER, () -> book.replace(3, 1, 100, 5));
        assertRefused(DUPLICATE_ORDER, () -> book.replace(1, 2, 100, 5));
    }

    @Test
    void shouldRefuseAnOrderBeyondItsCapacityAndExecuteOtherCommands()
    {
        for (int id = 1; id <= CAPACITY; id++)
        {
            add(id, (byte)(id & 1), 100L * id, SPEC.maxSize());
        }
        assertRefused(BOOK_FULL, () -> book.add(9, BID, 100, 1));
        assertRefused(DUPLICATE_ORDER, () -> book.add(8, BID, 100, 1));
        assertEquals(SUCCESS, book.replace(8, 9, 0, SPEC.maxSize()));
        assertEquals(SUCCESS, book.reduce(9, 1));
        assertRefused(BOOK_FULL, () -> book.add(8, BID, 100, 1));
        assertEquals(SUCCESS, book.cancel(1));
        assertEquals(SUCCESS, book.add(8, BID, MAX_PRICE, 1));
        assertEquals(MAX_PRICE, book.bestPrice(BID));
        assertEquals(SPEC.maxSize() - 1, book.volumeAt(BID, 0));
        book.verify();
    }

    @Test
    void shouldAnswerForAnyPriceAndRefuseAnUnknownSide()
    {
        add(1, BID, MAX_PRICE, 5);
        add(2, ASK, 0, 6);
        for (final long price : new long[]{Long.MIN_VALUE, -1, 1, Long.MAX_VALUE})
        {
            assertEquals(0, book.volumeAt(BID, price));
            assertEquals(0, book.volumeAt(ASK, price));
        }
        assertEquals(5, book.volumeAt(BID, MAX_PRICE));
        assertEquals(6, book.volumeAt(ASK, 0));
        final byte none = 2;
        assertThrows(IllegalArgumentException.class, () -> book.bestPrice(none));
        assertThrows(IllegalArgumentException.class, () -> book.bestVolume(none));
        assertThrows(IllegalArgumentException.class, () -> book.volumeAt(none, 1));
        assertThrows(IllegalArgumentException.class, () -> book.levelCount(none));
        assertThrows(IllegalArgumentException.class, () -> book.forEachOrder(none, null));
        assertThrows(IllegalArgumentException.class, () -> book.forEachLevel(none, 1, null));
    }
}

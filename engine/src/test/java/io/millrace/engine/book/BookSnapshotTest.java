package io.millrace.engine.book;

import io.millrace.engine.EventCounter;

import io.millrace.testing.Allocations;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The state that a snapshot keeps, and the input that it refuses.
 */
class BookSnapshotTest
{
    private static final SymbolSpec SPEC =
        new SymbolSpec(7, SymbolType.FUTURE, 16, 64).withPrices(10, 1_000).withMinAskPrice(20);
    private static final long USER = 5;
    private static final int BID = 0;
    private static final int ASK = 2;
    private static final int ICEBERG = 3;
    private static final int STOP = 5;
    private static final int STOP_LIMIT = 6;

    private final Tape events = new Tape();
    private final BookSnapshot snapshot = new BookSnapshot(SPEC.orderCapacity());

    private static OrderBook empty(final SymbolSpec spec)
    {
        return new OrderBook(spec, new Tape());
    }

    /** Bids 101 (a part is filled), 102; asks 103, iceberg 104, GTD 105; stops 106, 107; the last trade was at 100. */
    private OrderBook sample()
    {
        final OrderBook book = new OrderBook(SPEC, events);
        place(book, OrderType.GTC, Side.BID, 101, 100, 10, 0);
        place(book, OrderType.IOC, Side.ASK, 100, 100, 4, 0);
        place(book, OrderType.POST_ONLY, Side.BID, 102, 99, 10, 0);
        place(book, OrderType.GTC, Side.ASK, 103, 110, 10, 0);
        place(book, OrderType.ICEBERG, Side.ASK, 104, 110, 10, 3);
        place(book, OrderType.GTD, Side.ASK, 105, 120, 10, 5_000);
        place(book, OrderType.STOP, Side.BID, 106, 0, 10, 130);
        place(book, OrderType.STOP_LIMIT, Side.ASK, 107, 80, 10, 90);
        return book;
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
            book.execute(new BookCommand().place(type, side).orderId(id).uid(USER).price(price).size(size)
                .reservePrice(500).parameter(parameter)));
    }

    private static int word(final int order, final int column)
    {
        return order * BookSnapshot.ROW_WORDS + column;
    }

    private void shouldRefuse(final OrderBook into, final String message)
    {
        final long hash = into.stateHash();
        assertEquals(message, assertThrows(BookSnapshotException.class, () -> snapshot.restoreTo(into)).getMessage());
        assertEquals(hash, into.stateHash());
        into.verify();
    }

    @Test
    void shouldKeepEveryKindOfOrder()
    {
        final OrderBook book = sample();
        snapshot.take(book);
        assertEquals(7, snapshot.orderCount());
        assertEquals(2, snapshot.bidCount());
        assertEquals(3, snapshot.askCount());
        assertEquals(2, snapshot.stopCount());
        assertEquals(4, snapshot.extraFieldCount());
        assertEquals(100, snapshot.lastTradePrice());
        assertEquals(3, snapshot.lastAccepted());
        final OrderBook again = empty(SPEC);
        snapshot.restoreTo(again);
        again.verify();
        assertEquals(book.stateHash(), again.stateHash());
        assertEquals(13, again.volumeAt(Side.ASK, 110));
    }

    @Test
    void shouldKeepAnEmptyBookAndItsLastTradePrice()
    {
        final OrderBook book = empty(SPEC);
        snapshot.take(book);
        final OrderBook again = empty(SPEC);
        snapshot.restoreTo(again);
        assertEquals(-1, again.lastTradePrice());
        place(book, OrderType.GTC, Side.BID, 1, 100, 1, 0);
        place(book, OrderType.IOC, Side.ASK, 2, 100, 1, 0);
        snapshot.take(book);
        snapshot.restoreTo(again);
        assertEquals(100, again.lastTradePrice());
        assertEquals(book.stateHash(), again.stateHash());
    }

    @Test
    void shouldKeepAFullBook()
    {
        final OrderBook book = empty(SPEC);
        for (int i = 0; i < SPEC.orderCapacity(); i++)
        {
            place(book, OrderType.GTC, (byte)(i & 1), i, (i & 1) == 0 ? 50 - i : 900 + i, 1, 0);
        }
        snapshot.take(book);
        final OrderBook again = empty(SPEC);
        snapshot.restoreTo(again);
        again.verify();
        assertEquals(book.stateHash(), again.stateHash());
        assertEquals(CommandResult.BOOK_FULL, again.execute(new BookCommand().place(OrderType.GTC, Side.BID).orderId(99)
            .uid(USER).price(50).size(1)));
    }

    @Test
    void shouldRestoreIntoALargerBookAndRefuseASmallerOne()
    {
        final OrderBook book = sample();
        snapshot.take(book);
        final OrderBook larger = empty(SPEC.withOrderCapacity(1_000).withWindowTicks(1_024));
        snapshot.restoreTo(larger);
        assertEquals(book.stateHash(), larger.stateHash());
        shouldRefuse(empty(SPEC.withOrderCapacity(6)), "orders 7 is not in 0..6");
        assertEquals("orders of the book 7 is not in 0..6, the capacity of this snapshot",
            assertThrows(BookSnapshotException.class, () -> new BookSnapshot(6).take(book)).getMessage());
    }

    @Test
    void shouldRefuseABookThatHasOrdersOrIsOfAnotherSymbol()
    {
        final OrderBook book = sample();
        snapshot.take(book);
        shouldRefuse(book, "the book is not empty: it has 7 orders");
        shouldRefuse(empty(new SymbolSpec(8, SymbolType.FUTURE, 16, 64)), "symbol 7 is not in 8..8");
    }

    @Test
    void shouldRemoveAddedOrdersWhenAnIdOccursTwice()
    {
        snapshot.take(sample());
        for (int order = 1; order < snapshot.orderCount(); order++)
        {
            final int at = word(order, 0);
            final long id = snapshot.word(at);
            snapshot.word(at, snapshot.word(0));
            final OrderBook into = empty(SPEC);
            shouldRefuse(into,
                "order " + order + ": id " + snapshot.word(0) + " is not unique: an earlier order has it");
            assertEquals(0, into.orderCount());
            snapshot.word(at, id);
            snapshot.restoreTo(into);
            into.verify();
            assertEquals(7, into.orderCount());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        BID + "|3|0|size 0 is not in 1..576460752303423487",
        BID + "|4|10|filled 10 is not in 0..9",
        BID + "|4|-1|filled -1 is not in 0..9",
        BID + "|5|1|side 1 is not in 0..0",
        BID + "|2|9|price 9 is not in 10..1000",
        BID + "|2|98|price 99 is not in 10..98",
        ASK + "|2|19|price 19 is not in 20..1000",
        ASK + "|2|111|price 110 is not in 111..1000",
        ASK + "|7|1|parameter 1 is not in 0..0",
        ASK + "|5|131073|",
        ASK + "|5|327681|self-trade policy 5 is not in 0..4",
        ASK + "|5|16777217|unused bits of attributes 16777216 is not in 0..0",
        ASK + "|5|257|order type 1 is not one that rests, 0, 6, 9..10",
        ASK + "|5|1793|order type 7 is not one that rests, 0, 6, 9..10",
        ICEBERG + "|7|4|shown 4 is not in 1..3",
        ICEBERG + "|7|0|shown 0 is not in 1..3",
        ICEBERG + "|3|3001|display size 3 is not in 4..576460752303423487",
        "4|7|0|expiry 0 is not in 1..9223372036854775807",
        STOP + "|4|1|filled 1 is not in 0..0",
        STOP + "|2|1|price 1 is not in 0..0",
        STOP + "|5|0|order type 0 is not one that waits, 7..8",
        STOP + "|7|100|stop price 100 is not in 101..1000",
        STOP_LIMIT + "|2|19|price 19 is not in 20..1000",
        STOP_LIMIT + "|7|100|stop price 100 is not in 10..99"})
    void shouldRefuseAnImpossibleOrder(final int order, final int column, final long value, final String message)
    {
        snapshot.take(sample());
        snapshot.word(word(order, column), value);
        if (message == null)
        {
            snapshot.restoreTo(empty(SPEC));
            return;
        }
        // What is out of order shows at the next one.
        final int where = message.startsWith("price 99 ") || message.startsWith("price 110 ") ? order + 1 : order;
        shouldRefuse(empty(SPEC), "order " + where + ": " + message);
    }

    @Test
    void shouldRefuseImpossibleExtraFields()
    {
        snapshot.take(sample());
        snapshot.extraField(3, 2);
        shouldRefuse(empty(SPEC), "order 6: number of acceptance 2 is not in 3..3");
        snapshot.extraField(3, 4);
        shouldRefuse(empty(SPEC), "order 6: number of acceptance 4 is not in 3..3");
        snapshot.extraField(3, 3);
        snapshot.extraField(0, 0);
        shouldRefuse(empty(SPEC), "order 3: display size 0 is not in 1..576460752303423487");
        snapshot.take(sample());
        snapshot.word(word(ICEBERG, OrderArena.ATTRIBUTES), 1);
        snapshot.word(word(ICEBERG, OrderArena.PARAMETER), 0);
        shouldRefuse(empty(SPEC), "extra fields 4 is not in 3..3");
    }

    @Test
    void shouldRefuseCommandsOfMoreThanOneOrder()
    {
        snapshot.take(sample());
        snapshot.market(9, 3, 0, 0);
        shouldRefuse(empty(SPEC), "last trade price (-1 for none) 9 is not in 10..1000");
        snapshot.market(100, -1, 0, 0);
        shouldRefuse(empty(SPEC), "last acceptance -1 is not in 0..4611686018427387904");
        snapshot.market(100, 3, -2, 0);
        shouldRefuse(empty(SPEC), "order sequence -2 is not in 0..4611686018427387904");
        snapshot.market(100, 3, 0, -2);
        shouldRefuse(empty(SPEC), "level sequence -2 is not in 0..4611686018427387904");
        // Whatever is counted on and on from there must not wrap: the next snapshot would be refused.
        snapshot.market(100, Long.MAX_VALUE, 0, 0);
        shouldRefuse(empty(SPEC), "last acceptance 9223372036854775807 is not in 0..4611686018427387904");
        snapshot.market(100, 3, Long.MAX_VALUE, 0);
        shouldRefuse(empty(SPEC), "order sequence 9223372036854775807 is not in 0..4611686018427387904");
        snapshot.market(100, 3, 0, Long.MAX_VALUE);
        shouldRefuse(empty(SPEC), "level sequence 9223372036854775807 is not in 0..4611686018427387904");
        snapshot.market(100, 3, 0, 0);
        snapshot.word(word(0, OrderArena.PRICE), 110);
        shouldRefuse(empty(SPEC), "best ask 110 is not in 111..1000");
    }

    @Test
    void shouldRefuseInconsistentCounts()
    {
        assertEquals("orders 17 is not in 0..16", assertThrows(BookSnapshotException.class,
            () -> snapshot.begin(7, 16, 1, 0, 0)).getMessage());
        assertEquals("stops -1 is not in 0..16", assertThrows(BookSnapshotException.class,
            () -> snapshot.begin(7, 1, 1, -1, 0)).getMessage());
        assertEquals("extra fields 3 is not in 0..2", assertThrows(BookSnapshotException.class,
            () -> snapshot.begin(7, 1, 1, 0, 3)).getMessage());
        assertThrows(IllegalArgumentException.class, () -> new BookSnapshot(0));
    }

    @Test
    @Tag("normal")
    void shouldAllocateNothing()
    {
        final OrderBook book = sample();
        final OrderBook again = new OrderBook(SPEC, new EventCounter());
        Allocations.shouldBeNone(() ->
        {
            for (int i = 0; i < 20_000; i++)
            {
                snapshot.take(book);
                snapshot.restoreTo(again);
                for (long id = 101; id <= 107; id++)
                {
                    again.cancel(id, USER);
                }
            }
        });
        assertTrue(again.orderCount() == 0);
    }
}

package io.millrace.engine.book;

import io.millrace.engine.MatchingEngine;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * M1, M10: Bad input: the exact result, no call of the listener, and the same hash, orders and levels as before.
 */
class BadInputTest
{
    private static final int CAPACITY = 8;
    private static final long UID = 7;
    private static final long MAX = SymbolSpec.MAX_PRICE;
    private static final SymbolSpec SPEC = SymbolSpec.spot(5).withOrderCapacity(CAPACITY).withWindowTicks(64);
    private static final byte[] TYPES = {OrderType.GTC, OrderType.IOC, OrderType.MARKET, OrderType.FOK_BUDGET,
        OrderType.FOK, OrderType.IOC_BUDGET, OrderType.POST_ONLY, OrderType.STOP, OrderType.STOP_LIMIT,
        OrderType.ICEBERG, OrderType.GTD};
    private static final byte[] TYPES_WITH_LIMIT = {OrderType.GTC, OrderType.IOC, OrderType.FOK, OrderType.POST_ONLY,
        OrderType.STOP_LIMIT, OrderType.ICEBERG, OrderType.GTD};
    private static final byte[] SIDES = {Side.BID, Side.ASK};

    private final Tape tape = new Tape();
    private final OrderBook book = new OrderBook(SPEC, tape);

    @BeforeEach
    void restSomeOrders()
    {
        place(OrderType.GTC, Side.BID, 1, 100, 5);
        place(OrderType.GTC, Side.BID, 2, 100, 6);
        place(OrderType.GTC, Side.BID, 3, 30, 7);
        place(OrderType.GTC, Side.ASK, 4, 101, 5);
        place(OrderType.GTC, Side.ASK, 5, 5_000, 6);
        place(OrderType.GTC, Side.ASK, 6, 100, 1);
        tape.clear();
        assertEquals(5, book.orderCount());
    }

    private CommandResult place(final byte type, final byte side, final long id, final long price, final long size)
    {
        return place(type, side, SelfTradePolicy.ALLOW, id, UID, price, size);
    }

    private CommandResult place(
        final byte type,
        final byte side,
        final byte policy,
        final long id,
        final long uid,
        final long price,
        final long size)
    {
        return book.execute(new BookCommand().place(type, side).selfTradePolicy(policy).orderId(id).uid(uid)
            .price(price).size(size).reservePrice(price).parameter(rightParameter(type, size)));
    }

    private static long rightParameter(final byte type, final long size)
    {
        return type == OrderType.ICEBERG ? Math.max(1, size) : type == OrderType.STOP || type == OrderType.STOP_LIMIT ||
            type == OrderType.GTD ? 1 : 0;
    }

    private List<String> listing()
    {
        final List<String> listing = new ArrayList<>(BookListing.orders(book));
        listing.addAll(BookListing.levels(book));
        listing.add(book.bestPrice(Side.BID) + " " + book.bestPrice(Side.ASK) + " " + book.orderCount());
        return listing;
    }

    private void assertRefused(final CommandResult expected, final Supplier<CommandResult> command)
    {
        final long hash = book.stateHash();
        final List<String> listing = listing();
        assertEquals(expected, command.get());
        assertTrue(tape.isEmpty(), () -> "the listener was called" + tape);
        assertEquals(hash, book.stateHash());
        assertEquals(listing, listing());
        book.verify();
    }

    @Test
    void shouldRefuseEveryUnknownOrderType()
    {
        for (int type = Byte.MIN_VALUE; type <= Byte.MAX_VALUE; type++)
        {
            final byte given = (byte)type;
            if (type < 0 || type > OrderType.GTD)
            {
                assertRefused(CommandResult.UNKNOWN_ORDER_TYPE, () -> place(given, Side.BID, 9, 100, 1));
                assertRefused(CommandResult.UNKNOWN_ORDER_TYPE, () -> place(given, (byte)9, 1, -1, -1));
            }
            assertEquals(type >= 0 && type <= OrderType.GTD, OrderType.isValid(given));
        }
    }

    @Test
    void shouldRefuseEveryUnknownSide()
    {
        for (int side = Byte.MIN_VALUE; side <= Byte.MAX_VALUE; side++)
        {
            final byte given = (byte)side;
            for (final byte type : TYPES)
            {
                if (side != Side.BID && side != Side.ASK)
                {
                    assertRefused(CommandResult.WRONG_SIDE, () -> place(type, given, 9, 100, 1));
                    assertRefused(CommandResult.WRONG_SIDE, () -> place(type, given, 1, -1, -1));
                }
            }
        }
    }

    @Test
    void shouldRefuseEveryUnknownSelfTradePolicy()
    {
        for (int policy = Byte.MIN_VALUE; policy <= Byte.MAX_VALUE; policy++)
        {
            final byte given = (byte)policy;
            assertEquals(policy >= 0 && policy <= SelfTradePolicy.DECREMENT, SelfTradePolicy.isValid(given));
            for (final byte type : TYPES)
            {
                for (final byte side : SIDES)
                {
                    if (!SelfTradePolicy.isValid(given))
                    {
                        final CommandResult unknown = CommandResult.UNKNOWN_SELF_TRADE_POLICY;
                        assertRefused(unknown, () -> place(type, side, given, 9, UID, 100, 1));
                        assertRefused(unknown, () -> place(type, side, given, 1, UID, -1, -1));
                    }
                }
            }
        }
    }

    @Test
    void shouldAnswerEveryTripleOfBytes()
    {
        final long hash = book.stateHash();
        for (int type = Byte.MIN_VALUE; type <= Byte.MAX_VALUE; type++)
        {
            for (int side = Byte.MIN_VALUE; side <= Byte.MAX_VALUE; side++)
            {
                for (int policy = Byte.MIN_VALUE; policy <= Byte.MAX_VALUE; policy += 5)
                {
                    // Never accepted: the size is also wrong.
                    final CommandResult expected = type < 0 || type > OrderType.GTD ? CommandResult.UNKNOWN_ORDER_TYPE :
                        side != Side.BID && side != Side.ASK ? CommandResult.WRONG_SIDE :
                        policy < 0 || policy > SelfTradePolicy.DECREMENT ? CommandResult.UNKNOWN_SELF_TRADE_POLICY :
                        CommandResult.WRONG_SIZE;
                    final CommandResult result =
                        book.execute(new BookCommand().place((byte)type, (byte)side).selfTradePolicy((byte)policy)
                            .orderId(9).uid(UID).price(100).size(0).reservePrice(100));
                    if (result != expected)
                    {
                        throw new AssertionError(type + ", " + side + ", " + policy + ": " + result);
                    }
                }
            }
        }
        assertTrue(tape.isEmpty());
        assertEquals(hash, book.stateHash());
    }

    @Test
    void shouldRefuseSizesOutOfRange()
    {
        for (final long size : new long[]{0, -1, -5, Long.MIN_VALUE, SPEC.maxSize() + 1, Long.MAX_VALUE})
        {
            for (final byte type : TYPES)
            {
                for (final byte side : SIDES)
                {
                    assertRefused(CommandResult.WRONG_SIZE, () -> place(type, side, 9, 100, size));
                    assertRefused(CommandResult.WRONG_SIZE, () -> place(type, side, 1, -1, size));
                }
            }
        }
        assertEquals(CommandResult.SUCCESS, place(OrderType.GTC, Side.BID, 9, 1, SPEC.maxSize()));
        assertEquals(CommandResult.SUCCESS, place(OrderType.GTC, Side.BID, 10, 1, 1));
    }

    @Test
    void shouldRefusePricesOutOfRange()
    {
        for (final long price : new long[]{-1, -MAX, Long.MIN_VALUE, Long.MAX_VALUE})
        {
            for (final byte type : TYPES_WITH_LIMIT)
            {
                for (final byte side : SIDES)
                {
                    assertRefused(CommandResult.WRONG_PRICE, () -> place(type, side, 9, price, 1));
                    assertRefused(CommandResult.WRONG_PRICE, () -> place(type, side, 1, price, 1));
                }
            }
            assertRefused(CommandResult.WRONG_PRICE, () -> book.move(1, UID, price));
            assertRefused(CommandResult.WRONG_PRICE, () -> book.move(99, UID, price));
            assertRefused(CommandResult.WRONG_PRICE, () -> book.replace(1, UID, price, 5));
            assertRefused(CommandResult.WRONG_PRICE, () -> book.replace(99, UID, price, 0));
            assertRefused(CommandResult.WRONG_PRICE, () -> place(OrderType.IOC_BUDGET, Side.ASK, 9, price, 1));
        }
        assertEquals(CommandResult.SUCCESS, place(OrderType.GTC, Side.BID, 9, 0, 1));
        assertEquals(CommandResult.SUCCESS, place(OrderType.GTC, Side.ASK, 10, MAX, 1));
    }

    @Test
    void shouldRefuseNegativeBudgetsOnly()
    {
        for (final long budget : new long[]{-1, -MAX, Long.MIN_VALUE})
        {
            for (final byte side : SIDES)
            {
                assertRefused(CommandResult.WRONG_PRICE, () -> place(OrderType.FOK_BUDGET, side, 9, budget, 1));
                assertRefused(CommandResult.WRONG_PRICE, () -> place(OrderType.FOK_BUDGET, side, 1, budget, 1));
            }
        }
        assertEquals(CommandResult.SUCCESS, place(OrderType.FOK_BUDGET, Side.BID, 9, 0, 1));
        assertEquals(CommandResult.SUCCESS, place(OrderType.FOK_BUDGET, Side.BID, 9, Long.MAX_VALUE, 1));
        assertEquals(CommandResult.SUCCESS, place(OrderType.FOK_BUDGET, Side.ASK, 9, Long.MAX_VALUE, 1));
    }

    @Test
    void shouldIgnoreThePriceOfAMarketOrder()
    {
        for (final long price : new long[]{-1, Long.MIN_VALUE, Long.MAX_VALUE, 0})
        {
            assertEquals(CommandResult.SUCCESS, place(OrderType.MARKET, Side.ASK, 9, price, 1));
        }
    }

    @Test
    void shouldRefuseARestingIdForEveryOrderType()
    {
        for (final byte type : TYPES)
        {
            for (final byte side : SIDES)
            {
                for (final long id : new long[]{1, 3, 4, 5})
                {
                    final CommandResult duplicate = CommandResult.DUPLICATE_ORDER;
                    assertRefused(duplicate, () -> place(type, side, id, 100, 1));
                    assertRefused(duplicate, () -> place(type, side, id, 1, 1));
                    assertRefused(duplicate,
                        () -> place(type, side, SelfTradePolicy.CANCEL_BOTH, id, UID + 1, 10_000, 1));
                }
            }
        }
    }

    @Test
    void shouldRefuseOrdersThatWouldRestInAFullBook()
    {
        for (long id = 10; book.orderCount() < CAPACITY; id++)
        {
            place(OrderType.GTC, Side.BID, id, 40 + id, 1);
        }
        assertRefused(CommandResult.BOOK_FULL, () -> place(OrderType.GTC, Side.BID, 99, 100, 1));
        assertRefused(CommandResult.BOOK_FULL, () -> place(OrderType.GTC, Side.ASK, 99, MAX, 1));
        assertRefused(CommandResult.DUPLICATE_ORDER, () -> place(OrderType.GTC, Side.BID, 1, 100, 1));
        assertEquals(CommandResult.SUCCESS, place(OrderType.IOC, Side.BID, 99, 100, 1));
        assertEquals(CommandResult.SUCCESS, place(OrderType.GTC, Side.ASK, 99, 100, 1), "trades, rests not");
        tape.clear();
        assertRefused(CommandResult.BOOK_FULL, () -> place(OrderType.GTC, Side.ASK, 99, 101, 1));
        assertEquals(CommandResult.SUCCESS, book.cancel(3, UID));
        assertEquals(CommandResult.SUCCESS, place(OrderType.GTC, Side.ASK, 99, 101, 1));
    }

    @Test
    void shouldRefuseUnknownOrders()
    {
        for (final long id : new long[]{6, 0, -1, Long.MIN_VALUE, Long.MAX_VALUE})
        {
            assertRefused(CommandResult.UNKNOWN_ORDER, () -> book.cancel(id, UID));
            assertRefused(CommandResult.UNKNOWN_ORDER, () -> book.reduce(id, UID, 1));
            assertRefused(CommandResult.UNKNOWN_ORDER, () -> book.move(id, UID, 1));
            assertRefused(CommandResult.UNKNOWN_ORDER, () -> book.replace(id, UID, 1, 1));
        }
        assertRefused(CommandResult.UNKNOWN_ORDER, () -> book.cancel(1, UID + 1));
        assertRefused(CommandResult.UNKNOWN_ORDER, () -> book.reduce(1, UID + 1, 1));
        assertRefused(CommandResult.UNKNOWN_ORDER, () -> book.move(1, UID + 1, 1_000));
        assertRefused(CommandResult.UNKNOWN_ORDER, () -> book.replace(1, UID + 1, 1_000, 1));
    }

    @Test
    void shouldRefuseWrongReductionsMovesAndReplacements()
    {
        for (final long size : new long[]{0, -1, Long.MIN_VALUE, SPEC.maxSize() + 1, Long.MAX_VALUE})
        {
            assertRefused(CommandResult.WRONG_SIZE, () -> book.replace(1, UID, 100, size));
            assertRefused(CommandResult.WRONG_SIZE, () -> book.replace(99, UID, 100, size));
        }
        assertRefused(CommandResult.PRICE_OVER_RISK_LIMIT, () -> book.replace(1, UID, 101, 5));
        for (final long by : new long[]{0, -1, Long.MIN_VALUE})
        {
            assertRefused(CommandResult.WRONG_SIZE, () -> book.reduce(1, UID, by));
            assertRefused(CommandResult.WRONG_SIZE, () -> book.reduce(99, UID, by));
        }
        assertRefused(CommandResult.PRICE_OVER_RISK_LIMIT, () -> book.move(1, UID, 101));
        assertRefused(CommandResult.PRICE_OVER_RISK_LIMIT, () -> book.move(1, UID, MAX));
    }

    @Test
    void shouldRefuseQueriesWithAnUnknownSide()
    {
        final byte none = 2;
        assertThrows(IllegalArgumentException.class, () -> book.bestPrice(none));
        assertThrows(IllegalArgumentException.class, () -> book.volumeAt(none, 100));
        assertThrows(IllegalArgumentException.class, () -> book.volumeAt(none, -1));
        assertThrows(IllegalArgumentException.class, () -> book.levelCount(none));
        assertThrows(IllegalArgumentException.class, () -> book.forEachLevel(none, -1, tape));
        assertThrows(IllegalArgumentException.class, () -> book.forEachOrder(none, tape));
        assertTrue(tape.isEmpty());
    }

    private static void assertSays(final String message, final Supplier<?> made)
    {
        assertEquals(message, assertThrows(IllegalArgumentException.class, made::get).getMessage());
    }

    @Test
    void shouldReportTheValueAndTheRangeOfAWrongSpec()
    {
        final SymbolSpec spec = SymbolSpec.spot(1);
        for (final int orders : new int[]{0, -1, Integer.MIN_VALUE, SymbolSpec.MAX_ORDER_CAPACITY + 1})
        {
            assertSays("orderCapacity " + orders + " is not in 1..16777216", () -> spec.withOrderCapacity(orders));
        }
        for (final int ticks : new int[]{0, -64, 1, 32, 63, 65, 96, 4_194_305, 8_388_608, Integer.MIN_VALUE})
        {
            assertSays("windowTicks " + ticks + " is not a power of two in 64..4194304",
                () -> spec.withWindowTicks(ticks));
        }
        for (final long price : new long[]{-1, Long.MIN_VALUE, Long.MAX_VALUE})
        {
            assertSays("maxPrice " + price + " is not in 0..9223372036854775806", () -> spec.withPrices(0, price));
            assertSays("minAskPrice " + price + " is not in 0..9223372036854775806", () -> spec.withMinAskPrice(price));
        }
        assertSays("minPrice 11 is not in 0..10", () -> spec.withPrices(11, 10));
        assertSays("minPrice -1 is not in 0..10", () -> spec.withPrices(-1, 10));
        assertSays("minAskPrice 11 is not in 0..10", () -> spec.withPrices(0, 10).withMinAskPrice(11));
        assertThrows(NullPointerException.class, () -> new SymbolSpec(1, null, 1, 64));
        assertEquals(Long.MAX_VALUE, spec.withOrderCapacity(1).maxSize());
    }

    @Test
    void shouldNotAnswerForAnUnknownSymbol()
    {
        final MatchingEngine engine = new MatchingEngine(List.of(SPEC), tape);
        for (final int symbol : new int[]{0, 4, 6, -1, Integer.MIN_VALUE, Integer.MAX_VALUE})
        {
            final CommandResult unknown = CommandResult.UNKNOWN_SYMBOL;
            assertEquals(unknown, engine.execute(symbol, new BookCommand().place(OrderType.GTC, Side.BID).orderId(1)
                .uid(UID).price(100).size(1).reservePrice(100)));
            assertEquals(unknown, engine.execute(symbol, new BookCommand().place((byte)9, (byte)9).orderId(1).uid(UID)
                .price(-1).size(-1).reservePrice(100)));
            assertEquals(unknown, engine.cancel(symbol, 1, UID));
            assertEquals(unknown, engine.reduce(symbol, 1, UID, 0));
            assertEquals(unknown, engine.move(symbol, 1, UID, -1));
            assertNull(engine.book(symbol));
        }
        assertTrue(tape.isEmpty());
        assertFalse(engine.book(SPEC.symbol()).withOrder(1, tape));
        assertEquals(CommandResult.SUCCESS, engine.execute(5, new BookCommand().place(OrderType.GTC, Side.BID)
            .orderId(1).uid(UID).price(100).size(1).reservePrice(100)));
        assertEquals(1, engine.book(SPEC.symbol()).orderCount());
    }

    @Test
    void shouldRefuseAnEngineWithoutSymbolsOrWithOneTwice()
    {
        assertSays("an engine needs at least one symbol", () -> new MatchingEngine(List.of(), tape));
        assertSays("symbol 5 is given twice",
            () -> new MatchingEngine(List.of(SPEC, SymbolSpec.future(6), SymbolSpec.future(5)), tape));
        assertThrows(NullPointerException.class, () -> new MatchingEngine(List.of(SPEC), null));
    }

    @Test
    void shouldHashAnEngineByTheContentOfItsBooks()
    {
        final List<SymbolSpec> specs = List.of(SymbolSpec.spot(2), SymbolSpec.future(1));
        final MatchingEngine one = new MatchingEngine(specs, tape);
        final MatchingEngine other = new MatchingEngine(List.of(specs.get(1), specs.get(0)), tape);
        assertEquals(one.stateHash(), other.stateHash());
        one.execute(1, new BookCommand().place(OrderType.GTC, Side.BID).orderId(1).uid(UID).price(100).size(1)
            .reservePrice(100));
        assertTrue(one.stateHash() != other.stateHash());
        other.execute(2, new BookCommand().place(OrderType.GTC, Side.BID).orderId(1).uid(UID).price(100).size(1)
            .reservePrice(100));
        assertTrue(one.stateHash() != other.stateHash(), "the same order in another book");
        other.cancel(2, 1, UID);
        other.execute(1, new BookCommand().place(OrderType.GTC, Side.BID).orderId(1).uid(UID).price(100).size(1)
            .reservePrice(100));
        assertEquals(one.stateHash(), other.stateHash());
    }
}

package io.millrace.engine.book;

import io.millrace.engine.EngineContext;
import io.millrace.engine.Execution;
import io.millrace.engine.MatchingEngine;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.engine.risk.SymbolTerms;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The largest order and the price band of a symbol: no trade outside, and nothing of an order is lost. */
class PriceBandTest
{
    private static final int SYMBOL = 1;
    private static final long TICKS = 5;

    private final List<String> events = new ArrayList<>();
    private final Map<Long, Long> gone = new HashMap<>();
    private final BookCommand command = new BookCommand();
    private long least;
    private long greatest;
    private int stopped;
    private MatchingEngine engine;

    private void onExecution(final Execution e)
    {
        final String reason = " " + ExecutionReason.name(e.reason());
        switch (e.kind())
        {
            case TRADE ->
            {
                assertTrue(e.price() >= least && e.price() <= greatest,
                    () -> e.price() + " is not in " + least + ".." + greatest);
                gone.merge(e.makerOrderId(), e.size(), Long::sum);
                events.add("TRADE " + e.size() + "@" + e.price());
            }
            case REJECT -> events.add("REJECT " + e.size() + reason);
            case REDUCE -> events.add("REDUCE " + e.size() + reason + (e.completed() ? " completed" : ""));
            default ->
            {
                return;
            }
        }
        gone.merge(e.orderId(), e.size(), Long::sum);
        stopped += e.reason() == ExecutionReason.PRICE_BAND ? 1 : 0;
    }

    private void engine(final PriceBand.Policy policy, final long reference)
    {
        least = 0;
        greatest = Long.MAX_VALUE;
        final SymbolSpec spec = SymbolSpec.future(SYMBOL).withOrderCapacity(64).withWindowTicks(64)
            .withPrices(0, 10_000).withMaxOrderSize(50).withPriceBand(new PriceBand(policy, TICKS, reference));
        engine = new MatchingEngine(new EngineContext().symbol(spec, SymbolTerms.future(2, 3, 1, 1, 100_000))
            .risk(new RiskLimits().withUsers(8)), (Execution.Listener)this::onExecution);
        for (int uid = 1; uid <= 4; uid++)
        {
            engine.addUser(uid);
            engine.adjustBalance(uid, 3, 1L << 40, 1);
        }
    }

    private CommandResult place(
        final byte type, final byte side, final long id, final long price, final long size, final long parameter)
    {
        return engine.execute(SYMBOL, command.place(type, side).orderId(id).uid(1 + Math.floorMod(id, 4)).price(price)
            .size(size).reservePrice(price).parameter(parameter));
    }

    private CommandResult limit(final byte side, final long id, final long price, final long size)
    {
        return place(OrderType.GTC, side, id, price, size, 0);
    }

    /** Asks of 10 at 100, 104, 106 and 110; the last trade was at 100. */
    private void asks(final PriceBand.Policy policy)
    {
        engine(policy, 100);
        limit(Side.ASK, 1, 100, 11);
        limit(Side.BID, 2, 100, 1);
        limit(Side.ASK, 3, 104, 10);
        limit(Side.ASK, 5, 106, 10);
        limit(Side.ASK, 6, 110, 10);
        events.clear();
    }

    @Test
    void shouldRemoveATriggeredOrderThatTheTradesOfItsCommandLeftBeyondTheBand()
    {
        engine(PriceBand.Policy.STOP, 103);
        place(OrderType.STOP_LIMIT, Side.BID, 12, 107, 1, 94);
        limit(Side.ASK, 1, 100, 1);
        limit(Side.BID, 2, 100, 1);
        assertEquals(List.of("TRADE 1@100", "REDUCE 1 PRICE_BAND completed"), events);
        engine.verify();
    }

    @Test
    void shouldRefuseALimitBeyondTheBand()
    {
        asks(PriceBand.Policy.REJECT);
        assertEquals(CommandResult.OUTSIDE_PRICE_BAND, limit(Side.BID, 10, 106, 1));
        assertEquals(CommandResult.OUTSIDE_PRICE_BAND, limit(Side.ASK, 10, 94, 1));
        assertEquals(CommandResult.OUTSIDE_PRICE_BAND, place(OrderType.IOC, Side.BID, 10, 106, 1, 0));
        assertEquals(CommandResult.OUTSIDE_PRICE_BAND, place(OrderType.ICEBERG, Side.BID, 10, 106, 4, 2));
        assertEquals(CommandResult.SUCCESS, limit(Side.BID, 10, 90, 1));
        assertEquals(CommandResult.OUTSIDE_PRICE_BAND, engine.move(SYMBOL, 10, 3, 106));
        assertEquals(CommandResult.OUTSIDE_PRICE_BAND, engine.replace(SYMBOL, 10, 3, 107, 2));
        assertEquals(CommandResult.SUCCESS, limit(Side.ASK, 11, 200, 1));
        assertEquals(CommandResult.SUCCESS, place(OrderType.STOP_LIMIT, Side.BID, 12, 120, 1, 119));
        assertEquals(List.of(), events);
        place(OrderType.MARKET, Side.BID, 13, 0, 50, 0);
        assertEquals(List.of("REJECT 30 PRICE_BAND", "TRADE 10@100", "TRADE 10@104"), events);
        assertFalse(engine.isHalted(SYMBOL));
        engine.verify();
    }

    @Test
    void shouldNotLimitAnythingBeforeTheFirstTradeWithoutAReference()
    {
        engine(PriceBand.Policy.REJECT, PriceBand.NO_REFERENCE);
        assertEquals(CommandResult.SUCCESS, limit(Side.BID, 1, 5_000, 1));
        assertEquals(CommandResult.SUCCESS, limit(Side.ASK, 2, 100, 1));
        assertEquals(List.of("TRADE 1@5000"), events);
        assertEquals(CommandResult.OUTSIDE_PRICE_BAND, limit(Side.ASK, 3, 4_994, 1));
    }

    /** A trade outside of the book moves the band away from the best prices. */
    @Test
    void shouldRefuseAMoveBehindTheBestPriceThatIsBeyondTheBand()
    {
        final PriceBand band = new PriceBand(PriceBand.Policy.REJECT, TICKS, PriceBand.NO_REFERENCE);
        final OrderBook book = new OrderBook(SymbolSpec.future(SYMBOL).withOrderCapacity(64).withWindowTicks(64)
            .withPrices(100, 200).withPriceBand(band), new Tape());
        for (final long[] bid : new long[][]{{1, 150}, {2, 149}, {3, 120}, {4, 110}})
        {
            assertEquals(CommandResult.SUCCESS, book.execute(
                command.place(OrderType.GTC, Side.BID).orderId(bid[0]).uid(7).price(bid[1]).size(5)));
        }
        assertEquals(CommandResult.SUCCESS, book.executeMaker(3, 7, 9, 9, 1));
        assertEquals(CommandResult.OUTSIDE_PRICE_BAND, book.move(4, 7, 126));
        assertEquals(CommandResult.SUCCESS, book.move(4, 7, 125));
        book.verify();
    }

    @Test
    void shouldStopASweepAtTheBandAndRemoveTheRest()
    {
        asks(PriceBand.Policy.STOP);
        limit(Side.BID, 10, 110, 25);
        assertEquals(List.of("TRADE 10@100", "TRADE 10@104", "REDUCE 5 PRICE_BAND completed"), events);
        assertEquals(0, engine.book(SYMBOL).openSize(10));
        events.clear();
        // The band is around 104 now.
        limit(Side.BID, 11, 109, 15);
        assertEquals(List.of("TRADE 10@106"), events);
        assertEquals(5, engine.book(SYMBOL).openSize(11));
        events.clear();
        // It crosses nothing, but must not rest where a later ask would trade beyond the band.
        assertEquals(CommandResult.SUCCESS, engine.cancel(SYMBOL, 6, 3));
        events.clear();
        limit(Side.BID, 12, 112, 4);
        assertEquals(List.of("REDUCE 4 PRICE_BAND completed"), events);
        engine.move(SYMBOL, 11, 4, 200);
        assertEquals(List.of("REDUCE 4 PRICE_BAND completed", "REDUCE 5 PRICE_BAND completed"), events);
        assertEquals(0, engine.book(SYMBOL).orderCount());
        engine.verify();
    }

    @Test
    void shouldFillOrKillWithinTheBandOnly()
    {
        asks(PriceBand.Policy.STOP);
        place(OrderType.FOK, Side.BID, 10, 110, 21, 0);
        place(OrderType.FOK_BUDGET, Side.BID, 10, 40_000, 21, 0);
        place(OrderType.IOC_BUDGET, Side.BID, 10, 40_000, 21, 0);
        assertEquals(List.of("REJECT 21 PRICE_BAND", "REJECT 21 PRICE_BAND", "REJECT 1 PRICE_BAND", "TRADE 10@100",
            "TRADE 10@104"), events);
    }

    @Test
    void shouldHaltWhenATradeWouldLeaveTheBand()
    {
        asks(PriceBand.Policy.HALT);
        limit(Side.BID, 10, 105, 15);
        assertFalse(engine.isHalted(SYMBOL));
        limit(Side.BID, 11, 110, 30);
        assertEquals(List.of("TRADE 10@100", "TRADE 5@104", "TRADE 5@104", "TRADE 10@106",
            "REDUCE 15 PRICE_BAND completed"), events);
        assertTrue(engine.isHalted(SYMBOL));
        assertEquals(CommandResult.SYMBOL_HALTED, limit(Side.BID, 12, 90, 1));
        assertEquals(CommandResult.SUCCESS, engine.resumeSymbol(SYMBOL));
        assertEquals(CommandResult.SUCCESS, limit(Side.BID, 12, 90, 1));
        assertFalse(engine.isHalted(SYMBOL));
        engine.move(SYMBOL, 12, 1, 200);
        assertFalse(engine.isHalted(SYMBOL), "it has traded within the band");
        assertEquals("TRADE 1@110", events.get(events.size() - 1));
        limit(Side.BID, 13, 200, 1);
        assertFalse(engine.isHalted(SYMBOL), "there was nothing to trade with");
        assertEquals("TRADE 1@110", events.get(events.size() - 1));
        engine.verify();
    }

    @Test
    void shouldNotHaltForAnOrderThatIsRejectedWithoutTheBandToo()
    {
        asks(PriceBand.Policy.HALT);
        place(OrderType.FOK, Side.BID, 10, 110, 50, 0);
        place(OrderType.FOK_BUDGET, Side.BID, 10, 999, 10, 0);
        place(OrderType.IOC_BUDGET, Side.BID, 10, 1_200, 15, 0);
        assertEquals(List.of("REJECT 50 NONE", "REJECT 10 NONE", "REJECT 5 NONE", "TRADE 10@100"), events);
        assertFalse(engine.isHalted(SYMBOL));
        events.clear();
        place(OrderType.FOK, Side.BID, 10, 110, 30, 0);
        assertEquals(List.of("REJECT 30 PRICE_BAND"), events);
        assertTrue(engine.isHalted(SYMBOL));
        engine.verify();
    }

    @ParameterizedTest
    @ValueSource(strings = {"move", "replace", "replaceOpen"})
    void shouldHaltWhenAChangedOrderWouldLeaveTheBand(final String change)
    {
        asks(PriceBand.Policy.HALT);
        limit(Side.BID, 10, 105, 15);
        limit(Side.BID, 11, 99, 30);
        assertFalse(engine.isHalted(SYMBOL));
        assertEquals(CommandResult.SUCCESS, change.equals("move") ? engine.move(SYMBOL, 11, 4, 110) :
            change.equals("replace") ? engine.replace(SYMBOL, 11, 4, 110, 30) :
            engine.replaceOpen(SYMBOL, 11, 4, 110, 30));
        assertEquals("REDUCE 15 PRICE_BAND completed", events.get(events.size() - 1));
        assertTrue(engine.isHalted(SYMBOL));
        engine.verify();
    }

    @Test
    void shouldRefuseALargerOrder()
    {
        engine(PriceBand.Policy.STOP, 100);
        assertEquals(CommandResult.ORDER_TOO_LARGE, limit(Side.BID, 1, 100, 51));
        assertEquals(CommandResult.SUCCESS, limit(Side.BID, 1, 100, 50));
        assertEquals(CommandResult.ORDER_TOO_LARGE, engine.replace(SYMBOL, 1, 2, 100, 51));
        assertEquals(CommandResult.SUCCESS, engine.replace(SYMBOL, 1, 2, 99, 50));
        assertEquals(CommandResult.WRONG_SIZE, limit(Side.BID, 2, 100, 0));
        assertEquals(CommandResult.WRONG_SIZE, limit(Side.BID, 2, 100, Long.MAX_VALUE));
    }

    @Test
    void shouldNameWrongNumbers()
    {
        assertEquals("price band: ticks 0 is not in 1.." + SymbolSpec.MAX_PRICE, assertThrows(
            IllegalArgumentException.class, () -> new PriceBand(PriceBand.Policy.STOP, 0, 5)).getMessage());
        assertEquals("price band: policy 4 is not in 0..3", assertThrows(
            IllegalArgumentException.class, () -> PriceBand.of(4, 1, 5)).getMessage());
        assertEquals("maxOrderSize 0 is not in 1.." + SymbolSpec.spot(1).maxSize(), assertThrows(
            IllegalArgumentException.class, () -> SymbolSpec.spot(1).withMaxOrderSize(0)).getMessage());
    }

    /** Trades stay in the band, what an order loses adds up, and money and books agree after each command. */
    @ParameterizedTest
    @EnumSource(value = PriceBand.Policy.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void shouldKeepEveryTradeInTheBand(final PriceBand.Policy policy)
    {
        final long seed = Long.getLong("millrace.seed", System.nanoTime());
        System.out.println("PriceBandTest: -Dmillrace.seed=" + seed);
        final Random random = new Random(seed);
        engine(policy, 100);
        final Map<CommandResult, Integer> results = new HashMap<>();
        for (int i = 0; i < 12_000; i++)
        {
            final long last = engine.book(SYMBOL).lastTradePrice();
            final long around = last < 0 ? 100 : last;
            least = around - TICKS;
            greatest = around + TICKS;
            results.merge(random(random, Math.max(20, around)), 1, Integer::sum);
            if (engine.isHalted(SYMBOL) && random.nextInt(3) == 0)
            {
                engine.resumeSymbol(SYMBOL);
            }
            if (i % 50 == 0)
            {
                engine.verify();
            }
        }
        assertTrue(stopped > 20, "the band was seldom reached: " + stopped);
        assertEquals(policy == PriceBand.Policy.REJECT, results.containsKey(CommandResult.OUTSIDE_PRICE_BAND));
        assertEquals(policy == PriceBand.Policy.HALT, results.containsKey(CommandResult.SYMBOL_HALTED));
    }

    /** The same against a second implementation of the rules, with everything that a book can do. */
    @ParameterizedTest
    @EnumSource(value = PriceBand.Policy.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void shouldMatchTheReference(final PriceBand.Policy policy)
    {
        matchTheReference(policy, 4);
    }

    @Tag("faults")
    @ParameterizedTest
    @EnumSource(value = PriceBand.Policy.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void shouldMatchTheReferenceOverAMillionCommands(final PriceBand.Policy policy)
    {
        matchTheReference(policy, 200);
    }

    private static void matchTheReference(final PriceBand.Policy policy, final int seeds)
    {
        final BookTally tally = new BookTally();
        for (long seed = 1; seed <= seeds; seed++)
        {
            BookTrial.run(seed, 5_000, 1, tally, policy);
        }
        assertTrue(tally.stopped() > 200L * seeds, "orders stopped at the band: " + tally.stopped());
        assertTrue(tally.count(CommandResult.ORDER_TOO_LARGE) > seeds, tally::toString);
        assertEquals(policy == PriceBand.Policy.REJECT, tally.count(CommandResult.OUTSIDE_PRICE_BAND) > 100L * seeds);
    }

    private CommandResult random(final Random random, final long around)
    {
        final long id = random.nextInt(80);
        final long uid = 1 + id % 4;
        final long price = around - 9 + random.nextInt(19);
        final byte side = (byte)random.nextInt(2);
        switch (random.nextInt(6))
        {
            case 0:
                return engine.move(SYMBOL, id, uid, price);
            case 1:
                return engine.cancel(SYMBOL, id, uid);
            default:
                final byte type = random.nextBoolean() ? OrderType.GTC : (byte)random.nextInt(OrderType.GTD + 1);
                final long size = 1 + random.nextInt(9);
                final boolean hasBudget = OrderType.hasBudget(type, side);
                gone.remove(id);
                events.clear();
                return placed(engine.execute(SYMBOL, command.place(type, side).orderId(id).uid(uid)
                    .price(hasBudget ? price * size : price).size(size).reservePrice(price)
                    .selfTradePolicy((byte)random.nextInt(5)).parameter(OrderType.isStop(type) ? price :
                    type == OrderType.ICEBERG ? 1 : type == OrderType.GTD ? 99 : 0)), id, size);
        }
    }

    private CommandResult placed(final CommandResult result, final long id, final long size)
    {
        if (result == CommandResult.SUCCESS)
        {
            assertEquals(size, gone.getOrDefault(id, 0L) + engine.book(SYMBOL).openSize(id), events::toString);
        }
        return result;
    }
}

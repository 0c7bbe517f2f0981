package io.millrace.engine.risk;

import io.millrace.engine.EngineContext;
import io.millrace.engine.EventCounter;
import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Extreme numbers: refused at entry, or settled exactly; all 256 values of each byte. */
class RiskBoundsTest
{
    private static final int BTC = 100;
    private static final int USD = 200;
    private static final int USERS = 6;
    private static final int SEEDS = 12;
    private static final int COMMANDS = 10_000;
    private static final long GREATEST_PRICE = 1L << 24;
    private static final long GREATEST_POSITION = SymbolTerms.MAX_EXPOSURE / GREATEST_PRICE;
    private static final long LOTS = GREATEST_POSITION - 1;

    private static SymbolSpec spec(final SymbolSpec symbol)
    {
        return symbol.withOrderCapacity(32).withWindowTicks(64);
    }

    private static MatchingEngine engine(final RiskLimits limits, final long quoteScale, final long margin)
    {
        final MatchingEngine engine = new MatchingEngine(new EngineContext().risk(limits)
            .symbol(spec(SymbolSpec.spot(1)), SymbolTerms.spot(BTC, USD, 1L << 40, quoteScale).withFees(1 << 20, 1))
            .symbol(spec(SymbolSpec.future(5)).withPrices(0, GREATEST_PRICE),
                SymbolTerms.future(BTC, USD, margin, margin, GREATEST_POSITION).withFees(1, 1))
            .symbol(spec(SymbolSpec.future(6)).withPrices(0, GREATEST_PRICE),
                SymbolTerms.future(BTC, USD, margin, margin, GREATEST_POSITION)),
            new EventCounter());
        for (long uid = 1; uid <= USERS; uid++)
        {
            assertEquals(CommandResult.SUCCESS, engine.addUser(uid));
            for (final int currency : new int[]{BTC, USD})
            {
                assertEquals(CommandResult.SUCCESS,
                    engine.adjustBalance(uid, currency, RiskLimits.MAX_ADJUSTED / USERS, currency));
            }
        }
        return engine;
    }

    /** No part of the state leaves the range that {@link RiskEngine} promises. */
    private static void checkBounds(final MatchingEngine engine, final RiskLimits limits)
    {
        engine.verify();
        for (long uid = 1; uid <= USERS; uid++)
        {
            final ReportRows user = ReportRows.user(engine, uid);
            for (final ReportRows.Account each : user.accounts)
            {
                assertTrue(each.balance() >= -limits.maxDebt() && each.balance() < 1L << 62, each::toString);
                assertTrue(each.reserved() >= 0 && each.reserved() < 1L << 62, each::toString);
            }
            for (final ReportRows.Position each : user.positions)
            {
                final long cash = each.profit() - Long.signum(each.volume()) * each.priceSum();
                assertTrue(cash >= -Positions.MAX_LOSS && cash < 1L << 62, each::toString);
                assertTrue(Math.abs(each.volume()) <= GREATEST_POSITION, each::toString);
            }
        }
    }

    /** Trades of the greatest sizes at the ends of the range of prices, without margin: losses grow without limit. */
    private static void storm(
        final long seed,
        final RiskLimits limits,
        final long margin,
        final Map<CommandResult, Integer> tally)
    {
        final Random random = new Random(seed);
        final MatchingEngine engine = engine(limits, 1L << (seed % 3 * 18), margin);
        for (int i = 0; i < COMMANDS; i++)
        {
            final long uid = 1 + random.nextInt(USERS);
            final int symbol = random.nextInt(8) == 0 ? 1 : 5 + random.nextInt(2);
            final long price = random.nextInt(4) > 0 ? random.nextBoolean() ? GREATEST_PRICE : 0 :
                random.nextInt((int)GREATEST_PRICE);
            final long size = symbol == 1 ? 1L << random.nextInt(50) :
                random.nextBoolean() ? GREATEST_POSITION : 1 + random.nextInt((int)GREATEST_POSITION);
            final byte side = (byte)random.nextInt(2);
            final int draw = random.nextInt(10);
            final CommandResult result = draw == 0 ? engine.cancel(symbol, random.nextInt(20), uid) :
                draw == 1 ? engine.replace(symbol, random.nextInt(20), uid, price, size) :
                draw == 2 ? engine.adjustBalance(uid, USD, random.nextLong() >> random.nextInt(30), 1_000 + i) :
                engine.execute(symbol, new BookCommand().place(draw == 3 ? OrderType.IOC : OrderType.GTC, side)
                    .orderId(random.nextInt(200)).uid(uid).price(price).size(size).reservePrice(price));
            if (symbol != 1)
            {
                tally.merge(result, 1, Integer::sum);
            }
            if (i % 16 == 0)
            {
                checkBounds(engine, limits);
            }
        }
    }

    @Test
    void shouldNeitherOverflowNorBreakAtAnyLoss()
    {
        final Map<CommandResult, Integer> tally = new TreeMap<>();
        for (long seed = 1; seed <= SEEDS; seed++)
        {
            final RiskLimits few = new RiskLimits().withUsers(8);
            storm(seed, seed % 2 == 0 ? few : few.withCapacities(8, 1 << 16, 16), seed % 4 < 2 ? 0 : 1, tally);
        }
        assertTrue(tally.get(CommandResult.RISK_DEBT) > SEEDS, tally::toString);
        assertTrue(tally.get(CommandResult.SUCCESS) > SEEDS * COMMANDS / 20, tally::toString);
    }

    /** User 1 buys at the greatest price and sells at 1, as long as it may; it needs no margin. */
    private static int rounds(final MatchingEngine engine, final RiskLimits limits)
    {
        final byte[] sides = {Side.ASK, Side.BID, Side.BID, Side.ASK};
        final long[] uids = {2, 1, 2, 1};
        for (int round = 0; ; round++)
        {
            for (int i = 0; i < sides.length; i++)
            {
                final long price = i < 2 ? GREATEST_PRICE : 1;
                final CommandResult result = engine.execute(6, new BookCommand().place(OrderType.GTC, sides[i])
                    .orderId(10 + i).uid(uids[i]).price(price).size(LOTS).reservePrice(price));
                if (result != CommandResult.SUCCESS)
                {
                    assertEquals(CommandResult.RISK_DEBT, result);
                    assertEquals(1, uids[i]);
                    return round;
                }
                checkBounds(engine, limits);
            }
        }
    }

    /** The bid of the last round still had to fit. */
    private static long roundsWithin(final long loss)
    {
        return (loss - GREATEST_PRICE * LOTS) / ((GREATEST_PRICE - 1) * LOTS) + 1;
    }

    @Test
    void shouldEndLossesAtTheGreatestDebt()
    {
        final RiskLimits limits = new RiskLimits().withUsers(8);
        final MatchingEngine engine = engine(limits, 1, 0);
        assertEquals(roundsWithin(RiskLimits.MAX_ADJUSTED / USERS + limits.maxDebt()), rounds(engine, limits));
    }

    @Test
    void shouldBoundTheLossOfAnOpenPosition()
    {
        final RiskLimits limits = new RiskLimits().withUsers(8);
        final MatchingEngine engine = engine(limits, 1, 0);
        // With an open order the position remains, and so does its loss.
        assertEquals(CommandResult.SUCCESS, engine.execute(6, new BookCommand().place(OrderType.STOP, Side.ASK)
            .orderId(1).uid(1).size(1)));
        assertEquals(roundsWithin(Positions.MAX_LOSS), rounds(engine, limits));
    }

    private static CommandResult give(
        final MatchingEngine engine, final byte side, final long uid, final long lots)
    {
        return engine.execute(5, new BookCommand().place(OrderType.IOC, side).orderId(100 + uid).uid(uid).price(1)
            .size(lots).reservePrice(1));
    }

    @Test
    void shouldAllowAVeryLargeShortPositionToBeBoughtBackInParts()
    {
        final long maxPrice = 1_000_000;
        final long part = 20_000_000;
        final RiskLimits limits = new RiskLimits();
        assertEquals(1L << 45, limits.maxDebt());
        final MatchingEngine engine = new MatchingEngine(new EngineContext().risk(limits).symbol(
            SymbolSpec.future(5).withOrderCapacity(32).withWindowTicks(64).withPrices(0, maxPrice),
            SymbolTerms.future(3, USD, 0, 0, 1 << 28)), new EventCounter());
        for (long uid = 1; uid <= 2; uid++)
        {
            assertEquals(CommandResult.SUCCESS, engine.addUser(uid));
        }
        assertEquals(CommandResult.SUCCESS, engine.execute(5, new BookCommand().place(OrderType.GTC, Side.ASK)
            .orderId(1).uid(1).price(1).size(2 * part).reservePrice(1)));
        assertEquals(CommandResult.RISK_DEBT, give(engine, Side.BID, 2, 2 * part));
        assertEquals(CommandResult.SUCCESS, give(engine, Side.BID, 2, part));
        assertEquals(CommandResult.SUCCESS, give(engine, Side.BID, 2, part));
        assertEquals(CommandResult.SUCCESS, engine.execute(5, new BookCommand().place(OrderType.GTC, Side.ASK)
            .orderId(2).uid(2).price(1).size(2 * part).reservePrice(1)));
        assertEquals(CommandResult.RISK_DEBT, give(engine, Side.BID, 1, 2 * part), "it would only close");
        assertEquals(CommandResult.SUCCESS, give(engine, Side.BID, 1, part));
        assertEquals(CommandResult.SUCCESS, give(engine, Side.BID, 1, part));
        engine.verify();
        assertEquals(CommandResult.SUCCESS, engine.removeSymbol(5), "nobody has a position");
    }

    @Test
    void shouldAllowTheGreatestDebtAndNoMore()
    {
        final long fee = 16;
        // With the fee.
        final long lotCost = 1 << 20;
        final RiskLimits limits = new RiskLimits();
        final SymbolTerms future = SymbolTerms.future(3, USD, 0, 0, 1 << 27).withFees(fee, 0);
        final MatchingEngine engine = new MatchingEngine(new EngineContext().risk(limits)
            .symbol(SymbolSpec.spot(1).withOrderCapacity(32).withWindowTicks(64), SymbolTerms.spot(2, USD, 1, 1))
            .symbol(spec(SymbolSpec.future(5)).withPrices(0, lotCost - fee), future)
            .symbol(spec(SymbolSpec.future(6)).withPrices(0, lotCost - fee), future), new EventCounter());
        engine.addUser(1);
        // The bids at the greatest price cost a lot and the greatest debt, and the fees of the asks another lot.
        assertEquals(CommandResult.SUCCESS, engine.adjustBalance(1, USD, 2 * lotCost, 1));
        assertEquals(CommandResult.SUCCESS, engine.execute(6, new BookCommand().place(OrderType.GTC, Side.ASK)
            .orderId(1).uid(1).price(2).size(lotCost / fee)));
        assertEquals(CommandResult.SUCCESS, bid(engine, 5, 1, limits.maxDebt() / lotCost + 1));
        assertEquals(CommandResult.RISK_DEBT, bid(engine, 5, 2, 1));
        assertEquals(CommandResult.RISK_DEBT, engine.adjustBalance(1, USD, -1, 2));
        assertEquals(CommandResult.RISK_DEBT, bid(engine, 1, 2, 1));
        assertEquals(CommandResult.SUCCESS, engine.adjustBalance(1, USD, 1, 2));
        assertEquals(CommandResult.SUCCESS, engine.adjustBalance(1, USD, -1, 3));
        assertEquals(CommandResult.SUCCESS, engine.adjustBalance(1, USD, 1, 4));
        assertEquals(CommandResult.SUCCESS, bid(engine, 1, 2, 1));
        engine.verify();
    }

    private static CommandResult bid(final MatchingEngine engine, final int symbol, final long id, final long lots)
    {
        return engine.execute(symbol, new BookCommand().place(OrderType.GTC, Side.BID).orderId(id).uid(1).price(1)
            .size(lots).reservePrice(1));
    }

    @Test
    void shouldReserveTheGreatestAmountExactly()
    {
        final MatchingEngine engine = engine(new RiskLimits().withUsers(8), 1, 0);
        // A user's holding in lots at a price of 2^20 - 1 with a fee of 2^20: 2^21 - 1 for each lot.
        final long each = (1L << 21) - 1;
        final long most = RiskLimits.MAX_ADJUSTED / USERS / each;
        final long price = (1L << 20) - 1;
        assertTrue(most <= SymbolSpec.spot(1).withOrderCapacity(32).maxSize());
        assertEquals(CommandResult.RISK_NSF, engine.execute(1, new BookCommand().place(OrderType.GTC, Side.BID)
            .orderId(1).uid(1).price(price).size(most + 1).reservePrice(price)));
        assertEquals(CommandResult.SUCCESS, engine.execute(1, new BookCommand().place(OrderType.GTC, Side.BID)
            .orderId(1).uid(1).price(price).size(most).reservePrice(price)));
        ReportRows.user(engine, 1).accounts.forEach(account ->
            assertEquals(account.currency() == USD ? most * each : 0, account.reserved()));
        engine.verify();
        // The reserve of one more lot at twice the price exceeds the maximum reserve.
        final long lots = (1L << 62) / each + 1;
        assertEquals(CommandResult.WRONG_SIZE, engine.execute(1,
            new BookCommand().place(OrderType.GTC, Side.BID).orderId(2).uid(1).price(price).size(1L << 59)
            .reservePrice(price)));
        assertEquals(CommandResult.RISK_OVERFLOW, engine.execute(1,
            new BookCommand().place(OrderType.GTC, Side.BID).orderId(2).uid(1).price(price).size(lots)
            .reservePrice(price)));
        // A lot is 2^40 units of the base currency.
        for (long more = 0; more <= 1; more++)
        {
            assertEquals(more == 0 ? CommandResult.RISK_NSF : CommandResult.RISK_OVERFLOW, engine.execute(1,
                new BookCommand().place(OrderType.GTC, Side.ASK).orderId(2).uid(1).price(1 << 20)
                .size((1 << 22) + more)));
        }
    }

    @Test
    void shouldRefuseAdjustmentsBeyondTheLimitOfACurrency()
    {
        final MatchingEngine engine = engine(new RiskLimits().withUsers(8), 1, 0);
        final long left = RiskLimits.MAX_ADJUSTED - RiskLimits.MAX_ADJUSTED / USERS * USERS;
        for (final long amount : new long[]{left + 1, Long.MAX_VALUE, Long.MAX_VALUE - 1})
        {
            assertEquals(CommandResult.BALANCE_OVERFLOW, engine.adjustBalance(1, USD, amount, 1_000));
        }
        assertEquals(CommandResult.BALANCE_NSF, engine.adjustBalance(1, USD, Long.MIN_VALUE, 1_000));
        assertEquals(CommandResult.BALANCE_NSF,
            engine.adjustBalance(1, USD, -RiskLimits.MAX_ADJUSTED / USERS - 1, 1_000));
        assertEquals(CommandResult.SUCCESS, engine.adjustBalance(1, USD, left, 1_000));
        assertEquals(CommandResult.BALANCE_OVERFLOW, engine.adjustBalance(1, USD, 1, 1_001));
        assertEquals(CommandResult.ALREADY_APPLIED_MANY, engine.adjustBalance(1, USD, 1, Long.MIN_VALUE));
        assertEquals(CommandResult.SUCCESS, engine.adjustBalance(1, USD, -1, Long.MAX_VALUE));
        engine.verify();
    }

    /** Type, side and policy, each with the others valid; on a spot symbol and on a future. */
    @Test
    void shouldRefuseAllUnknownBytes()
    {
        final MatchingEngine engine = engine(new RiskLimits().withUsers(8), 1, 0);
        for (int value = Byte.MIN_VALUE; value <= Byte.MAX_VALUE; value++)
        {
            final byte b = (byte)value;
            for (final int symbol : new int[]{1, 5})
            {
                final long before = engine.stateHash();
                final CommandResult type = engine.execute(symbol, new BookCommand().place(b, Side.BID).orderId(1).uid(1)
                    .price(1 << 20).size(1).reservePrice(1 << 20));
                assertEquals(OrderType.isValid(b), type != CommandResult.UNKNOWN_ORDER_TYPE);
                engine.cancel(symbol, 1, 1);
                final long hash = engine.stateHash();
                final boolean isCounted = type == CommandResult.SUCCESS && OrderType.isStop(b);
                assertEquals(isCounted, hash != before, "nothing is left, except a number of acceptance");
                final CommandResult side = engine.execute(symbol, new BookCommand().place(OrderType.GTC, b).orderId(1)
                    .uid(1).price(1 << 20).size(1).reservePrice(1 << 20));
                assertEquals(Side.isValid(b) ? CommandResult.SUCCESS : CommandResult.WRONG_SIDE, side);
                engine.cancel(symbol, 1, 1);
                final CommandResult policy = engine.execute(symbol, new BookCommand().place(OrderType.GTC, Side.BID)
                    .selfTradePolicy(b).orderId(1).uid(1).price(1 << 20).size(1).reservePrice(1 << 20));
                assertEquals(SelfTradePolicy.isValid(b) ?
                    CommandResult.SUCCESS : CommandResult.UNKNOWN_SELF_TRADE_POLICY, policy);
                engine.cancel(symbol, 1, 1);
                assertEquals(hash, engine.stateHash(), "all is as it was");
            }
        }
        engine.verify();
    }

    @Test
    void shouldReportTheValueAndTheRangeOfWrongTermsAndLimits()
    {
        assertSays(() -> SymbolTerms.spot(1, 2, 1, 1).withFees(5, 6), "makerFee 6 is not in 0..5");
        assertSays(() -> SymbolTerms.spot(1, 2, 0, 1), "baseScaleK 0 is not in 1..9223372036854775807");
        assertSays(() -> new RiskLimits().withUsers(0), "users 0 is not in 1..4194304");
        assertSays(() -> new RiskLimits().withRate(-1, 1), "rateCommands -1 is not in 0..2147483647");
        assertSays(() -> RiskEngine.bookSpec(SymbolSpec.spot(3), SymbolTerms.spot(1, 1, 1, 1)),
            "symbol 3: the currencies of a spot symbol are both 1");
        assertSays(() -> RiskEngine.bookSpec(SymbolSpec.future(3).withPrices(0, 1 << 20),
            SymbolTerms.future(1, 2, 1, 1, 1 << 29)),
            "symbol 3: maxPosition 536870912 is not in 1..268435456, for maxPrice 1048576, margins 1 and 1, " +
            "takerFee 0");
        assertSays(() -> RiskEngine.bookSpec(SymbolSpec.future(3), SymbolTerms.future(1, 2, 1, 1, 10)),
            "symbol 3: maxPrice 9223372036854775806 of a future with terms is not in 0..281474976710656: " +
            "SymbolSpec.withPrices sets it");
        assertSays(() -> new MatchingEngine(new EngineContext().risk(new RiskLimits())
            .symbol(SymbolSpec.spot(3)), new EventCounter()),
            "symbol 3: terms are missing, and the engine keeps users");
    }

    private static void assertSays(final Runnable what, final String message)
    {
        assertEquals(message, assertThrows(IllegalArgumentException.class, what::run).getMessage());
    }
}

package io.millrace.engine;

import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.engine.risk.SymbolTerms;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * M2: Users with any balance on symbols with any terms, whose commands have numbers from 1 to the end of a long. No
 * command throws, a refusal changes nothing, and regular checks find no unit too many or too few in any currency. An
 * engine that is restored from a snapshot again and again does the same. A failure names its seed.
 */
class ExtremeMoneyTest
{
    private static final int VERIFY_EVERY = 53;
    private static final int USERS = 4;
    private static final int CAPACITY = 30;
    private static final List<CommandResult> MUST_HAPPEN = List.of(
        CommandResult.SUCCESS, CommandResult.RISK_NSF, CommandResult.RISK_OVERFLOW, CommandResult.RESERVE_BELOW_PRICE,
        CommandResult.POSITION_LIMIT, CommandResult.RISK_MARGIN, CommandResult.BALANCE_NSF,
        CommandResult.BALANCE_OVERFLOW, CommandResult.ASK_BELOW_FEE, CommandResult.USER_HAS_BALANCE);

    /** The numbers of {@link Random}, which can be drawn again. */
    private static final class Draws extends Random
    {
        private static final long serialVersionUID = 1;
        private static final long MULTIPLIER = 0x5DEECE66DL;
        private static final long MASK = (1L << 48) - 1;

        private long state;

        Draws(final long seed)
        {
            state = (seed ^ MULTIPLIER) & MASK;
        }

        @Override
        protected int next(final int bits)
        {
            state = state * MULTIPLIER + 0xB & MASK;
            return (int)(state >>> 48 - bits);
        }
    }

    private final EventCounter executions = new EventCounter();
    private final EventCounter executionsOfRestored = new EventCounter();
    private final EngineSnapshot snapshot = new EngineSnapshot();
    private final Map<CommandResult, Integer> tally = new EnumMap<>(CommandResult.class);
    private Draws random;
    private int greatest;
    private long trades;
    /** The engine that gets the next command: the uninterrupted one, or the restored one. */
    private MatchingEngine engine;
    private long adjustment;

    /** Any number of bits, all numbers of bits with the same probability. */
    private long number(final int mostBits)
    {
        final int bits = 1 + random.nextInt(mostBits);
        final long top = 1L << bits - 1;
        final int draw = random.nextInt(8);
        return draw == 0 ? top : draw == 1 ? Math.max(1, top - 1) : draw == 2 ? (top - 1) * 2 + 1 :
            top + (random.nextLong() & top - 1);
    }

    private SymbolTerms terms(final int symbol)
    {
        if (symbol <= 2)
        {
            final SymbolTerms spot = SymbolTerms.spot(symbol, 3, number(greatest), number(greatest));
            final long taker = random.nextInt(3) == 0 ? 0 : number(Math.min(40, greatest));
            return spot.withFees(taker, taker == 0 ? 0 : random.nextLong() >>> 1 & taker);
        }
        final long taker = random.nextInt(3) == 0 ? 0 : number(16);
        return SymbolTerms.future(1, random.nextBoolean() ? 3 : 2, number(20), number(20), number(20))
            .withFees(taker, taker / 2);
    }

    private EngineContext context()
    {
        final EngineContext context = new EngineContext().risk(
            new RiskLimits().withCapacities(USERS + 1, 4 * USERS + 4, 4 * USERS + 4).withMaxOpenOrders(12));
        for (int symbol = 1; symbol <= 4; symbol++)
        {
            final SymbolSpec spec = symbol <= 2 ? SymbolSpec.spot(symbol) :
                SymbolSpec.future(symbol).withPrices(0, number(20));
            final SymbolSpec small = spec.withOrderCapacity(CAPACITY).withWindowTicks(64);
            SymbolTerms terms = terms(symbol);
            while (terms.problemWith(small) != null)
            {
                terms = terms(symbol);
            }
            context.symbol(small, terms);
        }
        return context;
    }

    private CommandResult give()
    {
        final int symbol = 1 + random.nextInt(4);
        final int id = random.nextInt(40);
        final long uid = 1 + random.nextInt(USERS);
        return switch (random.nextInt(16))
        {
            case 0 -> engine.adjustBalance(uid, 1 + random.nextInt(3), number(63) * (random.nextInt(4) == 0 ? -1 : 1),
                adjustment);
            case 1 -> engine.cancel(symbol, id, uid);
            case 2 -> engine.reduce(symbol, id, uid, number(20));
            case 3 -> engine.move(symbol, id, uid, price(symbol));
            case 4 -> engine.replace(symbol, id, uid, price(symbol), number(greatest));
            case 5 -> random.nextBoolean() ? engine.suspendUser(uid) : engine.resumeUser(uid);
            default -> place(symbol, id, uid);
        };
    }

    private long price(final int symbol)
    {
        return number(symbol <= 2 ? random.nextBoolean() ? 8 : greatest : 8 + random.nextInt(12));
    }

    private CommandResult place(final int symbol, final int id, final long uid)
    {
        final byte type = (byte)random.nextInt(OrderType.GTD + 1);
        final long size = number(random.nextInt(3) == 0 ? greatest : 6);
        final long price = type == OrderType.FOK_BUDGET || type == OrderType.IOC_BUDGET ? number(62) : price(symbol);
        final long reserve = random.nextInt(4) == 0 ? number(62) : price;
        final long parameter = type == OrderType.ICEBERG ? Math.max(1, size - size / 3) :
            type == OrderType.STOP || type == OrderType.STOP_LIMIT ? price(symbol) : type == OrderType.GTD ? id + 1 : 0;
        return engine.execute(symbol, new BookCommand().place(type, (byte)random.nextInt(2))
            .selfTradePolicy((byte)random.nextInt(SelfTradePolicy.DECREMENT + 1)).orderId(id).uid(uid).price(price)
            .size(size).reservePrice(reserve).parameter(parameter));
    }

    private CommandResult command()
    {
        return random.nextInt(200) == 0 ? engine.tick(1 + random.nextInt(40)) : give();
    }

    /** The same command for the restored engine, which is restored again now and then. */
    private void follow(
        final MatchingEngine restored, final long drawsBefore, final boolean isTaken, final CommandResult result)
    {
        final MatchingEngine uninterrupted = engine;
        if (isTaken)
        {
            snapshot.take(uninterrupted);
            snapshot.restoreTo(restored);
            executionsOfRestored.hash = executions.hash;
        }
        else
        {
            engine = restored;
            random.state = drawsBefore;
            assertEquals(result, command());
            engine = uninterrupted;
            restored.time(0);
            assertEquals(executions.hash, executionsOfRestored.hash);
        }
        assertEquals(uninterrupted.timedHash(), restored.timedHash());
    }

    private void run(final long seed, final int commands)
    {
        random = new Draws(seed * 0x9E3779B97F4A7C15L);
        greatest = new int[]{8, 16, 24, 40, 62}[(int)(seed % 5)];
        final EngineContext context = context();
        engine = new MatchingEngine(context, executions);
        final MatchingEngine restored = new MatchingEngine(context, executionsOfRestored);
        adjustment = 0;
        for (long uid = 1; uid <= USERS; uid++)
        {
            engine.addUser(uid);
            for (int currency = 1; currency <= 3; currency++)
            {
                engine.adjustBalance(uid, currency, number(58), ++adjustment);
            }
        }
        for (int i = 0; i < commands; i++)
        {
            final String where = "seed " + seed + ", command " + i;
            final long hash = engine.stateHash();
            trades += executions.trades;
            executions.clear();
            final long drawsBefore = random.state;
            adjustment++;
            try
            {
                final CommandResult result = command();
                tally.merge(result, 1, Integer::sum);
                if (result != CommandResult.SUCCESS)
                {
                    assertEquals(hash, engine.stateHash(), () -> where + ": " + result);
                    assertTrue(executions.isSilent(), () -> where + ": " + result);
                }
                engine.time(0);
                if (i % VERIFY_EVERY == 0)
                {
                    engine.verify();
                }
                follow(restored, drawsBefore, i % VERIFY_EVERY == 0, result);
            }
            catch (final RuntimeException | AssertionError ex)
            {
                throw new AssertionError(where, ex);
            }
        }
        engine.verify();
    }

    private void runAll(final int seeds, final int commands)
    {
        for (long seed = 1; seed <= seeds; seed++)
        {
            run(seed, commands);
        }
        assertTrue(trades > seeds * commands / 50, trades + " trades");
        assertEquals(List.of(), MUST_HAPPEN.stream().filter(result -> tally.getOrDefault(result, 0) < seeds).toList(),
            tally::toString);
    }

    @Test
    void shouldAccountForEveryUnitOverAHundredThousandCommands()
    {
        runAll(50, 2_000);
    }

    @Test
    @Tag("faults")
    void shouldAccountForEveryUnitOverFiveMillionCommands()
    {
        runAll(2_500, 2_000);
    }
}

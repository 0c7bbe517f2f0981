package io.millrace.engine.book;

import io.millrace.engine.EventCounter;
import io.millrace.engine.MatchingEngine;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * M2: Commands whose numbers are small, at the end of a range, or arbitrary: no command throws, a refusal changes
 * nothing, and the books stay consistent. A failure names its seed.
 */
class ExtremeCommandsTest
{
    private static final long[] ENDS = {0, 1, 2, 3, 63, 64, 999, 1_000, 1_001, 1L << 31, (1L << 31) - 1, 1L << 32,
        1L << 62, (1L << 62) + 1, Long.MAX_VALUE - 64, Long.MAX_VALUE - 1, Long.MAX_VALUE};
    private static final int VERIFY_EVERY = 97;

    private final EventCounter events = new EventCounter();
    private Random random;
    private MatchingEngine engine;
    private int accepted;
    private int refused;
    private long trades;
    private boolean timed;

    private long number()
    {
        final int draw = random.nextInt(16);
        final long end = ENDS[random.nextInt(ENDS.length)];
        return draw < 9 ? 1 + random.nextInt(6) : draw < 13 ? end : draw < 14 ? -end : draw < 15 ? random.nextLong() :
            random.nextLong() >>> random.nextInt(64);
    }

    private byte byteUpTo(final int most)
    {
        return (byte)(random.nextInt(40) == 0 ? random.nextInt() : random.nextInt(most + 1));
    }

    /** An id or user: a small set, so that they meet. */
    private long name()
    {
        return random.nextInt(30) == 0 ? number() : random.nextInt(12);
    }

    private CommandResult give()
    {
        final int symbol = random.nextInt(50) == 0 ? random.nextInt() : 1 + random.nextInt(2);
        timed = false;
        switch (random.nextInt(20))
        {
            case 0:
                return engine.cancel(symbol, name(), name());
            case 1:
            case 2:
                return engine.reduce(symbol, name(), name() % 3, number());
            case 3:
            case 4:
                return engine.move(symbol, name(), name() % 3, number());
            case 5:
            case 6:
            case 7:
                return engine.replace(symbol, name(), name() % 3, number(), number());
            case 8:
                return random.nextInt(20) > 0 ? CommandResult.SUCCESS : engine.haltSymbol(symbol);
            case 9:
                return engine.resumeSymbol(symbol);
            case 10:
                timed = true;
                engine.time(number());
                return random.nextBoolean() ? engine.tick(number()) : engine.cancel(symbol, name(), name() % 3);
            default:
                return place(symbol, byteUpTo(OrderType.GTD));
        }
    }

    private CommandResult place(final int symbol, final byte type)
    {
        final boolean hasParameter = type >= OrderType.STOP && type <= OrderType.GTD;
        return engine.execute(symbol, new BookCommand().place(type, byteUpTo(1))
            .selfTradePolicy(byteUpTo(SelfTradePolicy.DECREMENT)).orderId(name()).uid(name() % 3).price(number())
            .size(number()).reservePrice(number()).parameter(hasParameter == random.nextInt(10) > 0 ? number() : 0));
    }

    private void run(final long seed, final int commands)
    {
        random = new Random(seed);
        final int capacity = 1 + random.nextInt(20);
        final SymbolSpec spot = SymbolSpec.spot(1).withOrderCapacity(capacity).withWindowTicks(64);
        engine = new MatchingEngine(List.of(random.nextBoolean() ? spot.withMinAskPrice(3) : spot,
            SymbolSpec.future(2).withOrderCapacity(capacity).withWindowTicks(64)), events);
        for (int i = 0; i < commands; i++)
        {
            final String where = "seed " + seed + ", command " + i;
            engine.time(0);
            final long hash = engine.stateHash();
            events.clear();
            final CommandResult result;
            try
            {
                result = give();
            }
            catch (final RuntimeException ex)
            {
                throw new AssertionError(where, ex);
            }
            trades += events.trades;
            accepted += result == CommandResult.SUCCESS ? 1 : 0;
            refused += result == CommandResult.SUCCESS ? 0 : 1;
            if (result != CommandResult.SUCCESS && !timed)
            {
                assertEquals(hash, engine.stateHash(), () -> where + ": " + result);
                assertTrue(events.isSilent(), () -> where + ": " + result);
            }
            if (i % VERIFY_EVERY == 0)
            {
                engine.verify();
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
        final int all = seeds * commands;
        assertTrue(accepted > all / 5 && refused > all / 5 && trades > all / 20,
            accepted + " accepted, " + refused + " refused, " + trades + " trades");
    }

    @Test
    void shouldSurviveTwoHundredThousandExtremeCommands()
    {
        runAll(40, 5_000);
    }

    @Test
    @Tag("faults")
    void shouldSurviveFiveMillionExtremeCommands()
    {
        runAll(1_000, 5_000);
    }
}

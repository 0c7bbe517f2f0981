package io.millrace.engine;

import io.millrace.engine.book.SymbolSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/**
 * Engines that differ only in an exchange between two entities have different hashes. A hash that is a sum of unmixed
 * parts would be equal.
 */
class StateHashExchangeTest
{
    private static final int PAIRS = 10_000_000;

    private static SymbolSpec future(final int symbol)
    {
        return SymbolSpec.future(symbol).withOrderCapacity(2).withWindowTicks(64);
    }

    private static MatchingEngine withUsers(final long... uids)
    {
        final MatchingEngine engine = ExchangedPairs.engineWithUsers();
        for (final long uid : uids)
        {
            engine.addUser(uid);
        }
        return engine;
    }

    @Test
    void shouldDistinguishUsersWhoseNumbersHaveTheSameSum()
    {
        assertNotEquals(withUsers(1, 2).stateHash(), withUsers(0, 3).stateHash());
    }

    @Test
    void shouldDistinguishEveryPairOfHaltedSymbols()
    {
        final int symbols = 24;
        final EngineContext context = new EngineContext();
        for (int symbol = 1; symbol <= symbols; symbol++)
        {
            context.symbol(future(symbol));
        }
        final MatchingEngine engine = new MatchingEngine(context, new EventCounter());
        final Map<Long, String> hashes = new HashMap<>();
        assertNull(hashes.put(engine.stateHash(), "none"));
        for (int one = 1; one <= symbols; one++)
        {
            engine.haltSymbol(one);
            for (int other = one; other <= symbols; other++)
            {
                final String halted = one + " and " + other;
                final boolean two = one != other;
                if (two)
                {
                    engine.haltSymbol(other);
                }
                final String before = hashes.put(engine.stateHash(), halted);
                assertNull(before, () -> "halted " + halted + " hashes as " + before);
                if (two)
                {
                    engine.resumeSymbol(other);
                }
            }
            engine.resumeSymbol(one);
        }
    }

    @Test
    void shouldDistinguishEveryTransferBetweenTwoUsers()
    {
        final Map<Long, Long> hashes = new HashMap<>();
        final MatchingEngine engine = withUsers(1, 2);
        engine.adjustBalance(1, 5, 1_000, 1);
        engine.adjustBalance(2, 5, 1_000, 1);
        for (long moved = 0; moved < 1_000; moved++)
        {
            final long amount = moved;
            final Long before = hashes.put(engine.stateHash(), moved);
            assertNull(before, () -> amount + " moved hashes as " + before);
            engine.adjustBalance(1, 5, -1, moved + 2);
            engine.adjustBalance(2, 5, 1, moved + 2);
        }
    }

    @Test
    void shouldNotCollideInRandomPairs()
    {
        shouldNotCollide(PAIRS / 10, 1);
    }

    @Test
    @Tag("faults")
    void shouldNotCollideInTenMillionRandomPairs()
    {
        shouldNotCollide(PAIRS, System.nanoTime());
    }

    /** The two classes describe how a pair is drawn; an exchange takes many commands, a permutation few. */
    private static void shouldNotCollide(final int pairs, final long seed)
    {
        final int exchanged = pairs / 20;
        new ExchangedPairs(seed).run(exchanged);
        new PermutedStates(seed).run(pairs - exchanged);
    }

    @Test
    void shouldHashTheTimeSeparatelyFromTheSumOverShards()
    {
        final MatchingEngine one = withUsers(1);
        final MatchingEngine other = withUsers(1);
        one.time(5);
        other.time(6);
        assertEquals(one.stateHash(), other.stateHash(), "a shard has the time of its own last command");
        assertNotEquals(one.timedHash(), other.timedHash());
        other.time(5);
        assertEquals(one.timedHash(), other.timedHash());
        one.time(0);
        other.time(-1);
        assertEquals(one.timedHash(), other.timedHash(), "none is none");
        other.addUser(2);
        assertNotEquals(one.timedHash(), other.timedHash());
    }
}

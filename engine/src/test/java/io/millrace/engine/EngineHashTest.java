package io.millrace.engine;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.engine.risk.SymbolTerms;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

/** The hash of an engine covers all state that later commands depend on, also the fields of ADD_SYMBOL. */
class EngineHashTest
{
    private static final SymbolSpec SPOT =
        SymbolSpec.spot(5).withOrderCapacity(16).withWindowTicks(64).withPrices(1, 1_000);
    private static final SymbolSpec FUTURE =
        SymbolSpec.future(5).withOrderCapacity(16).withWindowTicks(64).withPrices(1, 1_000);

    private static long hash(final SymbolSpec spec, final SymbolTerms terms)
    {
        final EngineContext context = new EngineContext();
        final MatchingEngine engine = new MatchingEngine(
            terms == null ? context : context.risk(new RiskLimits().withUsers(2)), new EventCounter());
        assertEquals(CommandResult.SUCCESS, engine.addSymbol(spec, terms));
        return engine.stateHash();
    }

    @Test
    void shouldDistinguishSymbolsByTheirLimits()
    {
        final List<Long> hashes = new ArrayList<>();
        for (final SymbolSpec spec : List.of(SPOT, FUTURE, SPOT.withOrderCapacity(17), SPOT.withPrices(0, 1_000),
            SPOT.withPrices(1, 999), SPOT.withMinAskPrice(1), SPOT.withMinAskPrice(2)))
        {
            hashes.add(hash(spec, null));
        }
        assertEquals(hashes.size(), new HashSet<>(hashes).size(), hashes::toString);
        assertEquals(hash(SPOT, null), hash(SPOT.withWindowTicks(128), null), "a window only makes it faster");
    }

    /** The next account of this engine may be refused, that of the other one not. */
    @Test
    void shouldDistinguishAnEngineWithEmptyAccountsFromOneWithout()
    {
        final MatchingEngine engine = new MatchingEngine(
            new EngineContext().risk(new RiskLimits().withCapacities(2, 2, 2)), new EventCounter());
        assertEquals(CommandResult.SUCCESS, engine.addUser(7));
        assertEquals(CommandResult.SUCCESS, engine.adjustBalance(7, 1, 10, 5));
        final long hash = engine.stateHash();
        assertEquals(CommandResult.SUCCESS, engine.addSymbol(SPOT, SymbolTerms.spot(2, 3, 10, 20)));
        assertEquals(CommandResult.SUCCESS, engine.removeSymbol(5));
        final long withCurrencies = engine.stateHash();
        assertNotEquals(hash, withCurrencies);
        assertEquals(CommandResult.SUCCESS, engine.addUser(8));
        final long withUser = engine.stateHash();
        assertEquals(CommandResult.SUCCESS, engine.suspendUser(8));
        assertEquals(CommandResult.SUCCESS, engine.adjustBalance(7, 1, -10, 6));
        assertEquals(CommandResult.SUCCESS, engine.suspendUser(7));
        assertEquals(CommandResult.SUCCESS, engine.addUser(7));
        assertEquals(CommandResult.SUCCESS, engine.addUser(8));
        final long noAccounts = engine.stateHash();
        assertEquals(CommandResult.SUCCESS, engine.adjustBalance(8, 1, 0, 5));
        final long emptyAccount = engine.stateHash();
        assertEquals(4, Set.of(withCurrencies, withUser, noAccounts, emptyAccount).size());
        assertEquals(CommandResult.SUCCESS, engine.suspendUser(8));
        assertEquals(CommandResult.SUCCESS, engine.addUser(8));
        assertEquals(noAccounts, engine.stateHash(), "accounts go with their user");
    }

    @Test
    void shouldDistinguishSymbolsByTheirTerms()
    {
        final List<Long> hashes = new ArrayList<>();
        for (final SymbolTerms terms : List.of(SymbolTerms.spot(1, 2, 10, 20), SymbolTerms.spot(3, 2, 10, 20),
            SymbolTerms.spot(1, 3, 10, 20), SymbolTerms.spot(1, 2, 11, 20), SymbolTerms.spot(1, 2, 10, 21),
            SymbolTerms.spot(1, 2, 10, 20).withFees(5, 3), SymbolTerms.spot(1, 2, 10, 20).withFees(6, 3),
            SymbolTerms.spot(1, 2, 10, 20).withFees(5, 4)))
        {
            hashes.add(hash(SPOT, terms));
        }
        for (final SymbolTerms terms : List.of(SymbolTerms.future(1, 2, 40, 50, 100),
            SymbolTerms.future(1, 2, 41, 50, 100), SymbolTerms.future(1, 2, 40, 51, 100),
            SymbolTerms.future(1, 2, 40, 50, 101)))
        {
            hashes.add(hash(FUTURE, terms));
        }
        assertEquals(hashes.size(), new HashSet<>(hashes).size(), hashes::toString);
    }

    @Test
    void shouldResetToItsFirstStateDespiteChangesOfTheContext()
    {
        final EngineContext context = new EngineContext().symbol(SPOT);
        final MatchingEngine engine = new MatchingEngine(context, new EventCounter());
        final long hash = engine.stateHash();
        context.symbol(FUTURE.withOrderCapacity(3)).symbolCapacity(1);
        assertEquals(CommandResult.SUCCESS, engine.reset());
        assertEquals(hash, engine.stateHash());
    }
}

package io.millrace.engine;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.engine.risk.SymbolTerms;
import io.millrace.pool.testkit.AllocationWindows;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** Symbols can be removed in any order, without allocating, and the others are found in the order of their numbers. */
class SymbolRemovalTest
{
    private static final int SYMBOLS = 64;
    private static final int MAX_WINDOWS = 20;

    private final MatchingEngine engine = new MatchingEngine(
        new EngineContext().symbolCapacity(SYMBOLS).risk(new RiskLimits().withUsers(2).withCurrencies(1)),
        new EventCounter());

    /** Their numbers are -32 to 31, in mixed order. */
    private static int symbol(final int i)
    {
        return i * 37 % SYMBOLS - SYMBOLS / 2;
    }

    private void addAll()
    {
        for (int i = 0; i < SYMBOLS; i++)
        {
            assertEquals(CommandResult.SUCCESS, engine.addSymbol(
                SymbolSpec.future(symbol(i)).withOrderCapacity(1).withWindowTicks(64).withPrices(0, 9),
                SymbolTerms.future(1, 2, 1, 1, 1)), "one currency is enough for all");
        }
    }

    @Test
    void shouldKeepTheOthersInOrder()
    {
        addAll();
        for (int i = 0; i < SYMBOLS; i += 2)
        {
            assertEquals(CommandResult.SUCCESS, engine.removeSymbol(symbol(i)));
        }
        int found = 0;
        for (int number = -SYMBOLS; engine.bookFrom(number) != null; found++)
        {
            number = engine.bookFrom(number).spec().symbol() + 1;
        }
        assertEquals(SYMBOLS / 2, found);
        for (int i = 0; i < SYMBOLS; i++)
        {
            if (i % 2 == 0)
            {
                assertNull(engine.book(symbol(i)));
            }
            else
            {
                assertEquals(symbol(i), engine.bookFrom(symbol(i)).spec().symbol());
            }
        }
        engine.verify();
    }

    @Test
    void shouldAllocateNothing()
    {
        AllocationWindows.assertNoBytes(SYMBOLS + " removals", MAX_WINDOWS, () ->
        {
            addAll();
            final long bytes = AllocationWindows.allocatedBytes(this::removeAll);
            assertNull(engine.bookFrom(Integer.MIN_VALUE));
            return bytes;
        });
    }

    private void removeAll()
    {
        for (int i = 0; i < SYMBOLS; i++)
        {
            engine.removeSymbol(symbol(i));
        }
    }
}

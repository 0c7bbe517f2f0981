package io.millrace.engine;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.SymbolSpec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Random;
import java.util.TreeMap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

/** Random additions and removals of symbols, many with the same low bits, compared with a sorted map of the JDK. */
class SymbolTablePropertyTest
{
    private static final int STEPS = 5_000;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 64})
    void shouldFindPresentSymbols(final int capacity)
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        final SymbolTable table = new SymbolTable(capacity, Long.MAX_VALUE, null, null, new EventCounter());
        final TreeMap<Integer, TradedSymbol> model = new TreeMap<>();
        for (int i = 0; i < STEPS; i++)
        {
            final String where = "seed " + seed + ", step " + i;
            final int number = random.nextInt(3 * capacity) * (random.nextBoolean() ? 1 : 1 << 20);
            final TradedSymbol there = model.get(number);
            if (there != null && random.nextBoolean())
            {
                assertEquals(CommandResult.SUCCESS, table.remove(there, new ExpiryQueue(0)), where);
                model.remove(number);
            }
            else
            {
                final CommandResult result = table.add(
                    SymbolSpec.future(number).withOrderCapacity(1).withWindowTicks(64), null);
                assertEquals(there != null ? CommandResult.SYMBOL_EXISTS :
                    model.size() == capacity ? CommandResult.SYMBOLS_FULL : CommandResult.SUCCESS, result, where);
                if (result == CommandResult.SUCCESS)
                {
                    model.put(number, table.find(number));
                    assertEquals(number, table.find(number).number, where);
                }
            }
            final int other = random.nextInt(3 * capacity) * (random.nextBoolean() ? 1 : 1 << 20);
            assertSame(model.get(other), table.find(other), where);
            assertEquals(model.size(), table.count(), where);
        }
        model.forEach((number, symbol) -> assertSame(symbol, table.find(number), "seed " + seed));
    }
}

package io.millrace.engine.tables;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongSupplier;

import org.junit.jupiter.api.Test;

class RowTableTest
{
    private static final int STEPS = 20_000;

    private final long seed = Long.getLong("millrace.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @Test
    void shouldFindRowsOfKeysThatAnAttackerChooses()
    {
        for (final int capacity : List.of(1, 2, 7, 64, 100))
        {
            for (final RowTable table : List.of(RowTable.inOrder(capacity), RowTable.ofNumbers(capacity)))
            {
                run(table, capacity, () -> random.nextInt(3) == 0 ? -1 - random.nextInt(3) :
                    random.nextInt(2 * capacity) * (random.nextBoolean() ? 1 : 1L << 32));
            }
        }
    }

    @Test
    void shouldFindRowsOfUsersWhoseDirectRowsAreTaken()
    {
        for (final int capacity : List.of(1, 2, 7, 64, 100))
        {
            for (final int users : List.of(1, 16, 200))
            {
                // Four times as many keys as rows: several keys share most direct rows.
                final int others = Math.max(1, 4 * capacity / users);
                run(RowTable.ofHandles(capacity), capacity,
                    () -> (long)random.nextInt(users) << Integer.SIZE | random.nextInt(others));
            }
        }
    }

    @Test
    void shouldGiveEachOfConsecutiveNumbersItsDirectRow()
    {
        for (final int capacity : List.of(1_000, 1_024, 1_025))
        {
            final RowTable table = RowTable.ofNumbers(capacity);
            for (int key = 1; key <= capacity; key++)
            {
                assertEquals(key & (capacity > 1_024 ? 2_047 : 1_023), table.add(key), "key " + key);
            }
            assertEquals(0, table.freeRows());
            assertTrue(table.isInOrder());
        }
    }

    @Test
    void shouldGiveMostUsersOfAFullTableTheirDirectRows()
    {
        // The accounts of 1,000 users in two currencies.
        final RowTable table = RowTable.ofHandles(2_000);
        int direct = 0;
        for (int user = 1; user <= 1_000; user++)
        {
            for (int currency = 0; currency < 2; currency++)
            {
                final int row = user + currency * 1_265 & 2_047;
                direct += table.add((long)user << Integer.SIZE | currency) == row ? 1 : 0;
            }
        }
        assertTrue(direct > 1_500, "accounts in their direct rows: " + direct);
        assertTrue(table.isInOrder());
    }

    /** Adds, removes and finds rows, compared with a map; all rows in use are in one chain. */
    private void run(final RowTable table, final int capacity, final LongSupplier keys)
    {
        final Map<Long, Integer> model = new HashMap<>();
        int first = RowTable.NONE;
        for (int i = 0; i < STEPS; i++)
        {
            final long key = keys.getAsLong();
            final Integer known = model.get(key);
            assertEquals(known == null ? RowTable.NONE : known, table.find(key), this::toString);
            assertEquals(table.find(key), table.find(key, first), this::toString);
            assertEquals(table.find(key), table.find(key, random.nextInt(Math.max(1, table.end()))), this::toString);
            if (known == null && table.freeRows() > 0)
            {
                final int h = table.add(key);
                for (int column = 1; column <= 6; column++)
                {
                    assertEquals(0, table.get(h, column), this::toString);
                    table.set(h, column, key ^ seed);
                }
                table.chain(h, first);
                first = h;
                model.put(key, h);
            }
            else if (known != null && random.nextBoolean())
            {
                first = table.unchain(known, first);
                table.remove(known);
                assertFalse(table.isUsed(known), this::toString);
                model.remove(key);
            }
            assertEquals(capacity - model.size(), table.freeRows(), this::toString);
            if (i % 97 == 0)
            {
                compare(model, table, first);
            }
        }
    }

    private void compare(final Map<Long, Integer> model, final RowTable table, final int first)
    {
        assertTrue(table.isInOrder(), this::toString);
        final List<Integer> chained = new ArrayList<>();
        for (int h = first; h != RowTable.NONE; h = table.next(h))
        {
            chained.add(h);
            assertTrue(h < table.end() && table.isUsed(h), this::toString);
            assertEquals(table.key(h) ^ seed, table.get(h, 1), this::toString);
        }
        assertEquals(model.values().stream().sorted().toList(), chained.stream().sorted().toList(), this::toString);
    }

    @Override
    public String toString()
    {
        return "-Dmillrace.seed=" + seed;
    }
}

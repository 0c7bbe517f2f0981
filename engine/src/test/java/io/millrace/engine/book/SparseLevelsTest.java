package io.millrace.engine.book;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The levels outside the window compared with a {@link TreeMap} for each side. */
class SparseLevelsTest
{
    private static final int STEPS = 5_000;

    /** Draws keys, of asks (0 and up) and of bids (-1 and down). */
    private interface Keys
    {
        long draw(Random random);
    }

    private static void shouldMatchMaps(final long seed, final int capacity, final Keys keys)
    {
        final Random random = new Random(seed);
        final SparseLevels levels = new SparseLevels(capacity);
        final List<TreeMap<Long, Integer>> maps = List.of(new TreeMap<>(), new TreeMap<>());
        for (int step = 0; step < STEPS; step++)
        {
            final String where = "seed " + seed + ", capacity " + capacity + ", step " + step;
            final int side = random.nextInt(2);
            final TreeMap<Long, Integer> map = maps.get(side);
            final long key = PriceLadder.key(side, keys.draw(random));
            final Integer leaf = map.get(key);
            assertEquals(leaf == null ? SparseLevels.NONE : leaf, levels.find(side, key), where);
            final boolean full = maps.get(0).size() + maps.get(1).size() == capacity;
            if (leaf != null)
            {
                levels.remove(side, leaf, key);
                map.remove(key);
            }
            else if (!full)
            {
                map.put(key, levels.add(side, key));
            }
            for (int each = 0; each < 2; each++)
            {
                assertSame(levels, each, maps.get(each), PriceLadder.key(each, keys.draw(random)), where);
            }
        }
    }

    private static void assertSame(
        final SparseLevels levels,
        final int side,
        final TreeMap<Long, Integer> map,
        final long key,
        final String where)
    {
        final Map.Entry<Long, Integer> ceiling = map.ceilingEntry(key);
        assertEquals(ceiling == null ? SparseLevels.NONE : ceiling.getValue(), levels.ceiling(side, key), where);
        int leaf = levels.best(side);
        for (final Map.Entry<Long, Integer> level : map.entrySet())
        {
            assertEquals(level.getValue(), leaf, where);
            assertEquals(level.getKey(), levels.key(leaf), where);
            leaf = levels.worse(leaf);
        }
        assertEquals(SparseLevels.NONE, leaf, where);
    }

    @Test
    void shouldKeepPricesThatAreCloseTogether()
    {
        for (long seed = 1; seed <= 8; seed++)
        {
            shouldMatchMaps(seed, 40, random -> 34_000 + random.nextInt(60));
        }
    }

    @Test
    void shouldKeepPricesFromEndToEnd()
    {
        for (long seed = 11; seed <= 18; seed++)
        {
            shouldMatchMaps(seed, 30, random -> random.nextInt(4) == 0 ? SymbolSpec.MAX_PRICE - random.nextInt(3) :
                random.nextInt(4) == 0 ? random.nextInt(3) : (1L << random.nextInt(63)) - random.nextInt(2));
        }
    }

    @Test
    void shouldKeepEntriesThatFillAndLeavePages()
    {
        for (long seed = 31; seed <= 33; seed++)
        {
            shouldMatchMaps(seed, 250, random -> 7 * random.nextInt(400));
        }
    }

    @Test
    void shouldHaveCapacityForAnySpacingOfLevels()
    {
        final int capacity = 2_000;
        final Random random = new Random(41);
        final SparseLevels levels = new SparseLevels(capacity);
        final TreeMap<Long, Integer> map = new TreeMap<>();
        long end = 0;
        for (int round = 0; round < 60; round++)
        {
            while (map.size() < capacity)
            {
                // At the end pages stay half full; in the middle they become full.
                final long key = random.nextInt(1 + round % 4) > 0 ? random.nextInt((int)end) : end;
                end = Math.max(end, key + 1);
                if (!map.containsKey(key))
                {
                    map.put(key, levels.add(Side.ASK, key));
                }
            }
            assertSame(levels, Side.ASK, map, random.nextInt((int)end), "round " + round);
            final int eighths = 1 + round % 7;
            map.entrySet().removeIf(entry ->
            {
                final boolean goes = random.nextInt(8) < eighths;
                if (goes)
                {
                    levels.remove(Side.ASK, entry.getValue(), entry.getKey());
                }
                return goes;
            });
            assertEquals(map.size(), levels.count(Side.ASK), "round " + round);
            assertSame(levels, Side.ASK, map, random.nextInt((int)end), "round " + round);
        }
    }

    @Test
    void shouldWorkAtSmallCapacities()
    {
        for (int capacity = 1; capacity <= 5; capacity++)
        {
            shouldMatchMaps(20 + capacity, capacity, random -> random.nextInt(6));
        }
    }
}

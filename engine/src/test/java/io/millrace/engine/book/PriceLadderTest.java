package io.millrace.engine.book;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The ladder compared with lists of orders in {@link TreeMap}s, while the market moves over the edges of the window;
 * and the behaviour of the window.
 */
class PriceLadderTest
{
    private static final int STEPS = 5_000;
    private static final int CAPACITY = 80;

    private record Order(int side, long price, int handle, long volume)
    {
    }

    /** A ladder and its expected content. */
    private static final class Pair
    {
        final int window;
        final OrderArena arena;
        final PriceLadder ladder;
        final List<TreeMap<Long, List<Order>>> sides = List.of(new TreeMap<>(), new TreeMap<>());
        final List<Order> orders = new ArrayList<>();
        final long least;
        final long greatest;
        int inside;
        int outside;

        Pair(final int window)
        {
            this(window, 0, SymbolSpec.MAX_PRICE);
        }

        Pair(final int window, final long least, final long greatest)
        {
            this.window = window;
            this.least = least;
            this.greatest = greatest;
            arena = new OrderArena(CAPACITY, window + CAPACITY);
            ladder = new PriceLadder(arena, SymbolSpec.future(1).withOrderCapacity(CAPACITY).withWindowTicks(window)
                .withPrices(least, greatest));
        }

        void enter(final int side, final long price, final long volume)
        {
            final Order order = new Order(side, price, arena.allocate(), volume);
            orders.add(order);
            sides.get(side).computeIfAbsent(PriceLadder.key(side, price), key -> new ArrayList<>()).add(order);
            arena.setField(order.handle, OrderArena.PRICE, price);
            ladder.enter(side, price, order.handle, volume);
        }

        void leave(final int i)
        {
            final Order order = orders.remove(i);
            final long key = PriceLadder.key(order.side, order.price);
            final List<Order> queue = sides.get(order.side).get(key);
            queue.remove(order);
            if (queue.isEmpty())
            {
                sides.get(order.side).remove(key);
            }
            ladder.leave(order.side, ladder.levelAt(order.side, order.price), order.handle, order.volume);
            arena.free(order.handle);
        }

        void assertSameBest(final String where)
        {
            assertTrue(ladder.base >= least, where);
            assertTrue(greatest - least < window || ladder.base + window - 1 <= greatest, where);
            assertEquals(Math.min(window - 1, greatest - ladder.base), ladder.greatestOffset, where);
            for (int side = 0; side < 2; side++)
            {
                final TreeMap<Long, List<Order>> levels = sides.get(side);
                assertEquals(levels.isEmpty() ? PriceLadder.NO_KEY : levels.firstKey(), ladder.bestKey(side), where);
                assertEquals(levels.isEmpty() ? PriceLadder.NONE :
                    ladder.levelAt(side, PriceLadder.key(side, levels.firstKey())), ladder.bestLevel(side), where);
            }
        }

        /** The search for a price and worse ones; it passes the stale bits there. */
        void assertSameFrom(final int side, final long price, final String where)
        {
            final Long expected = sides.get(side).ceilingKey(PriceLadder.key(side, price));
            final int level = ladder.levelFrom(side, price);
            assertEquals(expected == null ? PriceLadder.NONE :
                ladder.levelAt(side, PriceLadder.key(side, expected)), level, where);
        }

        void assertSame(final String where)
        {
            assertSameLevels(where);
            assertTotals(where);
        }

        /** Reads all levels of the window, 100 MB of the greatest one. */
        void assertTotals(final String where)
        {
            assertEquals(orders.size(), BookState.verifiedOrders(ladder), where);
        }

        void assertSameLevels(final String where)
        {
            assertSameBest(where);
            for (int side = 0; side < 2; side++)
            {
                final TreeMap<Long, List<Order>> levels = sides.get(side);
                assertEquals(levels.size(), ladder.levelCount(side), where);
                int level = ladder.bestLevel(side);
                for (final Map.Entry<Long, List<Order>> expected : levels.entrySet())
                {
                    assertLevel(side, expected.getKey(), expected.getValue(), level, where);
                    level = ladder.worse(side, level);
                }
                assertEquals(PriceLadder.NONE, level, where);
            }
        }

        private void assertLevel(
            final int side, final long key, final List<Order> queue, final int level, final String where)
        {
            final long price = PriceLadder.key(side, key);
            assertEquals(price, ladder.price(side, level), where);
            assertEquals(level, ladder.levelAt(side, price), where);
            assertEquals(queue.size(), ladder.orders(level), where);
            assertEquals(queue.stream().mapToLong(Order::volume).sum(), ladder.volume(level), where);
            int node = arena.queue(level);
            for (final Order order : queue)
            {
                assertEquals(node, arena.previous(arena.next(node)), where);
                node = arena.next(node);
                assertEquals(order.handle, node, where);
            }
            assertEquals(arena.queue(level), arena.next(node), where);
            if (level < window)
            {
                inside++;
            }
            else
            {
                outside++;
            }
        }
    }

    private static void shouldMatchMaps(final long seed, final int window, final long start, final int step)
    {
        // Every step of a small window; of the greatest, one in 128.
        shouldMatchMaps(seed, new Pair(window), start, step, 1, Math.max(1, window >> 15));
    }

    private static void shouldMatchMaps(
        final long seed, final Pair pair, final long start, final int step, final int stepsPerLook)
    {
        shouldMatchMaps(seed, pair, start, step, stepsPerLook, stepsPerLook);
    }

    /** All levels are compared once in some steps: that clears the stale bits behind the best levels. */
    private static void shouldMatchMaps(
        final long seed,
        final Pair pair,
        final long start,
        final int step,
        final int stepsPerLook,
        final int stepsPerTotals)
    {
        final Random random = new Random(seed * 7_919);
        final int window = pair.window;
        long middle = start;
        for (int i = 0; i < STEPS; i++)
        {
            final String where = "seed " + seed + ", window " + window + ", step " + i;
            // A step to one side, for a while.
            middle += random.nextInt(step + 1) * (i / 500 % 2 == 0 ? 1 : -1);
            middle = Math.max(pair.least + 1, Math.min(pair.greatest - 1, middle));
            for (int k = pair.orders.size() - 1; k >= 0; k--)
            {
                final Order order = pair.orders.get(k);
                if (order.side == Side.BID ? order.price >= middle : order.price < middle)
                {
                    pair.leave(k);
                }
            }
            if (pair.orders.size() < CAPACITY && random.nextInt(5) > 1)
            {
                final int away = random.nextInt(random.nextInt(4) == 0 ? 20 * window : window);
                final long price = random.nextInt(2) == 0 ? Math.max(pair.least, middle - 1 - away) :
                    Math.min(pair.greatest - middle, away) + middle;
                pair.enter(price < middle ? Side.BID : Side.ASK, price, 1 + random.nextInt(9));
            }
            else if (!pair.orders.isEmpty())
            {
                pair.leave(random.nextInt(pair.orders.size()));
            }
            pair.assertSameBest(where);
            if (random.nextInt(5) == 0)
            {
                final long far = Math.min(middle, random.nextInt(random.nextInt(4) == 0 ? 20 * window : window));
                pair.assertSameFrom(Side.BID, middle - far, where);
                pair.assertSameFrom(Side.ASK, middle + Math.min(SymbolSpec.MAX_PRICE - middle, far), where);
            }
            if (i % stepsPerLook == 0)
            {
                pair.assertSameLevels(where);
            }
            if (i % stepsPerTotals == 0)
            {
                pair.assertTotals(where);
            }
        }
        pair.assertTotals("seed " + seed + ", window " + window + ", the end");
        final boolean fits = pair.greatest - pair.least < window;
        assertTrue(pair.inside > STEPS / 5 / stepsPerLook && (fits || pair.outside > STEPS / 5 / stepsPerLook),
            pair.inside + " inside, " + pair.outside + " outside");
    }

    @Test
    void shouldMatchMapsWithTheSmallestWindow()
    {
        shouldMatchMaps(1, 64, 34_000, 3);
        shouldMatchMaps(2, 64, 34_000, 200);
    }

    @Test
    void shouldMatchMapsAtTheEndsOfThePriceRange()
    {
        shouldMatchMaps(3, 64, 1, 3);
        shouldMatchMaps(4, 64, SymbolSpec.MAX_PRICE, 3);
    }

    @Test
    void shouldMatchMapsWithBitmapsOfTwoAndThreeTiers()
    {
        shouldMatchMaps(5, 128, 34_000, 10);
        shouldMatchMaps(6, 4_096, 34_000, 300);
        shouldMatchMaps(7, 8_192, 340_000, 800);
        shouldMatchMaps(8, 262_144, 1L << 40, 20_000);
    }

    @Test
    void shouldMatchMapsWithBitmapsOfManyTopWords()
    {
        shouldMatchMaps(9, 524_288, 1L << 40, 40_000);
        shouldMatchMaps(10, SymbolSpec.MAX_WINDOW_TICKS, 1L << 40, 400_000);
    }

    /** The totals after each step: one to two minutes. */
    @Tag("faults")
    @Test
    void shouldMatchMapsAndTotalsAfterEachStepOfWideWindows()
    {
        shouldMatchMaps(8, new Pair(262_144), 1L << 40, 20_000, 1);
        shouldMatchMaps(9, new Pair(524_288), 1L << 40, 40_000, 1);
        shouldMatchMaps(10, new Pair(SymbolSpec.MAX_WINDOW_TICKS), 1L << 40, 400_000, 1);
    }

    @Test
    void shouldMatchMapsWhileStaleBitsStay()
    {
        shouldMatchMaps(11, new Pair(64), 34_000, 3, 20);
        shouldMatchMaps(12, new Pair(128), 34_000, 10, 20);
        shouldMatchMaps(13, new Pair(8_192), 340_000, 800, 20);
    }

    @Test
    void shouldKeepTheWindowWithinThePrices()
    {
        final long end = SymbolSpec.MAX_PRICE;
        for (final long[] prices : new long[][]{{1, 33_999}, {34_000, 34_062}, {34_000, 34_063}, {34_000, 34_064},
            {33_900, 34_200}, {end - 10, end}, {end - 63, end}, {end - 200, end - 1}})
        {
            for (final int looks : new int[]{1, 20})
            {
                shouldMatchMaps(14, new Pair(64, prices[0], prices[1]), prices[0] + 1, 3, looks);
            }
        }
    }

    @Test
    void shouldCentreTheWindowOnTheFirstPrice()
    {
        final Pair pair = new Pair(64);
        pair.enter(Side.BID, 34_000, 1);
        assertTrue(pair.ladder.levelAt(Side.BID, 34_000) < 64);
        assertTrue(pair.ladder.levelAt(Side.BID, 34_031) >= 0 && pair.ladder.levelAt(Side.BID, 33_968) >= 0);
        pair.leave(0);
        pair.enter(Side.ASK, 12, 1);
        assertTrue(pair.ladder.levelAt(Side.ASK, 12) < 64, "an empty ladder goes where the price is");
        pair.leave(0);
        pair.enter(Side.ASK, SymbolSpec.MAX_PRICE, 1);
        assertEquals(63, pair.ladder.levelAt(Side.ASK, SymbolSpec.MAX_PRICE));
        pair.leave(0);
        pair.enter(Side.BID, 0, 1);
        assertEquals(0, pair.ladder.levelAt(Side.BID, 0));
        pair.assertSame("after all");
    }

    @Test
    void shouldFollowTheMarketOutsideTheWindow()
    {
        final Pair pair = new Pair(64);
        pair.enter(Side.ASK, 40_000, 1);
        int visits = 0;
        while (pair.ladder.levelAt(Side.BID, 34_000) == PriceLadder.NONE)
        {
            assertTrue(visits < 1_000, "the window never moved");
            visits++;
            pair.enter(Side.BID, 34_000, 1);
            pair.assertSame("visit " + visits);
            // Only the window has levels without orders.
            pair.leave(pair.orders.size() - 1);
        }
        assertTrue(visits > 10, "the window moved after " + visits + " visits");
        pair.enter(Side.BID, 34_000, 1);
        assertTrue(pair.ladder.levelAt(Side.BID, 34_000) < 64);
        assertTrue(pair.ladder.levelAt(Side.ASK, 40_000) >= 64, "left behind");
        pair.assertSame("after all");
    }
}

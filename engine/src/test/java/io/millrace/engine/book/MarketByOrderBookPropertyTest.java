package io.millrace.engine.book;

import org.junit.jupiter.api.Test;

import java.util.EnumMap;
import java.util.Map;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

/**
 * Random feeds, crossed most of the time, for the book and for a list; both are compared after each call. A failure
 * names its seed; {@code -Dmillrace.seed=} runs that one alone.
 */
class MarketByOrderBookPropertyTest
{
    private static final int SEEDS = 20;
    private static final int CALLS = 5_000;
    /** Each result must occur this often in 100,000 calls, or the test covers too little. */
    private static final int OFTEN = 100;
    private static final byte[] SIDES = {Side.BID, Side.ASK};

    private final Map<CommandResult, Integer> tally = new EnumMap<>(CommandResult.class);

    /** One random feed. */
    private final class Trial
    {
        private final long seed;
        private final Random random;
        private final SymbolSpec spec;
        private final MarketByOrderBook book;
        private final NaiveFeedBook reference;
        private final long middle;
        private final Tape orders = new Tape();
        private final Tape expectedOrders = new Tape();
        private final Tape levels = new Tape();
        private final Tape expectedLevels = new Tape();
        private int crossed;

        Trial(final long seed)
        {
            this.seed = seed;
            random = new Random(seed);
            final int capacity = 1 + random.nextInt(40);
            spec = SymbolSpec.future(1).withOrderCapacity(capacity).withWindowTicks(64 << random.nextInt(3));
            book = new MarketByOrderBook(spec);
            reference = new NaiveFeedBook(spec);
            middle = random.nextInt(4) == 0 ? random.nextLong() >>> 1 : random.nextInt(10_000);
        }

        void run()
        {
            for (int i = 0; i < CALLS; i++)
            {
                final int call = i;
                try
                {
                    final CommandResult result = step();
                    tally.merge(result, 1, Integer::sum);
                    compare();
                }
                catch (final RuntimeException | AssertionError ex)
                {
                    fail("seed " + seed + ", call " + call + "\norders" + orders + "\nexpected" + expectedOrders +
                        "\nlevels" + levels + "\nexpected" + expectedLevels, ex);
                }
            }
            assertTrue(spec.orderCapacity() < 10 || crossed > CALLS / 10, "seed " + seed + ": crossed " + crossed);
        }

        private CommandResult step()
        {
            final long id = random.nextInt(spec.orderCapacity() * 3 / 2 + 1);
            final long size = size();
            switch (random.nextInt(12))
            {
                case 0:
                case 1:
                    return same(book.reduce(id, size), reference.take(id, size, false));
                case 2:
                case 3:
                    return same(book.execute(id, size), reference.take(id, size, true));
                case 4:
                    return same(book.cancel(id), reference.cancel(id));
                case 5:
                case 6:
                    return replace(id, size);
                default:
                    if (random.nextInt(1_000) == 0)
                    {
                        book.clear();
                        reference.clear();
                        return CommandResult.SUCCESS;
                    }
                    final byte side = (byte)(random.nextInt(30) == 0 ? random.nextInt() : random.nextInt(2));
                    final long price = price();
                    return same(book.add(id, side, price, size), reference.add(id, side, price, size));
            }
        }

        private CommandResult replace(final long id, final long size)
        {
            final long newId = random.nextInt(spec.orderCapacity() * 3 / 2 + 1);
            final long price = price();
            return same(book.replace(id, newId, price, size), reference.replace(id, newId, price, size));
        }

        private CommandResult same(final CommandResult result, final CommandResult expected)
        {
            assertEquals(expected, result);
            return result;
        }

        private long size()
        {
            return random.nextInt(40) == 0 ? spec.maxSize() + random.nextInt(2) : random.nextInt(10);
        }

        /** Mostly near the middle, some far from it, some at the ends, some impossible. */
        private long price()
        {
            final int kind = random.nextInt(40);
            return kind == 0 ? random.nextLong() : kind == 1 ? SymbolSpec.MAX_PRICE + random.nextInt(2) :
                kind == 2 ? random.nextInt(2) - 1 : kind < 8 ? near(2_000) : near(10);
        }

        private long near(final int distance)
        {
            return Math.max(0, Math.min(middle, SymbolSpec.MAX_PRICE - distance) - distance +
                random.nextInt(2 * distance));
        }

        private void compare()
        {
            orders.clear();
            expectedOrders.clear();
            levels.clear();
            expectedLevels.clear();
            for (final byte side : SIDES)
            {
                final int before = expectedOrders.orders();
                book.forEachOrder(side, orders);
                reference.forEachOrder(side, expectedOrders);
                final int reported = book.forEachLevel(side, -1, levels);
                assertEquals(sumUp(side, before), reported);
                assertEquals(reported, book.levelCount(side));
            }
            assertTrue(expectedOrders.isEqualTo(orders), "orders differ");
            assertTrue(expectedLevels.isEqualTo(levels), "levels differ");
            assertEquals(reference.orderCount(), book.orderCount());
            book.verify();
            final long ask = book.bestPrice(Side.ASK);
            crossed += ask != -1 && book.bestPrice(Side.BID) >= ask ? 1 : 0;
        }

        /** Builds the levels from the reference's orders of a side, and returns the best of them and their number. */
        private int sumUp(final byte side, final int firstOrder)
        {
            int count = 0;
            int order = firstOrder;
            while (order < expectedOrders.orders())
            {
                final long price = expectedOrders.ofOrder(order, 3);
                final int first = order;
                long volume = 0;
                for (; order < expectedOrders.orders() && expectedOrders.ofOrder(order, 3) == price; order++)
                {
                    volume += expectedOrders.ofOrder(order, 4) - expectedOrders.ofOrder(order, 5);
                }
                expectedLevels.onLevel(side, price, volume, order - first);
                assertEquals(volume, book.volumeAt(side, price));
                if (count == 0)
                {
                    assertEquals(price, book.bestPrice(side));
                    assertEquals(volume, book.bestVolume(side));
                }
                count++;
            }
            if (count == 0)
            {
                assertEquals(-1, book.bestPrice(side));
                assertEquals(0, book.bestVolume(side));
            }
            return count;
        }
    }

    @Test
    void shouldMatchAListOverAHundredThousandCalls()
    {
        final Long only = Long.getLong("millrace.seed");
        for (long seed = only == null ? 1 : only; seed <= (only == null ? SEEDS : only); seed++)
        {
            new Trial(seed).run();
        }
        for (final CommandResult result : new CommandResult[]{CommandResult.SUCCESS, CommandResult.WRONG_SIDE,
            CommandResult.WRONG_SIZE, CommandResult.WRONG_PRICE, CommandResult.DUPLICATE_ORDER,
            CommandResult.UNKNOWN_ORDER, CommandResult.BOOK_FULL})
        {
            assertTrue(only != null || tally.getOrDefault(result, 0) >= OFTEN, () -> result + " is rare: " + tally);
        }
    }
}

package io.millrace.engine.book;

import io.millrace.engine.EventCounter;
import io.millrace.engine.tables.OrderIndex;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Locale;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * M6: 100,000 orders with ids that collide on purpose. The test fails on steps, never on a time: a search takes a
 * bounded number of steps for the attacker, and no more than before for others. The times are printed.
 */
class HostileIdsTest
{
    private static final int HOSTILE = 100_000;
    private static final long UID = 7;
    private static final long SEED = 40;
    /** The 99th of a hundred. */
    private static final double P99 = 0.99;

    private static long[] randomIds(final int count)
    {
        return new Random(SEED).longs(count).toArray();
    }

    private static int p99(final int[] values)
    {
        Arrays.sort(values);
        return values[(int)(values.length * P99)];
    }

    private static OrderIndex indexWith(final long[] ids, final int capacity)
    {
        final OrderArena arena = new OrderArena(capacity, 1);
        final OrderIndex index = arena.newIndex();
        add(arena, index, ids);
        return index;
    }

    private static void add(final OrderArena arena, final OrderIndex index, final long[] ids)
    {
        for (final long id : ids)
        {
            final int h = arena.allocate();
            arena.rows[h << OrderArena.ROW_SHIFT] = id;
            index.add(id, h);
        }
    }

    @Test
    void shouldBoundTheStepsOfHostileSearchesWithoutLengtheningOthers()
    {
        final int capacity = 2 * HOSTILE;
        final long[] friendly = randomIds(HOSTILE);
        final OrderIndex alone = indexWith(friendly, capacity);
        final int before = p99(Arrays.stream(friendly).mapToInt(alone::steps).toArray());
        final OrderArena arena = new OrderArena(capacity, 1);
        final OrderIndex shared = arena.newIndex();
        final long[] hostile = CollidingIds.of(shared, HOSTILE);
        add(arena, shared, hostile);
        add(arena, shared, friendly);
        final int after = p99(Arrays.stream(friendly).mapToInt(shared::steps).toArray());
        final int worst = Arrays.stream(hostile).mapToInt(shared::steps).max().orElseThrow();
        System.out.printf(Locale.ROOT, "steps of a search, p99: random ids %d, beside hostile ones %d; hostile ids " +
            "at most %d%n", before, after, worst);
        assertTrue(after <= 2 * before, () -> "p99 of random ids: " + before + " steps, beside hostile ones " + after);
        assertTrue(worst <= OrderIndex.MAX_STEPS, () -> "steps of the longest search: " + worst);
    }

    @Test
    void shouldMatchHostileIdsLikeOthers()
    {
        final int capacity = 2_000;
        final EventCounter friendlyEvents = new EventCounter();
        final EventCounter hostileEvents = new EventCounter();
        run(capacity, randomIds(capacity), friendlyEvents);
        run(capacity, CollidingIds.of(capacity, capacity), hostileEvents);
        assertTrue(friendlyEvents.trades > 0 && friendlyEvents.reduces > 0);
        assertEquals(friendlyEvents.trades, hostileEvents.trades);
        assertEquals(friendlyEvents.volume, hostileEvents.volume);
        assertEquals(friendlyEvents.reduces, hostileEvents.reduces);
    }

    private static void run(final int capacity, final long[] ids, final EventCounter events)
    {
        final OrderBook book = new OrderBook(SymbolSpec.future(1).withOrderCapacity(capacity), events);
        for (int i = 0; i < ids.length; i++)
        {
            final byte side = (byte)(i & 1);
            book.execute(new BookCommand().place(OrderType.GTC, side).orderId(ids[i]).uid(UID)
                .price(1_000 + i % 40 + (side == Side.BID ? -35 : 0)).size(1 + i % 5));
        }
        for (int i = 0; i < ids.length; i += 3)
        {
            book.cancel(ids[i], UID);
        }
        book.verify();
        book.execute(new BookCommand().place(OrderType.MARKET, Side.BID).orderId(0).uid(UID).size(1_000_000));
        book.verify();
    }

    /** Prints figures only, because the time depends on the machine. */
    @Test
    @Tag("faults")
    void shouldMeasureTheCostOfHostileIds()
    {
        final OrderBook random = filled(randomIds(HOSTILE));
        final OrderBook hostile = filled(CollidingIds.of(HOSTILE, HOSTILE));
        final long[] randomIds = randomIds(HOSTILE);
        final long[] hostileIds = CollidingIds.of(HOSTILE, HOSTILE);
        for (int round = 1; round <= 5; round++)
        {
            final long[] ofRandom = reduceTimesNs(random, randomIds);
            final long[] ofHostile = reduceTimesNs(hostile, hostileIds);
            System.out.printf(Locale.ROOT, "round %d: REDUCE of one of %d orders, ns: random ids p50 %d p99 %d; " +
                "hostile ids p50 %d p99 %d; p99 hostile/random %.2f%n", round, HOSTILE, at(ofRandom, 0.5),
                at(ofRandom, P99), at(ofHostile, 0.5), at(ofHostile, P99),
                (double)at(ofHostile, P99) / at(ofRandom, P99));
        }
        random.verify();
        hostile.verify();
    }

    private static OrderBook filled(final long[] ids)
    {
        final OrderBook book = new OrderBook(SymbolSpec.future(1).withOrderCapacity(HOSTILE), new EventCounter());
        for (int i = 0; i < ids.length; i++)
        {
            assertEquals(CommandResult.SUCCESS,
                book.execute(new BookCommand().place(OrderType.GTC, Side.BID).orderId(ids[i]).uid(UID)
                    .price(1_000 + i % 500).size(1_000_000)));
        }
        return book;
    }

    private static long[] reduceTimesNs(final OrderBook book, final long[] ids)
    {
        final long[] times = new long[ids.length];
        final Random random = new Random(SEED);
        for (int i = 0; i < ids.length; i++)
        {
            final long id = ids[random.nextInt(ids.length)];
            final long from = System.nanoTime();
            book.reduce(id, UID, 1);
            times[i] = System.nanoTime() - from;
        }
        Arrays.sort(times);
        return times;
    }

    private static long at(final long[] sorted, final double quantile)
    {
        return sorted[(int)(sorted.length * quantile)];
    }
}

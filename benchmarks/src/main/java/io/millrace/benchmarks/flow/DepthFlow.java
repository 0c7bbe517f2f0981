package io.millrace.benchmarks.flow;

import io.millrace.engine.book.Side;

import java.util.Objects;

/**
 * Commands that keep a book at so many orders and levels: first the orders are placed, then commands follow in the
 * proportions of the benchmark flow (71 % moves by a few ticks, 12.7 % new orders, 7.3 % cancels, 7.3 % reductions,
 * 2 % IOC), each at an order drawn from all that live, so that no cache contains what it touches.
 * <p>
 * The generator has no book. All trades happen at the best price of a side, where {@value #TOP} orders wait that
 * nobody moves: an IOC takes just the oldest of them, a new order comes in its place. So it knows what every command
 * must come to, and is a judge of books. The same settings give the same commands on every JVM. One thread.
 */
public final class DepthFlow
{
    /**
     * More orders than asked for that there may be for a while: the capacity that the book must have in addition.
     */
    public static final int SLACK = 64;

    // Orders at the best price of a side: more than IOCs come between two new orders there.
    private static final int TOP = 8;
    private static final int TOP_OF_TWO = 1;
    private static final int TOP_MASK = 15;

    // Out of a thousand.
    private static final int MOVES = 710;
    private static final int PLACES = MOVES + 127;
    private static final int CANCELS = PLACES + 73;
    private static final int REDUCES = CANCELS + 73;
    private static final int KINDS = 1_003;

    private static final int SIZE_FACTOR = 6;
    private static final int FEW_TICKS = 4;
    private static final long STEP = 0x9E3779B97F4A7C15L;
    private static final int[] GTC = {BookCommands.place(true, "GTC"), BookCommands.place(false, "GTC")};
    private static final int[] IOC = {BookCommands.place(true, "IOC"), BookCommands.place(false, "IOC")};

    private final int orders;
    private final int ranks;
    private final DepthPrices prices;
    private final EventHash expected = new EventHash();
    private final IdSource idSource;
    // The orders of the bands, without gaps: what is left of each, and rank and side in one int.
    private final long[] ids;
    private final int[] places;
    private final int[] sizes;
    private int live;
    // At the best prices: rings, the oldest first.
    private final long[][] topIds = new long[2][TOP_MASK + 1];
    private final int[][] topSizes = new int[2][TOP_MASK + 1];
    private final int[] topFirst = new int[2];
    private final int[] topCount = new int[2];
    private boolean isAtOtherTop;
    // One order for each level: which places are taken. Null otherwise.
    private final boolean[] taken;
    private long counter;
    private int filled;
    private CommandColumns batch;

    /**
     * A flow, of which nothing has been given.
     *
     * @param orders about how many orders rest, 64 or more.
     * @param levels on how many prices, 4 or more; as many as orders: one on each price, and every other price free.
     * @param prices where they lie.
     * @param ids    the ids that orders may have, at least orders + {@value #SLACK}; null: counted from 1, none twice.
     * @throws IllegalArgumentException when there are too few orders, levels or ids.
     */
    public DepthFlow(final int orders, final int levels, final DepthPrices prices, final long[] ids)
    {
        if (orders < SLACK || levels < 4 || levels > orders || ids != null && ids.length < orders + SLACK)
        {
            throw new IllegalArgumentException(orders + " orders on " + levels + " levels");
        }
        this.orders = orders;
        this.prices = Objects.requireNonNull(prices, "prices");
        idSource = new IdSource(ids);
        final boolean isSingle = levels == orders;
        ranks = isSingle ? levels : levels / 2 - 1;
        taken = isSingle ? new boolean[2 * ranks] : null;
        this.ids = new long[orders + SLACK];
        places = new int[orders + SLACK];
        sizes = new int[orders + SLACK];
        counter = 31L * orders + levels;
    }

    /** Ids counted from 1; or taken from a stock, the one returned first first. */
    private static final class IdSource
    {
        private final long[] ring;
        private int first;
        private int end;
        private long last;

        IdSource(final long[] stock)
        {
            ring = stock == null ? null : stock.clone();
        }

        long next()
        {
            if (ring == null)
            {
                return ++last;
            }
            final long id = ring[first];
            first = first + 1 == ring.length ? 0 : first + 1;
            return id;
        }

        void release(final long id)
        {
            if (ring != null)
            {
                ring[end] = id;
                end = end + 1 == ring.length ? 0 : end + 1;
            }
        }
    }

    /**
     * Make the next placements that fill the book.
     *
     * @param into is made anew; empty when the book is full.
     */
    public void fill(final CommandColumns into)
    {
        begin(into);
        while (filled < orders && into.count() < into.capacity())
        {
            final int side = filled & 1;
            if (filled < 2 * top())
            {
                placeAtTop(side);
            }
            else
            {
                placeInBand(side);
            }
            filled++;
        }
    }

    /**
     * Make the next commands for the full book.
     *
     * @param into  is made anew.
     * @param count how many, at most what it can hold.
     */
    public void next(final CommandColumns into, final int count)
    {
        begin(into);
        while (into.count() < count)
        {
            expected.command(into.count());
            next();
        }
    }

    private void begin(final CommandColumns into)
    {
        batch = into;
        into.clear();
        expected.reset(false);
    }

    private void next()
    {
        final int kind = random(KINDS);
        if (kind < MOVES)
        {
            if (prices.hasTwoTops() && (kind & 1) == 0)
            {
                moveTop();
            }
            else
            {
                move(random(live));
            }
        }
        else if (kind < CANCELS)
        {
            // New orders and cancels are kept in balance.
            final int lack = orders - orders();
            if (lack > SLACK / 2 || kind < PLACES && lack > -SLACK / 2)
            {
                place();
            }
            else
            {
                cancel(random(live));
            }
        }
        else if (kind < REDUCES)
        {
            reduce(random(live));
        }
        else
        {
            trade(random(2));
        }
    }

    private int top()
    {
        return prices.hasTwoTops() ? TOP_OF_TWO : TOP;
    }

    private void place()
    {
        final int side = random(2);
        if (topCount[side] < top())
        {
            placeAtTop(side);
        }
        else
        {
            placeInBand(side);
        }
    }

    private void placeAtTop(final int side)
    {
        final int at = topFirst[side] + topCount[side]++ & TOP_MASK;
        topIds[side][at] = idSource.next();
        topSizes[side][at] = randomSize();
        add(GTC[side], topIds[side][at], topPrice(side), topSizes[side][at]);
    }

    private void placeInBand(final int side)
    {
        final int rank = free(side, random(ranks));
        final int size = randomSize();
        ids[live] = idSource.next();
        places[live] = rank << 1 | side;
        sizes[live] = size;
        add(GTC[side], ids[live], prices.band(side, rank), size);
        live++;
    }

    /** The user follows from the order's id, so that it need not be stored. */
    private void add(final int word, final long orderId, final long price, final long size)
    {
        batch.add(batch.count(), word, orderId, orderId & 0x3FF, price, size, 0);
    }

    private long topPrice(final int side)
    {
        return prices.top(side, side == Side.ASK && isAtOtherTop);
    }

    private void moveTop()
    {
        if (topCount[Side.ASK] == 0)
        {
            placeAtTop(Side.ASK);
            return;
        }
        isAtOtherTop ^= true;
        add(BookCommands.MOVE, topIds[Side.ASK][topFirst[Side.ASK] & TOP_MASK], topPrice(Side.ASK), 0);
    }

    private void move(final int at)
    {
        final int side = places[at] & 1;
        final int by = random(2 * FEW_TICKS);
        int rank = (places[at] >>> 1) + (by < FEW_TICKS ? by - FEW_TICKS : by - FEW_TICKS + 1);
        // A move beyond the band is reflected at its end.
        rank = rank < 0 ? -rank : rank >= ranks ? 2 * (ranks - 1) - rank : rank;
        release(places[at]);
        rank = free(side, Math.max(0, Math.min(ranks - 1, rank)));
        places[at] = rank << 1 | side;
        add(BookCommands.MOVE, ids[at], prices.band(side, rank), 0);
    }

    private void cancel(final int at)
    {
        add(BookCommands.CANCEL, ids[at], 0, 0);
        expected.event(EventHash.REDUCE, 0, price(at), sizes[at]);
        remove(at);
    }

    private void reduce(final int at)
    {
        final int by = 1 + random(sizes[at]);
        add(BookCommands.REDUCE, ids[at], 0, by);
        expected.event(EventHash.REDUCE, 0, price(at), by);
        sizes[at] -= by;
        if (sizes[at] == 0)
        {
            remove(at);
        }
    }

    /** An IOC takes the oldest order at the best price of a side. */
    private void trade(final int makerSide)
    {
        if (topCount[makerSide] == 0)
        {
            placeAtTop(makerSide);
            return;
        }
        final int at = topFirst[makerSide]++ & TOP_MASK;
        topCount[makerSide]--;
        final long takerId = idSource.next();
        add(IOC[makerSide ^ 1], takerId, topPrice(makerSide), topSizes[makerSide][at]);
        expected.event(EventHash.TRADE, topIds[makerSide][at], topPrice(makerSide), topSizes[makerSide][at]);
        idSource.release(topIds[makerSide][at]);
        idSource.release(takerId);
    }

    private long price(final int at)
    {
        return prices.band(places[at] & 1, places[at] >>> 1);
    }

    private void remove(final int at)
    {
        idSource.release(ids[at]);
        release(places[at]);
        live--;
        ids[at] = ids[live];
        places[at] = places[live];
        sizes[at] = sizes[live];
    }

    private void release(final int place)
    {
        if (taken != null)
        {
            taken[place] = false;
        }
    }

    /** The rank itself; with one order for each level the next free one. */
    private int free(final int side, final int wanted)
    {
        int rank = wanted;
        if (taken != null)
        {
            while (taken[rank << 1 | side])
            {
                rank = rank + 1 == ranks ? 0 : rank + 1;
            }
            taken[rank << 1 | side] = true;
        }
        return rank;
    }

    private int randomSize()
    {
        return 1 + random(SIZE_FACTOR) * random(SIZE_FACTOR) * random(SIZE_FACTOR);
    }

    /** SplitMix64 (Steele, Lea and Flood): a counter, mixed. */
    private int random(final int bound)
    {
        counter += STEP;
        long z = (counter ^ counter >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return (int)((z >>> 33) * bound >>> 31);
    }

    /** Number of orders that rest after the commands so far. */
    public int orders()
    {
        return live + topCount[0] + topCount[1];
    }

    /** Events that the last commands made must come to. */
    public long events()
    {
        return expected.events();
    }

    /**
     * Hash that the events of the last commands must have.
     *
     * @return the quick form of {@link EventHash}, each event with the command's place in the batch.
     */
    public long eventHash()
    {
        return expected.hash();
    }
}

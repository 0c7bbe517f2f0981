package io.millrace.engine.book;

/**
 * The price levels of a book: which prices have orders, how much rests there, and which is the best.
 * <p>
 * Levels inside a window of neighbouring prices are found by subtraction; a bitmap of three levels for each side tells
 * the next occupied one in a few steps. Levels outside of it, which are few, are {@link SparseLevels}. Both sides share
 * the window's levels, because no price has both bids and asks. A book that may cross has a ladder for each side.
 * <p>
 * A side's <em>key</em> of a price orders prices by how good they are: the price for asks, its complement for bids, so
 * that smaller is better for both and one code serves both. A bit of the window's bitmap is turned round likewise.
 * <pre>
 *  level     0 ............ windowTicks - 1   |  windowTicks ............ windowTicks + capacity - 1
 *            price base + level               |  far level (level - windowTicks)
 * </pre>
 * The window follows the market: when orders have come to prices outside often enough to pay for it, it is laid round
 * the best price. {@link LimitFastPath} writes the totals, too. One thread.
 */
final class PriceLadder
{
    static final int NONE = -1;

    /** Key of "no price": worse than all. */
    static final long NO_KEY = Long.MAX_VALUE;

    // Visits outside of the window that pay for moving it when it is empty; two more for each level that must move.
    private static final int VISITS_BEFORE_MOVE = 64;

    private final OrderArena arena;
    private final SparseLevels far;
    private final int firstQueue;
    private final int window;
    final LevelBitmap occupied;
    /** Two longs for each level: volume and number of orders. */
    final long[] totals;
    // For each level what its icebergs do not show; not read while no iceberg hides anything.
    private final long[] hidden;
    private long hiddenEverywhere;
    final long[] bestKeys = {NO_KEY, NO_KEY};
    private final int[] bestLevels = {NONE, NONE};
    /** Price of level 0. */
    long base;
    private int farVisits;
    private long visitsBeforeCount = VISITS_BEFORE_MOVE;

    PriceLadder(final OrderArena arena, final int window, final int farCapacity)
    {
        this(arena, 0, window, farCapacity);
    }

    /** A ladder whose level 0 has the arena's queue of a level; its window and far levels have those that follow. */
    PriceLadder(final OrderArena arena, final int firstLevel, final int window, final int farCapacity)
    {
        this.arena = arena;
        this.window = window;
        firstQueue = arena.queue(firstLevel);
        far = new SparseLevels(farCapacity);
        totals = new long[2 * (window + farCapacity)];
        occupied = new LevelBitmap(window, totals);
        hidden = new long[window + farCapacity];
    }

    /** Key of a price: the smaller, the better. Its own inverse. */
    static long key(final int side, final long price)
    {
        return price ^ side - 1;
    }

    /** Key of the best price, {@link #NO_KEY} when the side is empty. */
    long bestKey(final int side)
    {
        return bestKeys[side];
    }

    /** The best level, NONE when the side is empty. */
    int bestLevel(final int side)
    {
        return bestLevels[side];
    }

    /** Counts them: nobody asks as often as levels come and go. */
    int levelCount(final int side)
    {
        int count = far.count(side);
        for (int bit = nextBit(side, occupied.firstBit(side)); bit != NONE; bit = nextBit(side, bit + 1))
        {
            count++;
        }
        return count;
    }

    private int nextBit(final int side, final int from)
    {
        return occupied.next(side, from);
    }

    /** Node of a level's queue in the arena. */
    int queue(final int level)
    {
        return firstQueue + level;
    }

    /** What a level's orders show. */
    long volume(final int level)
    {
        return totals[2 * level];
    }

    /** What a level's orders do not show. */
    long hidden(final int level)
    {
        return hidden[level];
    }

    /** What a level's orders show and hide. */
    long liquidity(final int level)
    {
        return hiddenEverywhere == 0 ? totals[2 * level] : totals[2 * level] + hidden[level];
    }

    /** Orders of a level hide more, or less when negative. */
    void hide(final int level, final long volume)
    {
        hidden[level] += volume;
        hiddenEverywhere += volume;
    }

    int orders(final int level)
    {
        return (int)totals[2 * level + 1];
    }

    /** How many orders all levels have; -1 when one that has none has a volume, or one has less than none. */
    long verifiedOrders()
    {
        long sum = 0;
        long hides = 0;
        int levels = 0;
        for (int level = 0; level < totals.length / 2; level++)
        {
            final long orders = totals[2 * level + 1];
            if (orders < 0 || hidden[level] < 0 || orders == 0 && (totals[2 * level] | hidden[level]) != 0)
            {
                return -1;
            }
            sum += orders;
            hides += hidden[level];
            levels += level < window && orders > 0 ? 1 : 0;
        }
        return hides == hiddenEverywhere && levels == occupied.verifiedLevels() ? sum : -1;
    }

    long price(final int side, final int level)
    {
        return level < window ? base + level : key(side, far.key(level - window));
    }

    /** The level of a price; NONE, or a level without orders, when there is none. */
    int levelAt(final int side, final long price)
    {
        final long offset = price - base;
        if (offset >= 0 && offset < window)
        {
            return (int)offset;
        }
        final int leaf = far.find(side, key(side, price));
        return leaf == SparseLevels.NONE ? NONE : window + leaf;
    }

    /**
     * The level that an order stands in, by its price; out of the window there is nothing to search for when it is the
     * last of its queue.
     */
    int levelOf(final int side, final long price, final int h)
    {
        final long offset = price - base;
        if (offset >= 0 && offset < window)
        {
            return (int)offset;
        }
        final int next = arena.next(h);
        return next >= arena.capacity ? next - firstQueue : window + far.find(side, key(side, price));
    }

    /** The level of a price if it has orders of a side; or NONE. For a ladder whose sides do not cross. */
    int occupiedLevelAt(final int side, final long price)
    {
        // The two sides share the window; what is better than the best belongs to the other one.
        if (price < 0 || key(side, price) < bestKeys[side])
        {
            return NONE;
        }
        final int level = levelAt(side, price);
        return level == NONE || totals[2 * level + 1] == 0 ? NONE : level;
    }

    /** An order joins the level of a price, which is made if need be; which level that is. */
    int enter(final int side, final long price, final int h, final long volume)
    {
        final long offset = price - base;
        final int level = offset >= 0 && offset < window ? (int)offset : farLevel(side, price);
        final int at = 2 * level;
        totals[at] += volume;
        totals[at + 1]++;
        if (level < window)
        {
            occupied.occupy(occupied.bit(side, level));
        }
        final long key = key(side, price);
        if (key < bestKeys[side])
        {
            bestKeys[side] = key;
            bestLevels[side] = level;
        }
        arena.append(queue(level), h);
        return level;
    }

    /** An order of a level became smaller. */
    void reduce(final int level, final long volume)
    {
        totals[2 * level] -= volume;
    }

    /** An order of a level that showed nothing any more goes to the end of its queue and shows a part of its rest. */
    void requeue(final int level, final int h, final long volume)
    {
        arena.unlink(h);
        arena.append(queue(level), h);
        totals[2 * level] += volume;
        hide(level, -volume);
    }

    /** An order leaves its level, which goes too if it was the last. Its row has the level's price. */
    void leave(final int side, final int level, final int h, final long volume)
    {
        arena.unlink(h);
        final int at = 2 * level;
        final long orders = totals[at + 1] - 1;
        totals[at] -= volume;
        totals[at + 1] = orders;
        if (level >= window && orders == 0)
        {
            far.remove(side, level - window, key(side, arena.field(h, OrderArena.PRICE)));
        }
        if (level == bestLevels[side] && orders == 0)
        {
            findBest(side, level < window ? occupied.bit(side, level) : occupied.firstBit(side));
        }
    }

    /** The best level was vacated; no level of the window is before a bit. */
    private void findBest(final int side, final int bit)
    {
        final int found = occupied.next(side, bit);
        final int level = found == NONE ? NONE : occupied.level(found);
        final long key = found == NONE ? NO_KEY : key(side, base + level);
        final int leaf = far.best(side);
        if (leaf != SparseLevels.NONE && far.key(leaf) < key)
        {
            bestLevels[side] = window + leaf;
            bestKeys[side] = far.key(leaf);
        }
        else
        {
            bestLevels[side] = level;
            bestKeys[side] = key;
        }
    }

    /** Tell the best levels of a side, best first; negative: all. How many were told. */
    int forEachLevel(final byte side, final int maxLevels, final PriceLevelConsumer consumer)
    {
        return forEachLevel(side, bestLevel(side), maxLevels, consumer);
    }

    /** Tell levels of a side, best first, beginning with one or NONE; negative: all. How many were told. */
    int forEachLevel(final byte side, final int first, final int maxLevels, final PriceLevelConsumer consumer)
    {
        int told = 0;
        for (int level = first; level != NONE && told != maxLevels; level = worse(side, level))
        {
            consumer.onLevel(side, price(side, level), volume(level), orders(level));
            told++;
        }
        return told;
    }

    /** The level of a price, 0 or more, or the next worse one that has orders; or NONE. */
    int levelFrom(final int side, final long price)
    {
        final long key = key(side, price);
        if (key <= bestKeys[side])
        {
            return bestLevels[side];
        }
        final long offset = price - base;
        final boolean isInside = offset >= 0 && offset < window;
        final int bit = occupied.next(side,
            isInside ? occupied.bit(side, (int)offset) : occupied.firstBit(side));
        final int leaf = far.ceiling(side, key);
        if (bit != NONE)
        {
            final int inside = occupied.level(bit);
            final long keyInside = key(side, base + inside);
            if (keyInside >= key && (leaf == SparseLevels.NONE || keyInside < far.key(leaf)))
            {
                return inside;
            }
        }
        return farOrNone(leaf);
    }

    /** Tell the orders of a side in the order of their priority. */
    void forEachOrder(final byte side, final OrderConsumer consumer)
    {
        for (int level = bestLevel(side); level != NONE; level = worse(side, level))
        {
            final int queue = queue(level);
            for (int h = arena.next(queue); h != queue; h = arena.next(h))
            {
                arena.report(h, consumer);
            }
        }
    }

    /** The next worse level, or NONE. */
    int worse(final int side, final int level)
    {
        if (level < window)
        {
            final int bit = occupied.next(side, occupied.bit(side, level) + 1);
            // What is worse than one level of the window and outside is worse than all of it.
            return bit != NONE ? occupied.level(bit) : farOrNone(far.ceiling(side, key(side, base + level)));
        }
        final int leaf = far.worse(level - window);
        final int bit = occupied.next(side, occupied.firstBit(side));
        if (bit != NONE)
        {
            final int inside = occupied.level(bit);
            final long key = key(side, base + inside);
            if (far.key(level - window) < key && (leaf == SparseLevels.NONE || key < far.key(leaf)))
            {
                return inside;
            }
        }
        return farOrNone(leaf);
    }

    private int farOrNone(final int leaf)
    {
        return leaf == SparseLevels.NONE ? NONE : window + leaf;
    }

    /** The level of a price outside of the window, made if need be; afterwards the price may be inside. */
    private int farLevel(final int side, final long price)
    {
        if (bestKeys[0] == NO_KEY && bestKeys[1] == NO_KEY)
        {
            base = baseFor(price);
        }
        else if (++farVisits > visitsBeforeCount && farVisits > countVisitsBeforeMove())
        {
            farVisits = 0;
            visitsBeforeCount = VISITS_BEFORE_MOVE;
            final long key = Math.min(bestKeys[side], key(side, price));
            moveWindow(baseFor(key(side, key)));
        }
        final int level = levelAt(side, price);
        return level == NONE ? window + far.add(side, key(side, price)) : level;
    }

    // Counted again after half as many visits as there were levels: that pays for it, and levels that have gone tell.
    private long countVisitsBeforeMove()
    {
        final long levels = levelCount(0) + levelCount(1);
        final long visits = VISITS_BEFORE_MOVE + 2 * levels;
        visitsBeforeCount = Math.min(visits, farVisits + VISITS_BEFORE_MOVE + levels / 2);
        return visits;
    }

    /** Where the window begins with a price in its middle. */
    private long baseFor(final long price)
    {
        return Math.max(0, Math.min(price - window / 2, SymbolSpec.MAX_PRICE - window + 1));
    }

    private void moveWindow(final long newBase)
    {
        if (Math.abs(newBase - base) < window / 4)
        {
            return;
        }
        // Everything out, then in again what the new window covers: twice the work, half of the cases.
        for (int side = 0; side < 2; side++)
        {
            for (int bit = nextBit(side, occupied.firstBit(side)); bit != NONE; bit = nextBit(side, bit + 1))
            {
                final int level = occupied.level(bit);
                occupied.remove(bit);
                moveLevel(level, window + far.add(side, key(side, base + level)));
            }
        }
        base = newBase;
        for (int side = 0; side < 2; side++)
        {
            takeIn(side);
            bestLevels[side] = bestKeys[side] == NO_KEY ? NONE : levelAt(side, key(side, bestKeys[side]));
        }
    }

    private void takeIn(final int side)
    {
        final long firstKey = Math.min(key(side, base), key(side, base + window - 1));
        int leaf = far.ceiling(side, firstKey);
        while (leaf != SparseLevels.NONE && far.key(leaf) - firstKey < window)
        {
            final int next = far.worse(leaf);
            final long key = far.key(leaf);
            final int level = (int)(key(side, key) - base);
            moveLevel(window + leaf, level);
            occupied.occupy(occupied.bit(side, level));
            far.remove(side, leaf, key);
            leaf = next;
        }
    }

    private void moveLevel(final int from, final int to)
    {
        totals[2 * to] = totals[2 * from];
        totals[2 * to + 1] = totals[2 * from + 1];
        totals[2 * from] = 0;
        totals[2 * from + 1] = 0;
        hidden[to] = hidden[from];
        hidden[from] = 0;
        arena.moveQueue(queue(from), queue(to));
    }
}

package io.millrace.engine.book;

/**
 * The price levels of a book: the prices that have orders, their volumes, and the best price of each side.
 * <p>
 * Levels inside a window of adjacent prices are found by subtraction. One bitmap per side, with three layers, finds the
 * next occupied level in a few steps. The few levels outside the window are in {@link SparseLevels}. Both sides share
 * the window's levels, because no price has both bids and asks. A book that may cross has one ladder per side.
 * <p>
 * A side's <em>key</em> of a price orders prices from best to worst: the price for asks, its complement for bids. The
 * smaller key is better on both sides, so one code path serves both. The bits of the bitmaps are mirrored in the same
 * way.
 * <pre>
 *  level     0 ............ windowTicks - 1   |  windowTicks ............ windowTicks + capacity - 1
 *            price base + level               |  sparse level (level - windowTicks)
 * </pre>
 * The window follows the market. When enough orders have arrived outside the window to pay for the move, it is centred
 * on the best price, as far as the valid prices allow. {@link LimitFastPath} also writes the totals. One thread.
 */
final class PriceLadder
{
    static final int NONE = -1;

    /** Key of "no price": worse than every key of a price. */
    static final long NO_KEY = Long.MAX_VALUE;

    // Visits outside the window that pay for moving an empty window. Each level that must move costs two more.
    private static final int VISITS_BEFORE_MOVE = 64;

    private final OrderArena arena;
    private final SparseLevels sparse;
    private final int firstQueue;
    private final int window;
    final LevelBitmap occupied;
    /** Two longs per level: visible volume and number of orders. */
    final long[] totals;
    // Per level: the hidden volume of its icebergs. Not read while no iceberg hides anything.
    final long[] hidden;
    long hiddenEverywhere;
    final BestPrices[] best = {new BestPrices(0), new BestPrices(1)};
    // The window contains no price below the least one, and none above the greatest one if it fits between both.
    private final long leastPrice;
    private final long greatestPrice;
    /** Price of level 0. */
    long base;
    /** Greatest offset from the base of a price in the window that is valid on both sides; the least one is 0. */
    final long greatestOffset;
    private int sparseVisits;
    private long visitsBeforeCount = VISITS_BEFORE_MOVE;

    PriceLadder(final OrderArena arena, final SymbolSpec spec)
    {
        this(arena, 0, spec.windowTicks(), spec.orderCapacity(), leastPrice(spec), spec.maxPrice());
    }

    /**
     * A ladder for all prices, whose level 0 uses the queue of {@code firstLevel} in the arena; all further levels use
     * the next queues.
     */
    PriceLadder(final OrderArena arena, final int firstLevel, final int window, final int sparseCapacity)
    {
        this(arena, firstLevel, window, sparseCapacity, 0, SymbolSpec.MAX_PRICE);
    }

    private PriceLadder(
        final OrderArena arena,
        final int firstLevel,
        final int window,
        final int sparseCapacity,
        final long leastPrice,
        final long greatestPrice)
    {
        this.arena = arena;
        this.window = window;
        this.leastPrice = leastPrice;
        this.greatestPrice = greatestPrice;
        firstQueue = arena.queue(firstLevel);
        sparse = new SparseLevels(sparseCapacity);
        totals = new long[2 * (window + sparseCapacity)];
        occupied = new LevelBitmap(window, totals);
        hidden = new long[window + sparseCapacity];
        base = leastPrice;
        greatestOffset = Math.min(window - 1, greatestPrice - leastPrice);
    }

    /** Least price that is valid on both sides. */
    static long leastPrice(final SymbolSpec spec)
    {
        return Math.max(spec.minPrice(), spec.minAskPrice());
    }

    /** Key of a price: smaller is better. The function is its own inverse. */
    static long key(final int side, final long price)
    {
        return price ^ side - 1;
    }

    /** Key of the best price, {@link #NO_KEY} when the side is empty. */
    long bestKey(final int side)
    {
        return best[side].key;
    }

    /** The best level, NONE when the side is empty. */
    int bestLevel(final int side)
    {
        return best[side].level;
    }

    /** Counts the levels, because callers ask much less often than levels appear and disappear. */
    int levelCount(final int side)
    {
        return sparse.count(side) + countInside(side);
    }

    /** Number of levels in the window. */
    int countInside(final int side)
    {
        int count = isInside(best[side].level) ? 1 : 0;
        for (int bit = nextAfterBest(side); bit != NONE; bit = occupied.next(side, bit + 1))
        {
            count++;
        }
        return count;
    }

    boolean isInside(final int level)
    {
        return level != NONE && level < window;
    }

    /**
     * The bit of the first level in the window behind the best one, or NONE. Before the best level are only orders of
     * the other side.
     */
    private int nextAfterBest(final int side)
    {
        final BestPrices prices = best[side];
        if (isInside(prices.level))
        {
            return occupied.next(side, occupied.bit(side, prices.level) + 1);
        }
        return prices.key < key(side, base) ? occupied.next(side, occupied.firstBit(side)) : NONE;
    }

    /** Number of levels outside the window. */
    int sparseCount(final int side)
    {
        return sparse.count(side);
    }

    /** Node of the queue of a level in the arena. */
    int queue(final int level)
    {
        return firstQueue + level;
    }

    /** Visible volume of a level. */
    long volume(final int level)
    {
        return totals[2 * level];
    }

    /** Hidden volume of a level. */
    long hidden(final int level)
    {
        return hidden[level];
    }

    /** Visible and hidden volume of a level. */
    long liquidity(final int level)
    {
        return hiddenEverywhere == 0 ? totals[2 * level] : totals[2 * level] + hidden[level];
    }

    /** Adds to the hidden volume of a level; negative to subtract. */
    void hide(final int level, final long volume)
    {
        hidden[level] += volume;
        hiddenEverywhere += volume;
    }

    int orders(final int level)
    {
        return (int)totals[2 * level + 1];
    }

    long price(final int side, final int level)
    {
        return level < window ? base + level : key(side, sparse.key(level - window));
    }

    /** The level of a price. The result may be NONE or a level without orders. */
    int levelAt(final int side, final long price)
    {
        final long offset = price - base;
        if (offset >= 0 && offset < window)
        {
            return (int)offset;
        }
        final int leaf = sparse.find(side, key(side, price));
        return leaf == SparseLevels.NONE ? NONE : window + leaf;
    }

    /**
     * The level that contains an order, by its price. Outside the window, the last order of a queue links to the level,
     * so no search is necessary.
     */
    int levelOf(final int side, final long price, final int h)
    {
        final long offset = price - base;
        if (offset >= 0 && offset < window)
        {
            return (int)offset;
        }
        final int next = arena.next(h);
        return next >= arena.capacity ? next - firstQueue : window + sparse.find(side, key(side, price));
    }

    /**
     * The level of a price if it has orders of this side, otherwise NONE. Only for a ladder whose sides do not cross.
     */
    int occupiedLevelAt(final int side, final long price)
    {
        // The sides share the window: a level better than the best one belongs to the other side.
        if (price < 0 || key(side, price) < best[side].key)
        {
            return NONE;
        }
        final int level = levelAt(side, price);
        return level == NONE || totals[2 * level + 1] == 0 ? NONE : level;
    }

    /** Appends an order to the level of its price, and adds that level if it is missing. Returns the level. */
    int enter(final int side, final long price, final int h, final long volume)
    {
        final long offset = price - base;
        final int level = offset >= 0 && offset < window ? (int)offset : sparseLevel(side, price);
        final long key = key(side, price);
        if (key < best[side].key)
        {
            lead(side, level, key, h, volume);
        }
        else
        {
            join(level, h, volume);
            occupy(side, level);
            best[side].follow(key);
        }
        return level;
    }

    /**
     * Puts an order into a level that becomes the best one. Only writes the level: it is empty, and a read would wait
     * if it has not been used for a long time.
     */
    void lead(final int side, final int level, final long key, final int h, final long volume)
    {
        totals[2 * level] = volume;
        totals[2 * level + 1] = 1;
        arena.start(queue(level), h);
        final BestPrices prices = best[side];
        // The new level gets no bit yet. The previous best one needs its bit now.
        occupy(side, prices.level);
        prices.lead(level, key);
    }

    private void occupy(final int side, final int level)
    {
        if (level < window)
        {
            occupied.occupy(occupied.bitOrEnd(side, level));
        }
    }

    /** Appends an order to a level that has orders, or that the caller makes visible to searches. */
    void join(final int level, final int h, final long volume)
    {
        totals[2 * level] += volume;
        totals[2 * level + 1]++;
        arena.append(queue(level), h);
    }

    /** Reduces the visible volume of a level. */
    void reduce(final int level, final long volume)
    {
        totals[2 * level] -= volume;
    }

    /** Moves an iceberg without visible lots to the end of its queue with its next slice. */
    void requeue(final int level, final int h, final long volume)
    {
        arena.unlink(h);
        arena.append(queue(level), h);
        totals[2 * level] += volume;
        hide(level, -volume);
    }

    /** Removes an order from its level, then the level if it is empty. The price is read from the order's row. */
    void leave(final int side, final int level, final int h, final long volume)
    {
        arena.unlink(h);
        final int at = 2 * level;
        final long orders = totals[at + 1] - 1;
        totals[at] -= volume;
        totals[at + 1] = orders;
        if (level >= window && orders == 0)
        {
            sparse.remove(side, level - window, key(side, arena.field(h, OrderArena.PRICE)));
        }
        if (level == best[side].level && orders == 0)
        {
            findBest(side);
        }
    }

    /**
     * Finds the best level after the previous one became empty. Needs no search if the second best one is known and has
     * orders.
     */
    void findBest(final int side)
    {
        final BestPrices prices = best[side];
        final long second = prices.second;
        if (second != prices.key)
        {
            // Without a branch on whether there is a second level, which is unpredictable.
            final long exists = second - prices.none >> 63;
            final long offset = key(side, second) - base;
            // It is searched for if it is outside the window, or has become empty.
            if ((offset & -(long)window & exists) == 0 &&
                (totals[2 * (int)offset + 1 & (int)exists] | ~exists) != 0)
            {
                prices.level = (int)(offset | ~exists);
                prices.key = second | NO_KEY & ~exists;
                return;
            }
        }
        searchBest(side);
    }

    /** Clears the bit of the previous best level: a search that sometimes met it would be unpredictable. */
    private void searchBest(final int side)
    {
        final int found = nextAfterBest(side);
        if (isInside(best[side].level))
        {
            occupied.clear(occupied.bit(side, best[side].level));
        }
        final int level = found == NONE ? NONE : occupied.level(found);
        final long key = found == NONE ? NO_KEY : key(side, base + level);
        final int leaf = sparse.best(side);
        final boolean isOutside = leaf != SparseLevels.NONE && sparse.key(leaf) < key;
        best[side].set(isOutside ? window + leaf : level, isOutside ? sparse.key(leaf) : key);
    }

    /**
     * Reports levels of a side from {@code first} on, which may be NONE; all if the maximum is negative. Returns their
     * number.
     */
    int forEachLevel(final byte side, final int first, final int maxLevels, final PriceLevelConsumer consumer)
    {
        int reported = 0;
        for (int level = first; level != NONE && reported != maxLevels; level = worse(side, level))
        {
            consumer.onLevel(side, price(side, level), volume(level), orders(level));
            reported++;
        }
        return reported;
    }

    /** The level of a price if it has orders, otherwise the next worse level with orders, or NONE. */
    int levelFrom(final int side, final long price)
    {
        final long key = key(side, price);
        if (key <= best[side].key)
        {
            return best[side].level;
        }
        final long offset = price - base;
        final boolean isInside = offset >= 0 && offset < window;
        final int bit = occupied.next(side,
            isInside ? occupied.bit(side, (int)offset) : occupied.firstBit(side));
        final int leaf = sparse.ceiling(side, key);
        if (bit != NONE)
        {
            final int inside = occupied.level(bit);
            final long keyInside = key(side, base + inside);
            if (keyInside >= key && (leaf == SparseLevels.NONE || keyInside < sparse.key(leaf)))
            {
                return inside;
            }
        }
        return sparseOrNone(leaf);
    }

    /** Reports the orders of a side by priority. */
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

    /** The next worse level with orders, or NONE. */
    int worse(final int side, final int level)
    {
        if (level < window)
        {
            final int bit = occupied.next(side, occupied.bit(side, level) + 1);
            // A sparse level that is worse than one level of the window is worse than the whole window.
            return bit != NONE ? occupied.level(bit) : sparseOrNone(sparse.ceiling(side, key(side, base + level)));
        }
        final int leaf = sparse.worse(level - window);
        final int bit = occupied.next(side, occupied.firstBit(side));
        if (bit != NONE)
        {
            final int inside = occupied.level(bit);
            final long key = key(side, base + inside);
            if (sparse.key(level - window) < key && (leaf == SparseLevels.NONE || key < sparse.key(leaf)))
            {
                return inside;
            }
        }
        return sparseOrNone(leaf);
    }

    private int sparseOrNone(final int leaf)
    {
        return leaf == SparseLevels.NONE ? NONE : window + leaf;
    }

    /**
     * Level of a price outside the window; adds it if it is missing. May move the window so that it contains the price.
     */
    private int sparseLevel(final int side, final long price)
    {
        if (best[0].key == NO_KEY && best[1].key == NO_KEY)
        {
            base = baseFor(price);
        }
        else if (++sparseVisits > visitsBeforeCount && sparseVisits > countVisitsBeforeMove())
        {
            sparseVisits = 0;
            visitsBeforeCount = VISITS_BEFORE_MOVE;
            final long key = Math.min(best[side].key, key(side, price));
            moveWindow(baseFor(key(side, key)));
        }
        final int level = levelAt(side, price);
        return level == NONE ? window + sparse.add(side, key(side, price)) : level;
    }

    // Counts again after half as many visits as there were levels: cheap enough, and it notices removed levels.
    private long countVisitsBeforeMove()
    {
        final long levels = levelCount(0) + levelCount(1);
        final long visits = VISITS_BEFORE_MOVE + 2 * levels;
        visitsBeforeCount = Math.min(visits, sparseVisits + VISITS_BEFORE_MOVE + levels / 2);
        return visits;
    }

    /** First price of a window that has a price in its middle, or as near to it as the valid prices allow. */
    private long baseFor(final long price)
    {
        return Math.max(leastPrice, Math.min(price - window / 2, greatestPrice - window + 1));
    }

    private void moveWindow(final long newBase)
    {
        if (Math.abs(newBase - base) < window / 4)
        {
            return;
        }
        // Moves all levels out of the window, then the levels of the new window back: up to twice the work, but half
        // the cases.
        for (int side = 0; side < 2; side++)
        {
            for (int bit = nextAfterBest(side); bit != NONE; bit = occupied.next(side, bit + 1))
            {
                moveOut(side, occupied.level(bit));
            }
            if (isInside(best[side].level))
            {
                moveOut(side, best[side].level);
            }
        }
        base = newBase;
        for (int side = 0; side < 2; side++)
        {
            fillWindow(side);
            best[side].level = best[side].key == NO_KEY ? NONE : levelAt(side, key(side, best[side].key));
        }
    }

    private void moveOut(final int side, final int level)
    {
        occupied.clear(occupied.bit(side, level));
        moveLevel(level, window + sparse.add(side, key(side, base + level)));
    }

    private void fillWindow(final int side)
    {
        final long firstKey = Math.min(key(side, base), key(side, base + window - 1));
        int leaf = sparse.ceiling(side, firstKey);
        while (leaf != SparseLevels.NONE && sparse.key(leaf) - firstKey < window)
        {
            final int next = sparse.worse(leaf);
            final long key = sparse.key(leaf);
            final int level = (int)(key(side, key) - base);
            moveLevel(window + leaf, level);
            occupied.occupy(occupied.bit(side, level));
            sparse.remove(side, leaf, key);
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

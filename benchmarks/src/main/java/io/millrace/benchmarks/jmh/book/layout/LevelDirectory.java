package io.millrace.benchmarks.jmh.book.layout;

/**
 * Finds price levels: by price, the best one of a side, the next worse one. A level is a number below {@link #levels()}
 * that it keeps while it has orders. A side's key of a price is the smaller the better: the price of an ask, the
 * complement of a bid's. One thread; allocates nothing after it was made.
 */
abstract class LevelDirectory
{
    /** No level. */
    static final int NONE = -1;

    /** Key of "no price". */
    static final long NO_KEY = Long.MAX_VALUE;

    private final long[] bestKeys = {NO_KEY, NO_KEY};
    private final int[] best = {NONE, NONE};

    /** The key of a price, or the price of a key. */
    static long key(final int side, final long price)
    {
        return price ^ side - 1;
    }

    final long bestKey(final int side)
    {
        return bestKeys[side];
    }

    final int best(final int side)
    {
        return best[side];
    }

    /** The level of a price; it is made if it is not there, and then has to get an order. */
    final int enter(final int side, final long price)
    {
        final long key = key(side, price);
        final int level = findOrAdd(side, key);
        if (key < bestKeys[side])
        {
            bestKeys[side] = key;
            best[side] = level;
        }
        return level;
    }

    /** A level has no order any more. */
    final void vacate(final int side, final int level)
    {
        if (level == best[side])
        {
            final int next = worse(side, level);
            best[side] = next;
            bestKeys[side] = next == NONE ? NO_KEY : keyOf(side, next);
        }
        remove(side, level);
    }

    /** One more than the greatest level. */
    abstract int levels();

    abstract long keyOf(int side, int level);

    /** The next worse level, or NONE. */
    abstract int worse(int side, int level);

    abstract int findOrAdd(int side, long key);

    abstract void remove(int side, int level);
}

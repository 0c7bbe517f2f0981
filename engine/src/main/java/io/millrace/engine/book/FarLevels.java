package io.millrace.engine.book;

/**
 * Price levels outside of the ladder's window, both sides, ordered by key, the better the smaller: a tree of {@link
 * CritBitTrees} for each side. The leaves are also chained in order, so that the best and the next one are one step
 * away.
 * <p>
 * A level is its leaf, 0 to capacity - 1. One thread.
 */
final class FarLevels
{
    static final int NONE = CritBitTrees.NONE;

    // Two longs for each leaf, in one cache line: its key; the next worse leaf below, the next better one above.
    private final long[] rows;
    private final CritBitTrees trees;
    private final int[] best = {NONE, NONE};
    private final int[] counts = new int[2];
    private int firstFreeLeaf;

    FarLevels(final int capacity)
    {
        rows = new long[2 * capacity];
        trees = new CritBitTrees(2, capacity, rows, 1);
        for (int leaf = 0; leaf < capacity; leaf++)
        {
            link(leaf, NONE, leaf + 1 < capacity ? leaf + 1 : NONE);
        }
    }

    /** The best level, or NONE. */
    int best(final int side)
    {
        return best[side];
    }

    /** How many levels a side has. */
    int count(final int side)
    {
        return counts[side];
    }

    /** The next worse level, or NONE. */
    int worse(final int leaf)
    {
        return (int)rows[2 * leaf + 1];
    }

    private int better(final int leaf)
    {
        return (int)(rows[2 * leaf + 1] >>> Integer.SIZE);
    }

    private void link(final int leaf, final int better, final int worse)
    {
        rows[2 * leaf + 1] = (long)better << Integer.SIZE | worse & 0xFFFF_FFFFL;
    }

    long key(final int leaf)
    {
        return rows[2 * leaf];
    }

    /** The level of a key, or NONE. */
    int find(final int side, final long key)
    {
        return trees.find(side, key);
    }

    /** The best level whose key is not smaller than a key, or NONE. */
    int ceiling(final int side, final long key)
    {
        final int leaf = trees.beside(side, key);
        return leaf == NONE || key(leaf) >= key ? leaf : worse(leaf);
    }

    /** Only for a key that is not there. */
    int add(final int side, final long key)
    {
        final int leaf = firstFreeLeaf;
        firstFreeLeaf = worse(leaf);
        counts[side]++;
        rows[2 * leaf] = key;
        final int beside = trees.add(side, leaf);
        final boolean behind = beside != NONE && key(beside) < key;
        final int worse = behind ? worse(beside) : beside;
        final int better = behind ? beside : worse == NONE ? NONE : better(worse);
        link(leaf, better, worse);
        join(side, better, leaf);
        if (worse != NONE)
        {
            link(worse, leaf, worse(worse));
        }
        return leaf;
    }

    /** The key is told, because the caller knows it before what is known of the leaf is at hand. */
    void remove(final int side, final int leaf, final long key)
    {
        final int better = better(leaf);
        final int worse = worse(leaf);
        counts[side]--;
        join(side, better, worse);
        if (worse != NONE)
        {
            link(worse, better, worse(worse));
        }
        trees.remove(side, key);
        link(leaf, NONE, firstFreeLeaf);
        firstFreeLeaf = leaf;
    }

    private void join(final int side, final int better, final int worse)
    {
        if (better == NONE)
        {
            best[side] = worse;
        }
        else
        {
            link(better, better(better), worse);
        }
    }
}

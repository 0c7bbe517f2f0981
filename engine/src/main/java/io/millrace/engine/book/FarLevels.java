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

    private final long[] keys;
    private final CritBitTrees trees;
    // Two for each leaf: the next worse, the next better.
    private final int[] neighbours;
    private final int[] best = {NONE, NONE};
    private final int[] counts = new int[2];
    private int firstFreeLeaf;

    FarLevels(final int capacity)
    {
        keys = new long[capacity];
        trees = new CritBitTrees(2, capacity, keys, 0);
        neighbours = new int[2 * capacity];
        for (int leaf = 0; leaf < capacity; leaf++)
        {
            neighbours[2 * leaf] = leaf + 1 < capacity ? leaf + 1 : NONE;
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
        return neighbours[2 * leaf];
    }

    long key(final int leaf)
    {
        return keys[leaf];
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
        return leaf == NONE || keys[leaf] >= key ? leaf : worse(leaf);
    }

    /** Only for a key that is not there. */
    int add(final int side, final long key)
    {
        final int leaf = firstFreeLeaf;
        firstFreeLeaf = neighbours[2 * leaf];
        counts[side]++;
        keys[leaf] = key;
        final int beside = trees.add(side, leaf);
        final boolean behind = beside != NONE && keys[beside] < key;
        final int worse = behind ? worse(beside) : beside;
        final int better = behind ? beside : worse == NONE ? NONE : neighbours[2 * worse + 1];
        neighbours[2 * leaf] = worse;
        join(side, better, leaf);
        if (worse != NONE)
        {
            neighbours[2 * worse + 1] = leaf;
        }
        return leaf;
    }

    void remove(final int side, final int leaf)
    {
        trees.remove(side, leaf);
        counts[side]--;
        join(side, neighbours[2 * leaf + 1], worse(leaf));
        neighbours[2 * leaf] = firstFreeLeaf;
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
            neighbours[2 * better] = worse;
        }
        if (worse != NONE)
        {
            neighbours[2 * worse + 1] = better;
        }
    }
}

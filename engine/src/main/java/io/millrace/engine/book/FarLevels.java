package io.millrace.engine.book;

import java.util.Arrays;

/**
 * Price levels outside of the ladder's window, both sides, ordered by key, the better the smaller. A crit-bit tree for
 * each side: an inner node tells apart two keys that first differ in its bit, so that a way down has at most 64 steps
 * whatever the prices are, and there is nothing to rebalance (D. J. Bernstein, "Crit-bit trees"). The leaves are also
 * chained in order, so that the best and the next one are one step away.
 * <p>
 * A level is its leaf, 0 to capacity - 1. A child of a node is a node, or {@code ~leaf}. One thread.
 */
final class FarLevels
{
    static final int NONE = -1;

    // No leaf has this complement: capacities are far below.
    private static final int EMPTY = Integer.MIN_VALUE;

    private final long[] keys;
    private final int[] neighbours;
    private final int[] children;
    private final byte[] bits;
    private final int[] roots = {EMPTY, EMPTY};
    private final int[] best = {NONE, NONE};
    private int firstFreeLeaf;
    private int firstFreeNode;

    FarLevels(final int capacity)
    {
        keys = new long[capacity];
        neighbours = new int[2 * capacity];
        // One node less than leaves on each side.
        children = new int[2 * capacity];
        bits = new byte[capacity];
        Arrays.setAll(neighbours, i -> next(i, capacity));
        Arrays.setAll(children, i -> next(i, capacity));
    }

    /** Free leaves and free nodes are chained through their first words. */
    private static int next(final int word, final int capacity)
    {
        return word / 2 + 1 < capacity ? word / 2 + 1 : NONE;
    }

    boolean isEmpty(final int side)
    {
        return roots[side] == EMPTY;
    }

    /** The best level, or NONE. */
    int best(final int side)
    {
        return best[side];
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
        if (isEmpty(side))
        {
            return NONE;
        }
        final int leaf = nearest(side, key);
        return keys[leaf] == key ? leaf : NONE;
    }

    /** The best level whose key is not smaller than a key, or NONE. */
    int ceiling(final int side, final long key)
    {
        if (isEmpty(side))
        {
            return NONE;
        }
        final int leaf = nearest(side, key);
        if (keys[leaf] == key)
        {
            return leaf;
        }
        final int bit = criticalBit(keys[leaf], key);
        int child = roots[side];
        while (child >= 0 && bits[child] > bit)
        {
            child = children[2 * child + direction(key, bits[child])];
        }
        // All below the place of the key are on one side of it.
        return direction(key, bit) == 0 ? outermost(child, 0) : worse(outermost(child, 1));
    }

    /** Only for a key that is not there. */
    int add(final int side, final long key)
    {
        final int leaf = firstFreeLeaf;
        firstFreeLeaf = neighbours[2 * leaf];
        keys[leaf] = key;
        if (isEmpty(side))
        {
            roots[side] = ~leaf;
            chain(side, NONE, leaf, NONE);
        }
        else
        {
            insert(side, key, leaf, criticalBit(keys[nearest(side, key)], key));
        }
        return leaf;
    }

    private void insert(final int side, final long key, final int leaf, final int bit)
    {
        int parent = NONE;
        int child = roots[side];
        while (child >= 0 && bits[child] > bit)
        {
            parent = child;
            child = children[2 * child + direction(key, bits[child])];
        }
        final int node = firstFreeNode;
        firstFreeNode = children[2 * node];
        final int way = direction(key, bit);
        bits[node] = (byte)bit;
        children[2 * node + way] = ~leaf;
        children[2 * node + 1 - way] = child;
        attach(side, parent, key, node);
        if (way == 0)
        {
            final int worse = outermost(child, 0);
            chain(side, neighbours[2 * worse + 1], leaf, worse);
        }
        else
        {
            final int better = outermost(child, 1);
            chain(side, better, leaf, worse(better));
        }
    }

    void remove(final int side, final int leaf)
    {
        final long key = keys[leaf];
        int grandparent = NONE;
        int parent = NONE;
        int child = roots[side];
        while (child >= 0)
        {
            grandparent = parent;
            parent = child;
            child = children[2 * child + direction(key, bits[child])];
        }
        if (parent == NONE)
        {
            roots[side] = EMPTY;
        }
        else
        {
            attach(side, grandparent, key, children[2 * parent + 1 - direction(key, bits[parent])]);
            children[2 * parent] = firstFreeNode;
            firstFreeNode = parent;
        }
        final int better = neighbours[2 * leaf + 1];
        final int worse = worse(leaf);
        join(side, better, worse);
        neighbours[2 * leaf] = firstFreeLeaf;
        firstFreeLeaf = leaf;
    }

    private void attach(final int side, final int parent, final long key, final int child)
    {
        if (parent == NONE)
        {
            roots[side] = child;
        }
        else
        {
            children[2 * parent + direction(key, bits[parent])] = child;
        }
    }

    private void chain(final int side, final int better, final int leaf, final int worse)
    {
        join(side, better, leaf);
        neighbours[2 * leaf] = worse;
        if (worse != NONE)
        {
            neighbours[2 * worse + 1] = leaf;
        }
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

    /** A leaf that shares the longest beginning with a key. */
    private int nearest(final int side, final long key)
    {
        int child = roots[side];
        while (child >= 0)
        {
            child = children[2 * child + direction(key, bits[child])];
        }
        return ~child;
    }

    private int outermost(final int subtree, final int way)
    {
        int child = subtree;
        while (child >= 0)
        {
            child = children[2 * child + way];
        }
        return ~child;
    }

    /** The sign bit counts the other way round: negative keys come first. */
    private static int direction(final long key, final int bit)
    {
        return (int)((key ^ Long.MIN_VALUE) >>> bit) & 1;
    }

    private static int criticalBit(final long a, final long b)
    {
        return 63 - Long.numberOfLeadingZeros(a ^ b);
    }
}

package io.millrace.engine.tables;

import java.util.Arrays;

/**
 * Crit-bit trees that share one array of nodes. A leaf has a key; an inner node separates the keys below it by the
 * highest bit in which they differ. A search passes at most 64 nodes for any keys, and no tree needs rebalancing (D. J.
 * Bernstein, "Crit-bit trees"). Keys are ordered as longs, negative ones first.
 * <p>
 * Leaves are numbers that the caller assigns. Their keys are in an array of the caller; the key of a leaf must not
 * change while the leaf is in a tree. A child of a node is a node, or {@code ~leaf}. A node is one long, so each step
 * reads one cache line. The constructor allocates all nodes. One thread.
 * <pre>
 *   63   56                 28                  0
 *   +------+-----------------+-----------------+
 *   | bit  | child of bit 0  | child of bit 1  |     each child 28 bits, signed: capacities are far below
 *   +------+-----------------+-----------------+
 * </pre>
 */
public final class CritBitTrees
{
    /** Leaf that a search returns when it finds nothing. */
    public static final int NONE = -1;

    /** Greatest number of inner nodes that a search passes. */
    public static final int MAX_DEPTH = Long.SIZE;

    // No leaf has this complement: capacities are far below.
    private static final int EMPTY = Integer.MIN_VALUE;

    private static final int CHILD_BITS = 28;
    private static final long CHILD_MASK = (1L << CHILD_BITS) - 1;
    private static final int BIT_SHIFT = 2 * CHILD_BITS;
    private static final int ABOVE_CHILDREN = Long.SIZE - BIT_SHIFT;

    private final long[] keys;
    private final int keyShift;
    private final long[] nodes;
    private final int[] roots;
    private int firstFreeNode;
    // The nodes that the last search or change passed, from the root down. The next change often concerns the same key,
    // the next search a key near it.
    private final int[] path = new int[MAX_DEPTH];
    // The bits of these nodes, in descending order from the root. They determine the part of the path that another key
    // shares.
    private long pathBits;
    private long pathKey;
    // The leaf at the end of the path; NONE when that leaf was removed.
    private int pathLeaf = NONE;
    // The tree that the path belongs to.
    private int pathTree = NONE;

    /**
     * Empty trees.
     *
     * @param trees    how many.
     * @param capacity leaves in all of them together.
     * @param keys     the key of a leaf is at {@code leaf << keyShift}.
     * @param keyShift distance of two keys, as a power of two.
     */
    public CritBitTrees(final int trees, final int capacity, final long[] keys, final int keyShift)
    {
        this.keys = keys;
        this.keyShift = keyShift;
        roots = new int[trees];
        Arrays.fill(roots, EMPTY);
        // Each tree has one node less than leaves. Free nodes are chained.
        nodes = new long[capacity];
        for (int node = 0; node < capacity; node++)
        {
            nodes[node] = node + 1 < capacity ? node + 1 : NONE;
        }
    }

    /**
     * Whether a tree has no leaves.
     *
     * @param tree its number, from 0.
     * @return true when it has none.
     */
    public boolean isEmpty(final int tree)
    {
        return roots[tree] == EMPTY;
    }

    /**
     * Finds the leaf of a key.
     * @param tree number of the tree.
     * @param key  any number.
     * @return the leaf, or {@link #NONE}.
     */
    public int find(final int tree, final long key)
    {
        if (isEmpty(tree))
        {
            return NONE;
        }
        final int leaf = nearest(tree, key);
        return key(leaf) == key ? leaf : NONE;
    }

    /**
     * Number of inner nodes that a search passes.
     *
     * @param tree number of the tree.
     * @param key  any number.
     * @return 0 to {@value #MAX_DEPTH}.
     */
    public int depth(final int tree, final long key)
    {
        int depth = 0;
        for (int child = roots[tree]; child >= 0; child = towards(key, nodes[child]))
        {
            depth++;
        }
        return depth;
    }

    /**
     * Finds the leaf of a key, or a neighbour of the key's place in the order, on either side.
     * @param tree number of the tree.
     * @param key  any number.
     * @return the leaf; {@link #NONE} when the tree is empty.
     */
    public int neighbour(final int tree, final long key)
    {
        if (isEmpty(tree))
        {
            return NONE;
        }
        final int leaf = nearest(tree, key);
        if (key(leaf) == key)
        {
            return leaf;
        }
        final int bit = criticalBit(key(leaf), key);
        return outermost(childAt(nodesAbove(bit)), direction(key, bit));
    }

    /**
     * Adds a leaf. No leaf of the tree may have its key. Does not search again right after a search for that key.
     * @param tree number of the tree.
     * @param leaf the leaf; its key is in the array already.
     * @return a neighbour in the order, on either side; {@link #NONE} when the leaf is the only one.
     */
    public int add(final int tree, final int leaf)
    {
        if (isEmpty(tree))
        {
            roots[tree] = ~leaf;
            return NONE;
        }
        final long key = key(leaf);
        passTo(tree, key);
        final int bit = criticalBit(key(pathLeaf), key);
        final int depth = nodesAbove(bit);
        final int child = childAt(depth);
        final int node = firstFreeNode;
        firstFreeNode = (int)nodes[node];
        final int way = direction(key, bit);
        nodes[node] = with(with((long)bit << BIT_SHIFT, way, ~leaf), 1 - way, child);
        attach(tree, depth, key, node);
        path[depth] = node;
        pathBits = pathBits & -1L << bit | 1L << bit;
        pathLeaf = leaf;
        return outermost(child, way);
    }

    /**
     * Removes the leaf of a key, which must exist. Does not search again right after a search for that key.
     * @param tree number of the tree.
     * @param key  the key.
     */
    public void remove(final int tree, final long key)
    {
        passTo(tree, key);
        final int depth = Long.bitCount(pathBits);
        if (depth == 0)
        {
            roots[tree] = EMPTY;
        }
        else
        {
            final int parent = path[depth - 1];
            final long node = nodes[parent];
            attach(tree, depth - 1, key, child(node, 1 - direction(key, bit(node))));
            nodes[parent] = firstFreeNode;
            firstFreeNode = parent;
            pathBits &= pathBits - 1;
        }
        pathLeaf = NONE;
    }

    /** Searches for a key, unless the current path is the key's path. */
    private void passTo(final int tree, final long key)
    {
        if (pathTree != tree || pathKey != key || pathLeaf == NONE)
        {
            nearest(tree, key);
        }
    }

    /** Number of path nodes above the place of a new node for a bit. */
    private int nodesAbove(final int bit)
    {
        return Long.bitCount(pathBits >>> bit);
    }

    private int childAt(final int depth)
    {
        return depth == Long.bitCount(pathBits) ? ~pathLeaf : path[depth];
    }

    /**
     * Counts the leaves and checks the tree.
     * @param tree number of the tree.
     * @return the number of leaves; -1 when a search misses one, or a node's bit is not below its parent's.
     */
    public int verifiedLeaves(final int tree)
    {
        return isEmpty(tree) ? 0 : verifiedLeaves(tree, roots[tree], Long.SIZE);
    }

    private int verifiedLeaves(final int tree, final int child, final int bitAbove)
    {
        if (child < 0)
        {
            return find(tree, key(~child)) == ~child ? 1 : -1;
        }
        final int bit = bit(nodes[child]);
        if (bit >= bitAbove)
        {
            return -1;
        }
        final int lower = verifiedLeaves(tree, child(nodes[child], 0), bit);
        final int upper = verifiedLeaves(tree, child(nodes[child], 1), bit);
        return lower < 0 || upper < 0 ? -1 : lower + upper;
    }

    private long key(final int leaf)
    {
        return keys[leaf << keyShift];
    }

    private static int bit(final long node)
    {
        return (int)(node >>> BIT_SHIFT);
    }

    private static int child(final long node, final int way)
    {
        return (int)(node << ABOVE_CHILDREN + CHILD_BITS * way >> Long.SIZE - CHILD_BITS);
    }

    /** A copy of a node with another child. */
    private static long with(final long node, final int way, final int child)
    {
        final int shift = CHILD_BITS * (1 - way);
        return node & ~(CHILD_MASK << shift) | (child & CHILD_MASK) << shift;
    }

    private static int towards(final long key, final long node)
    {
        return child(node, direction(key, bit(node)));
    }

    /** Attaches a child at a depth of the path. */
    private void attach(final int tree, final int depth, final long key, final int child)
    {
        if (depth == 0)
        {
            roots[tree] = child;
        }
        else
        {
            final int parent = path[depth - 1];
            final long node = nodes[parent];
            nodes[parent] = with(node, direction(key, bit(node)), child);
        }
    }

    /**
     * A leaf that shares the longest prefix with a key. Its path becomes the current path, and starts with the part
     * that the current path shares with the key.
     */
    private int nearest(final int tree, final long key)
    {
        final long[] all = nodes;
        final int[] passed = path;
        // Equal keys share the whole path, and so do keys that differ only in bit 0.
        long bits = pathTree == tree ? pathBits & -1L << criticalBit(pathKey | 1, key & -2) : 0;
        int depth = Long.bitCount(bits);
        int child = depth == 0 ? roots[tree] : towards(key, all[passed[depth - 1]]);
        while (child >= 0)
        {
            passed[depth++] = child;
            final long node = all[child];
            final int bit = bit(node);
            bits |= 1L << bit;
            child = child(node, direction(key, bit));
        }
        pathTree = tree;
        pathKey = key;
        pathBits = bits;
        pathLeaf = ~child;
        return ~child;
    }

    private int outermost(final int subtree, final int way)
    {
        int child = subtree;
        while (child >= 0)
        {
            child = child(nodes[child], way);
        }
        return ~child;
    }

    /** The sign bit is inverted: negative keys come first. */
    private static int direction(final long key, final int bit)
    {
        return (int)((key ^ Long.MIN_VALUE) >>> bit) & 1;
    }

    private static int criticalBit(final long a, final long b)
    {
        return 63 - Long.numberOfLeadingZeros(a ^ b);
    }
}

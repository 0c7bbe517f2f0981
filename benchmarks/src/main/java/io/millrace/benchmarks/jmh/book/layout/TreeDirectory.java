package io.millrace.benchmarks.jmh.book.layout;

/**
 * A balanced tree of keys for each side, in arrays of ints: the AA tree of A. Andersson (Balanced search trees made
 * simple, 1993), which is as deep as a red-black tree. A level is a node and stays the same one. Not the JDK's {@code
 * TreeMap}, which would allocate.
 */
final class TreeDirectory extends LevelDirectory
{
    /** Four times what the benchmark flow has of both sides; node 0 is the end of all branches. */
    static final int LEVELS = 2_048;

    private static final int END = 0;

    private final long[] keys = new long[LEVELS];
    private final int[] left = new int[LEVELS];
    private final int[] right = new int[LEVELS];
    private final int[] rank = new int[LEVELS];
    private final int[] roots = {END, END};
    private int free = END;

    TreeDirectory()
    {
        for (int node = LEVELS - 1; node > END; node--)
        {
            release(node);
        }
    }

    @Override
    int levels()
    {
        return LEVELS;
    }

    @Override
    long keyOf(final int side, final int level)
    {
        return keys[level];
    }

    private void release(final int node)
    {
        right[node] = free;
        free = node;
    }

    @Override
    int findOrAdd(final int side, final long key)
    {
        int node = roots[side];
        while (node != END && keys[node] != key)
        {
            node = key < keys[node] ? left[node] : right[node];
        }
        if (node == END)
        {
            node = free;
            free = right[node];
            keys[node] = key;
            left[node] = END;
            right[node] = END;
            rank[node] = 1;
            roots[side] = insert(roots[side], node);
        }
        return node;
    }

    @Override
    void remove(final int side, final int level)
    {
        roots[side] = delete(roots[side], keys[level]);
        release(level);
    }

    @Override
    int worse(final int side, final int level)
    {
        int found = NONE;
        int node = roots[side];
        while (node != END)
        {
            final boolean worse = keys[node] > keys[level];
            found = worse ? node : found;
            node = worse ? left[node] : right[node];
        }
        return found;
    }

    private int insert(final int tree, final int node)
    {
        if (tree == END)
        {
            return node;
        }
        if (keys[node] < keys[tree])
        {
            left[tree] = insert(left[tree], node);
        }
        else
        {
            right[tree] = insert(right[tree], node);
        }
        return split(skew(tree));
    }

    private int delete(final int tree, final long key)
    {
        int top = tree;
        if (key < keys[tree])
        {
            left[tree] = delete(left[tree], key);
        }
        else if (key > keys[tree])
        {
            right[tree] = delete(right[tree], key);
        }
        else if (left[tree] == END && right[tree] == END)
        {
            return END;
        }
        else
        {
            top = replacement(tree);
        }
        return rebalance(top);
    }

    /** A neighbour takes the place of a node that goes. */
    private int replacement(final int tree)
    {
        final boolean next = left[tree] == END;
        int node = next ? right[tree] : left[tree];
        while ((next ? left[node] : right[node]) != END)
        {
            node = next ? left[node] : right[node];
        }
        final int without = delete(next ? right[tree] : left[tree], keys[node]);
        left[node] = next ? END : without;
        right[node] = next ? without : right[tree];
        rank[node] = rank[tree];
        return node;
    }

    private int rebalance(final int tree)
    {
        final int wanted = Math.min(rank[left[tree]], rank[right[tree]]) + 1;
        if (wanted < rank[tree])
        {
            rank[tree] = wanted;
            rank[right[tree]] = Math.min(rank[right[tree]], wanted);
        }
        // The end of a branch is its own neighbour: to rotate it changes nothing.
        final int top = skew(tree);
        right[top] = skew(right[top]);
        right[right[top]] = skew(right[right[top]]);
        final int split = split(top);
        right[split] = split(right[split]);
        return split;
    }

    private int skew(final int tree)
    {
        final int node = left[tree];
        if (node == END || rank[node] != rank[tree])
        {
            return tree;
        }
        left[tree] = right[node];
        right[node] = tree;
        return node;
    }

    private int split(final int tree)
    {
        final int node = right[tree];
        if (node == END || rank[right[node]] != rank[tree])
        {
            return tree;
        }
        right[tree] = left[node];
        left[node] = tree;
        rank[node]++;
        return node;
    }
}

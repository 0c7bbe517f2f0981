package io.millrace.benchmarks.jmh.book.layout;

/**
 * A sorted array of keys for each side, found by binary search. The best key is the last, so an insertion or a removal
 * near it moves few keys.
 */
final class SortedDirectory extends LevelDirectory
{
    /** Four times what the benchmark flow has of both sides. */
    static final int LEVELS = 2_048;

    private final long[][] sorted = new long[2][LEVELS];
    private final int[][] levelOf = new int[2][LEVELS];
    private final int[] counts = new int[2];
    private final long[] keys = new long[LEVELS];
    private final int[] free = new int[LEVELS];
    private int freeCount = LEVELS;

    SortedDirectory()
    {
        for (int i = 0; i < LEVELS; i++)
        {
            free[i] = LEVELS - 1 - i;
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

    /** The first place whose key is not greater, or behind the last. */
    private int search(final int side, final long key)
    {
        final long[] inside = sorted[side];
        int low = 0;
        int high = counts[side];
        while (low < high)
        {
            final int middle = low + high >>> 1;
            if (inside[middle] > key)
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }
        return low;
    }

    @Override
    int findOrAdd(final int side, final long key)
    {
        final int at = search(side, key);
        if (at < counts[side] && sorted[side][at] == key)
        {
            return levelOf[side][at];
        }
        final int moved = counts[side]++ - at;
        System.arraycopy(sorted[side], at, sorted[side], at + 1, moved);
        System.arraycopy(levelOf[side], at, levelOf[side], at + 1, moved);
        final int level = free[--freeCount];
        sorted[side][at] = key;
        levelOf[side][at] = level;
        keys[level] = key;
        return level;
    }

    @Override
    void remove(final int side, final int level)
    {
        final int at = search(side, keys[level]);
        final int moved = --counts[side] - at;
        System.arraycopy(sorted[side], at + 1, sorted[side], at, moved);
        System.arraycopy(levelOf[side], at + 1, levelOf[side], at, moved);
        free[freeCount++] = level;
    }

    @Override
    int worse(final int side, final int level)
    {
        final int at = search(side, keys[level]);
        return at == 0 ? NONE : levelOf[side][at - 1];
    }
}

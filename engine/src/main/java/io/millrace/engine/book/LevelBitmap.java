package io.millrace.engine.book;

/**
 * Which levels of a ladder's window have orders: a bitmap of three levels for each side, that tells the next occupied
 * level in a few steps, and is hardly ever written. A level that gets its first order finds its bit set most times,
 * because a level that loses its last one keeps it: such a <em>stale</em> bit goes when a search comes across it.
 * Writing two bits with each move would cost more than all searches: a word has 64 levels, so the next command's word
 * is often the same, and its read has to wait for the write.
 * <p>
 * Each stale bit that a search comes across was left by an order that has gone, so searches cost a constant for each
 * command on average; a single one comes across all levels of the window at most, and takes them away.
 * <p>
 * Bids come first, the best level of a side first: a level's bit is {@code window + (level ^ side - 1)}. At most one of
 * a level's two bits is set, so a set bit and orders mean orders of that side.
 * <p>
 * One thread.
 */
final class LevelBitmap
{
    static final int NONE = -1;

    final long[] words;
    private final long[] groups;
    private final long[] tops = new long[2];
    private final int window;
    private final int wordsPerSide;
    private final int groupsPerSide;
    // The ladder's: two longs for each level, the second is the number of orders.
    private final long[] totals;

    /**
     * @param window how many levels; a power of two, at least 64.
     * @param totals two longs for each level, the second is the number of orders.
     */
    LevelBitmap(final int window, final long[] totals)
    {
        this.window = window;
        this.totals = totals;
        wordsPerSide = window >>> 6;
        groupsPerSide = wordsPerSide + 63 >>> 6;
        words = new long[2 * wordsPerSide];
        groups = new long[2 * groupsPerSide];
    }

    /** The bit where the search for what is not better than a level begins. */
    int bit(final int side, final int level)
    {
        return window + (level ^ side - 1);
    }

    /** The bit where the search for all levels of a side begins. */
    int firstBit(final int side)
    {
        return side * window;
    }

    int level(final int bit)
    {
        return bit < window ? window - 1 - bit : bit - window;
    }

    /** A level has orders. */
    void occupy(final int bit)
    {
        if ((words[bit >>> 6] >>> bit & 1) == 0)
        {
            set(bit);
        }
    }

    /** Take out the bit of a level whose orders are somewhere else now. */
    void remove(final int bit)
    {
        final int side = bit < window ? 0 : 1;
        final int word = (bit >>> 6) - side * wordsPerSide;
        if ((words[bit >>> 6] &= ~(1L << bit)) == 0)
        {
            final int group = word >>> 6;
            if ((groups[side * groupsPerSide + group] &= ~(1L << word)) == 0)
            {
                tops[side] &= ~(1L << group);
            }
        }
    }

    private void set(final int bit)
    {
        final int other = 2 * window - 1 - bit;
        if ((words[other >>> 6] >>> other & 1) != 0)
        {
            remove(other);
        }
        final int side = bit < window ? 0 : 1;
        final int word = (bit >>> 6) - side * wordsPerSide;
        words[bit >>> 6] |= 1L << bit;
        groups[side * groupsPerSide + (word >>> 6)] |= 1L << word;
        tops[side] |= 1L << (word >>> 6);
    }

    private boolean isStale(final int bit)
    {
        return totals[2 * level(bit) + 1] == 0;
    }

    /** The bit of the first level with orders from a bit of a side on, which may be one beyond the last; or NONE. */
    int next(final int side, final int from)
    {
        int bit = nextSet(side, from);
        while (bit != NONE && isStale(bit))
        {
            remove(bit);
            bit = nextSet(side, bit + 1);
        }
        return bit;
    }

    private int nextSet(final int side, final int from)
    {
        if (from == (side + 1) * window)
        {
            return NONE;
        }
        final long rest = words[from >>> 6] & -1L << from;
        return rest != 0 ? (from & -Long.SIZE) + Long.numberOfTrailingZeros(rest) : nextSetSlow(side, from);
    }

    private int nextSetSlow(final int side, final int from)
    {
        final int after = (from >>> 6) - side * wordsPerSide;
        int group = after >>> 6;
        long found = groups[side * groupsPerSide + group] & -2L << after;
        if (found == 0)
        {
            final long top = tops[side] & -2L << group;
            if (top == 0)
            {
                return NONE;
            }
            group = Long.numberOfTrailingZeros(top);
            found = groups[side * groupsPerSide + group];
        }
        final int word = side * wordsPerSide + (group << 6) + Long.numberOfTrailingZeros(found);
        return (word << 6) + Long.numberOfTrailingZeros(words[word]);
    }

    /** How many levels of the window have orders and a bit; -1 when a level has both bits. */
    int verifiedLevels()
    {
        int occupied = 0;
        for (int bit = 0; bit < 2 * window; bit++)
        {
            if ((words[bit >>> 6] >>> bit & 1) != 0)
            {
                final int other = 2 * window - 1 - bit;
                if ((words[other >>> 6] >>> other & 1) != 0)
                {
                    return -1;
                }
                occupied += isStale(bit) ? 0 : 1;
            }
        }
        return occupied;
    }
}

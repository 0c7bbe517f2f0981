package io.millrace.engine.book;

/**
 * Which levels of a ladder's window have orders: a bitmap of three levels for each side, that tells the next occupied
 * level in a few steps, and is hardly ever written. A level that gets its first order finds its bit set most times,
 * because a level that loses its last one keeps it: such a <em>stale</em> bit goes when a search comes across it.
 * Writing both bits with each move would cost more than all searches: a word has 64 levels, so the next command's word
 * is often the same, and its read has to wait for the write.
 * <p>
 * Stale bits are counted. When more than an eighth of the window's are stale, each order that leaves pays for one word,
 * at most 64 looks, until all words were seen. In that time no more than a sixteenth of the window can become stale
 * again, so no search ever comes across more than a quarter of the window.
 * <p>
 * Bids come first, the best level of a side first: a level's bit is {@code window + (level ^ side - 1)}. At most one of
 * a level's two bits is set, so a set bit and orders mean orders of that side.
 * <p>
 * One thread.
 */
final class OccupiedLevels
{
    static final int NONE = -1;

    private static final long EVERY_TIME = -1;

    final long[] words;
    private final long[] groups;
    private final long[] tops = new long[2];
    private final int window;
    private final int wordsPerSide;
    private final int groupsPerSide;
    // The ladder's: two longs for each level, the second is the number of orders.
    private final long[] totals;
    private final long mostStale;
    private long stale;
    // While all words are seen again: EVERY_TIME.
    private long cleanAbove;
    private int nextWord;

    /**
     * @param window how many levels; a power of two, at least 64.
     * @param totals two longs for each level, the second is the number of orders.
     */
    OccupiedLevels(final int window, final long[] totals)
    {
        this.window = window;
        this.totals = totals;
        wordsPerSide = window >>> 6;
        groupsPerSide = wordsPerSide + 63 >>> 6;
        words = new long[2 * wordsPerSide];
        groups = new long[2 * groupsPerSide];
        mostStale = window >>> 3;
        cleanAbove = mostStale;
    }

    /** 1 for 0, and 0 for what is greater: whether a level is new or empty is as good as random, so no branch asks. */
    static long oneIfZero(final long count)
    {
        return count - 1 >>> Long.SIZE - 1;
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

    /** A level has one order more than it had before. */
    void entered(final int bit, final long ordersBefore)
    {
        if ((words[bit >>> 6] >>> bit & 1) == 0)
        {
            set(bit);
        }
        else
        {
            stale -= oneIfZero(ordersBefore);
        }
    }

    /** A level has one order less, and so many now. */
    void left(final long orders)
    {
        stale += oneIfZero(orders);
        if (stale > cleanAbove)
        {
            cleanWord();
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
            removeStale(other);
        }
        final int side = bit < window ? 0 : 1;
        final int word = (bit >>> 6) - side * wordsPerSide;
        words[bit >>> 6] |= 1L << bit;
        groups[side * groupsPerSide + (word >>> 6)] |= 1L << word;
        tops[side] |= 1L << (word >>> 6);
    }

    private void removeStale(final int bit)
    {
        remove(bit);
        stale--;
    }

    private boolean isStale(final int bit)
    {
        return totals[2 * level(bit) + 1] == 0;
    }

    private void cleanWord()
    {
        cleanAbove = EVERY_TIME;
        for (long rest = words[nextWord]; rest != 0; rest &= rest - 1)
        {
            final int bit = (nextWord << 6) + Long.numberOfTrailingZeros(rest);
            if (isStale(bit))
            {
                removeStale(bit);
            }
        }
        if (++nextWord == words.length)
        {
            nextWord = 0;
            cleanAbove = mostStale;
        }
    }

    /** The bit of the first level with orders from a bit of a side on, which may be one beyond the last; or NONE. */
    int next(final int side, final int from)
    {
        int bit = nextSet(side, from);
        while (bit != NONE && isStale(bit))
        {
            removeStale(bit);
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

    /** How many levels have orders and a bit; -1 when the count of stale bits is wrong, or a level has both bits. */
    int verifiedLevels()
    {
        int occupied = 0;
        int empty = 0;
        for (int bit = 0; bit < 2 * window; bit++)
        {
            if ((words[bit >>> 6] >>> bit & 1) != 0)
            {
                final int other = 2 * window - 1 - bit;
                if ((words[other >>> 6] >>> other & 1) != 0)
                {
                    return -1;
                }
                empty += isStale(bit) ? 1 : 0;
                occupied += isStale(bit) ? 0 : 1;
            }
        }
        return empty == stale ? occupied : -1;
    }
}

package io.millrace.engine.book;

/**
 * The levels of a ladder's window that have orders: one bitmap per side, in three layers. Finds the next occupied level
 * in a few steps, and is seldom written. A level that becomes empty keeps its bit, now a <em>stale</em> bit, so a level
 * that gets its first order usually finds its bit set. A search clears the stale bits that it finds. Writing two bits
 * per move would cost more than all searches. A word covers 64 levels, so the next command often reads the same word
 * and would wait for the write.
 * <p>
 * The best level of a side may have no bit: most levels that become the best one are soon empty again.
 * <p>
 * In a window of more than 64 * 64 * 64 levels the top layer has several words, at most 16. A search reads them one
 * after the other.
 * <p>
 * Each stale bit that a search finds was left by a removed order, so searches cost a constant per command on average. A
 * single search passes at most all levels of the window, and clears their stale bits.
 * <p>
 * The bits of bids come first, and on each side the bit of the best level first: the bit of a level is {@code window +
 * (level ^ side - 1)}. A level with orders of one side may still have its bit of the other side. A search that begins
 * behind the best level of its side meets no such level. A search from the first bit may, so its caller compares keys.
 * <p>
 * One thread.
 */
final class LevelBitmap
{
    static final int NONE = -1;

    // One more word than the sides have, for the end.
    final long[] words;
    // A bit that is always set, after those of the levels.
    private final int end;
    private final long[] groups;
    private final long[] tops;
    private final int window;
    private final int wordsPerSide;
    private final int groupsPerSide;
    private final int topsPerSide;
    // The totals of the ladder: two longs per level, the second one is the number of orders.
    private final long[] totals;

    /**
     * @param window number of levels; a power of two, at least 64.
     * @param totals two longs per level, the second one is the number of orders.
     */
    LevelBitmap(final int window, final long[] totals)
    {
        this.window = window;
        this.totals = totals;
        wordsPerSide = window >>> 6;
        groupsPerSide = wordsPerSide + 63 >>> 6;
        end = 2 * window;
        words = new long[2 * wordsPerSide + 1];
        words[2 * wordsPerSide] = -1;
        groups = new long[2 * groupsPerSide];
        topsPerSide = groupsPerSide + 63 >>> 6;
        tops = new long[2 * topsPerSide];
    }

    /** First bit of a search for a level and all worse ones. */
    int bit(final int side, final int level)
    {
        return window + (level ^ side - 1);
    }

    /** The bit of a level, the always set one for NONE. Without a branch, which would be unpredictable. */
    int bitOrEnd(final int side, final int level)
    {
        final int isNone = level >> 31;
        return bit(side, level) & ~isNone | end & isNone;
    }

    /** First bit of a search for all levels of a side. */
    int firstBit(final int side)
    {
        return side * window;
    }

    int level(final int bit)
    {
        return bit < window ? window - 1 - bit : bit - window;
    }

    /** Sets the bit of a level that has orders now. */
    void occupy(final int bit)
    {
        if (!isSet(bit))
        {
            set(bit);
        }
    }

    private boolean isSet(final int bit)
    {
        return (words[bit >>> 6] >>> bit & 1) != 0;
    }

    /** Clears the bit of a level if it is set. */
    void clear(final int bit)
    {
        if (isSet(bit))
        {
            keep(bit >>> 6, ~(1L << bit));
        }
    }

    /** Keeps only some bits of a word. */
    private void keep(final int at, final long bits)
    {
        if ((words[at] &= bits) == 0)
        {
            final int side = at < wordsPerSide ? 0 : 1;
            final int word = at - side * wordsPerSide;
            final int group = word >>> 6;
            if ((groups[side * groupsPerSide + group] &= ~(1L << word)) == 0)
            {
                tops[side * topsPerSide + (group >>> 6)] &= ~(1L << group);
            }
        }
    }

    private void set(final int bit)
    {
        final int side = bit < window ? 0 : 1;
        final int word = (bit >>> 6) - side * wordsPerSide;
        words[bit >>> 6] |= 1L << bit;
        final int group = word >>> 6;
        groups[side * groupsPerSide + group] |= 1L << word;
        tops[side * topsPerSide + (group >>> 6)] |= 1L << group;
    }

    private boolean isStale(final int bit)
    {
        return totals[2 * level(bit) + 1] == 0;
    }

    /**
     * The bit of the first level with orders, of any side, from a bit of a side on; or NONE. The bit may be one after
     * the last of the side.
     */
    int next(final int side, final int from)
    {
        int bit = nextSet(side, from);
        while (bit != NONE && isStale(bit))
        {
            bit = nextAfterStale(side, bit);
        }
        return bit;
    }

    /** Clears a stale bit and those that follow it in its word, in one write. Returns the next set bit or NONE. */
    private int nextAfterStale(final int side, final int stale)
    {
        final int at = stale >>> 6;
        final long from = -1L << stale;
        long rest = words[at] & from;
        int bit;
        do
        {
            rest &= rest - 1;
            bit = (at << 6) + Long.numberOfTrailingZeros(rest);
        }
        while (rest != 0 && isStale(bit));
        keep(at, ~from | rest);
        return rest != 0 ? bit : nextSet(side, at + 1 << 6);
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
            int top = group >>> 6;
            long inTop = tops[side * topsPerSide + top] & -2L << group;
            while (inTop == 0)
            {
                if (++top == topsPerSide)
                {
                    return NONE;
                }
                inTop = tops[side * topsPerSide + top];
            }
            group = (top << 6) + Long.numberOfTrailingZeros(inTop);
            found = groups[side * groupsPerSide + group];
        }
        final int word = side * wordsPerSide + (group << 6) + Long.numberOfTrailingZeros(found);
        return (word << 6) + Long.numberOfTrailingZeros(words[word]);
    }
}

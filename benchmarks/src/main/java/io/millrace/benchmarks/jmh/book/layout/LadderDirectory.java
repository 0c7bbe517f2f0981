package io.millrace.benchmarks.jmh.book.layout;

/**
 * A level for each price from 0 to {@value #PRICES}, found without a search, and for each side a bitmap of three
 * storeys. The complete book does it so too, in a window that follows the market.
 */
final class LadderDirectory extends LevelDirectory
{
    /** Beyond the greatest price of the benchmark flow. */
    static final int PRICES = 1 << 16;

    private static final int WORDS = PRICES >>> 6;
    private static final int GROUPS = WORDS >>> 6;

    // One after the other for the two sides.
    private final long[] words = new long[2 * WORDS];
    private final long[] groups = new long[2 * GROUPS];
    private final long[] tops = new long[2];

    @Override
    int levels()
    {
        return PRICES;
    }

    @Override
    long keyOf(final int side, final int level)
    {
        return key(side, level);
    }

    /** Bits go from good to bad, so those of bids are turned round. */
    private static int bit(final int side, final int level)
    {
        return level ^ side - 1 & PRICES - 1;
    }

    @Override
    int findOrAdd(final int side, final long key)
    {
        final int level = (int)key(side, key);
        final int bit = bit(side, level);
        words[side * WORDS + (bit >>> 6)] |= 1L << bit;
        groups[side * GROUPS + (bit >>> 12)] |= 1L << (bit >>> 6);
        tops[side] |= 1L << (bit >>> 12);
        return level;
    }

    @Override
    void remove(final int side, final int level)
    {
        final int bit = bit(side, level);
        if ((words[side * WORDS + (bit >>> 6)] &= ~(1L << bit)) == 0 &&
            (groups[side * GROUPS + (bit >>> 12)] &= ~(1L << (bit >>> 6))) == 0)
        {
            tops[side] &= ~(1L << (bit >>> 12));
        }
    }

    @Override
    int worse(final int side, final int level)
    {
        final int bit = bit(side, level);
        // Not -1 shifted by one more: a shift by 64 is none.
        final long inWord = words[side * WORDS + (bit >>> 6)] & -2L << bit;
        if (inWord != 0)
        {
            return bit(side, (bit & -Long.SIZE) + Long.numberOfTrailingZeros(inWord));
        }
        int word = bit >>> 6;
        long inGroup = groups[side * GROUPS + (word >>> 6)] & -2L << word;
        if (inGroup == 0)
        {
            final long inTop = tops[side] & -2L << (word >>> 6);
            if (inTop == 0)
            {
                return NONE;
            }
            word = Long.numberOfTrailingZeros(inTop) << 6;
            inGroup = groups[side * GROUPS + (word >>> 6)];
        }
        word = (word & -Long.SIZE) + Long.numberOfTrailingZeros(inGroup);
        return bit(side, (word << 6) + Long.numberOfTrailingZeros(words[side * WORDS + word]));
    }
}

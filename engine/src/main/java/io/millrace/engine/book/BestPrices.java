package io.millrace.engine.book;

/**
 * The best level of a side of a {@link PriceLadder}, and what is known of the second best one. The keys are those of
 * the ladder. One thread.
 */
final class BestPrices
{
    // Ticks from the best level to a second one that is worth knowing. A nearer one is found in one or two words, and
    // orders enter before it more often, which the fast path then leaves to the general one.
    private static final int FAR = 64;

    /** Second key if there is no second level. Worse than all keys of the side, and no difference to them overflows. */
    final long none;

    /** Key of the best level; NO_KEY when the side is empty. */
    long key = PriceLadder.NO_KEY;

    /**
     * The best key if nothing is known of the other levels. Otherwise no level between the two keys has orders; {@link
     * #none} if the best level was the only one. The level of this key may have become empty. It has no meaning while
     * the side is empty.
     */
    long second = PriceLadder.NO_KEY;

    /** The best level; NONE when the side is empty. */
    int level = PriceLadder.NONE;

    BestPrices(final int side)
    {
        none = side == 0 ? 0 : PriceLadder.NO_KEY;
    }

    /** Makes a level the best one, or none; nothing is known of the others. */
    void set(final int newLevel, final long newKey)
    {
        level = newLevel;
        key = newKey;
        second = newKey;
    }

    /** A level enters before the best one. */
    void lead(final int newLevel, final long newKey)
    {
        final long next = Math.min(key, none);
        second = next - newKey < FAR ? newKey : next;
        key = newKey;
        level = newLevel;
    }

    /** A level enters that is not better than the best one. */
    void follow(final long newKey)
    {
        if (newKey < second && newKey != key)
        {
            second = newKey;
        }
    }
}

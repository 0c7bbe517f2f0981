package io.millrace.gateway;

import io.millrace.pool.Range;
import org.agrona.collections.Long2LongHashMap;

import java.util.SplittableRandom;

/**
 * What is known of each symbol of one feed: the number of its last event, and whether that event is stale, because
 * messages of the feed were lost after it. Not thread-safe: a source has one for itself, and a handler that needs the
 * answer on its own thread makes another.
 * <p>
 * After the constructor nothing is allocated. A symbol beyond the capacity is not followed: its events are never
 * superseded, and always stale.
 */
public final class SymbolStates
{
    /** Enough for every symbol of the US exchanges (some 11,000). */
    public static final int DEFAULT_CAPACITY = 16_384;
    /** Greatest capacity: some 80 MB. */
    public static final int MAX_CAPACITY = 1 << 20;

    private static final int ABSENT = -1;

    /**
     * Bijective and not known to a sender, so that no sender can choose symbols that all fall into one bucket.
     */
    private final long secretOddFactor = new SplittableRandom().nextLong() | 1;
    private final Long2LongHashMap indexByKey;
    private final long[] session;
    private final long[] sequence;
    private final long[] gapCount;
    private long gaps;

    /**
     * States without a symbol.
     *
     * @param capacity greatest number of symbols, 1 to {@link #MAX_CAPACITY}.
     * @throws IllegalArgumentException if the capacity is out of range.
     */
    public SymbolStates(final int capacity)
    {
        Range.check("capacity", capacity, 1, MAX_CAPACITY);
        // Twice the capacity at a load of 0.55 never grows.
        indexByKey = new Long2LongHashMap(2 * capacity, 0.55f, ABSENT);
        session = new long[capacity];
        sequence = new long[capacity];
        gapCount = new long[capacity];
    }

    private long key(final long symbol)
    {
        return Long.rotateRight(symbol * secretOddFactor, 32);
    }

    private int index(final long symbol)
    {
        return (int)indexByKey.get(key(symbol));
    }

    /**
     * Adds a symbol that has had no event: it is stale. Does nothing if it is there, or if the states are full.
     *
     * @param symbol see {@link Symbols}.
     * @return whether it is there now.
     */
    public boolean add(final long symbol)
    {
        return addIndex(symbol) != ABSENT;
    }

    private int addIndex(final long symbol)
    {
        final int found = index(symbol);
        if (found != ABSENT || indexByKey.size() == sequence.length)
        {
            return found;
        }
        final int index = indexByKey.size();
        indexByKey.put(key(symbol), index);
        gapCount[index] = ABSENT;
        return index;
    }

    /**
     * Whether a symbol is followed.
     *
     * @param symbol see {@link Symbols}.
     * @return whether it was added, or had an event.
     */
    public boolean contains(final long symbol)
    {
        return index(symbol) != ABSENT;
    }

    /** @return number of symbols. */
    public int size()
    {
        return indexByKey.size();
    }

    /**
     * Takes notice of an event, in the order of the feed. {@link BboEvent#isAfterGap()} makes every symbol stale, and
     * the event makes its own symbol fresh, unless it is {@linkplain BboEvent#isLate() late}.
     *
     * @param event of the feed.
     * @return false if a later event of the same symbol and session came before it: the event is superseded.
     */
    public boolean onEvent(final BboEvent event)
    {
        if (event.isAfterGap())
        {
            gaps++;
        }
        final int index = addIndex(event.symbol());
        if (index == ABSENT)
        {
            return true;
        }
        if (!event.isLate())
        {
            gapCount[index] = gaps;
        }
        else if (session[index] == event.session() && event.sequence() - sequence[index] < 0)
        {
            return false;
        }
        session[index] = event.session();
        sequence[index] = event.sequence();
        return true;
    }

    /**
     * Whether the last event of a symbol may no longer be the truth: messages were lost after it, or it had none.
     *
     * @param symbol see {@link Symbols}.
     * @return whether it is stale.
     */
    public boolean isStale(final long symbol)
    {
        final int index = index(symbol);
        return index == ABSENT || gapCount[index] != gaps;
    }
}

package io.millrace.gateway.sink;

import io.millrace.gateway.BboEvent;
import io.millrace.pool.Range;
import org.agrona.collections.Long2LongHashMap;

/**
 * The latest event of each symbol, numbered in the order in which the symbols came. Allocates nothing after the
 * constructor. Not thread-safe.
 */
final class LatestQuotes
{
    /** No number: the table is full. */
    static final int NONE = -1;
    /** Enough for every symbol of the US exchanges (some 11,000); about 2 MB. */
    static final int DEFAULT_MAX_SYMBOLS = 16_384;
    static final int MAX_SYMBOLS = 1 << 20;

    private final Long2LongHashMap indexBySymbol;
    private final BboEvent[] events;

    LatestQuotes(final int maxSymbols)
    {
        Range.check("maxSymbols", maxSymbols, 1, MAX_SYMBOLS);
        // Twice the capacity at a load of 0.55 never grows.
        indexBySymbol = new Long2LongHashMap(Math.max(8, 2 * maxSymbols), 0.55f, NONE);
        events = new BboEvent[maxSymbols];
        for (int i = 0; i < maxSymbols; i++)
        {
            events[i] = new BboEvent();
        }
    }

    /** Number of the event's symbol, new if needed; NONE if there are too many symbols. */
    int indexOf(final BboEvent event)
    {
        final int found = (int)indexBySymbol.get(event.symbol());
        if (found != NONE || indexBySymbol.size() == events.length)
        {
            return found;
        }
        final int added = indexBySymbol.size();
        indexBySymbol.put(event.symbol(), added);
        return added;
    }

    /** The event of a number; an empty event if the number is new. */
    BboEvent at(final int index)
    {
        return events[index];
    }

    int size()
    {
        return indexBySymbol.size();
    }

    int capacity()
    {
        return events.length;
    }
}

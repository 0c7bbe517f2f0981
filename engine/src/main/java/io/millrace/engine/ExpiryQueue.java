package io.millrace.engine;

/**
 * Binary heap of the symbols with GTD orders, ordered by the first expiry of each, then by number. A symbol's entry may
 * be too early if its order has left the book. The queue corrects the entry when the time is reached, at most once for
 * each accepted order. So each accepted or expired order costs a few heap operations. Allocates nothing after its
 * constructor. Used by the engine's thread only.
 */
final class ExpiryQueue
{
    private final TradedSymbol[] heap;
    private int size;
    /** The earliest expiry; {@link Long#MAX_VALUE} when there is none. */
    private long earliestNs = Long.MAX_VALUE;

    ExpiryQueue(final int capacity)
    {
        heap = new TradedSymbol[capacity];
    }

    /** Whether any order may expire at a time. A command without due orders only pays for this call. */
    boolean isDue(final long timeNs)
    {
        return timeNs >= earliestNs;
    }

    /** Adds the expiry of an accepted GTD order. */
    void add(final TradedSymbol symbol, final long expiryNs)
    {
        if (symbol.expiryIndex == TradedSymbol.NOT_QUEUED)
        {
            symbol.expiryNs = expiryNs;
            up(size++, symbol);
        }
        else if (expiryNs < symbol.expiryNs)
        {
            symbol.expiryNs = expiryNs;
            up(symbol.expiryIndex, symbol);
        }
        earliestNs = heap[0].expiryNs;
    }

    /** Removes a symbol, which has no orders. */
    void remove(final TradedSymbol symbol)
    {
        if (symbol.expiryIndex != TradedSymbol.NOT_QUEUED)
        {
            symbol.expiryNs = Long.MIN_VALUE;
            up(symbol.expiryIndex, symbol);
            removeFirst();
        }
    }

    /** Removes the due orders, ordered by expiry, then symbol, then acceptance. */
    void expire(final long timeNs)
    {
        while (size > 0 && heap[0].expiryNs <= timeNs)
        {
            final TradedSymbol symbol = heap[0];
            final long expiryNs = symbol.expiryNs;
            if (symbol.book.nextExpiryNs() == expiryNs)
            {
                symbol.book.expire(expiryNs);
            }
            symbol.expiryNs = symbol.book.nextExpiryNs();
            if (symbol.expiryNs == 0)
            {
                removeFirst();
            }
            else
            {
                down(0, symbol);
                earliestNs = heap[0].expiryNs;
            }
        }
    }

    private void removeFirst()
    {
        heap[0].expiryIndex = TradedSymbol.NOT_QUEUED;
        final TradedSymbol last = heap[--size];
        heap[size] = null;
        if (size > 0)
        {
            down(0, last);
        }
        earliestNs = size > 0 ? heap[0].expiryNs : Long.MAX_VALUE;
    }

    private void up(final int from, final TradedSymbol symbol)
    {
        int index = from;
        while (index > 0 && isBefore(symbol, heap[index - 1 >>> 1]))
        {
            final int parent = index - 1 >>> 1;
            put(index, heap[parent]);
            index = parent;
        }
        put(index, symbol);
    }

    private void down(final int from, final TradedSymbol symbol)
    {
        int index = from;
        int child = 2 * index + 1;
        while (child < size)
        {
            if (child + 1 < size && isBefore(heap[child + 1], heap[child]))
            {
                child++;
            }
            if (!isBefore(heap[child], symbol))
            {
                break;
            }
            put(index, heap[child]);
            index = child;
            child = 2 * index + 1;
        }
        put(index, symbol);
    }

    private void put(final int index, final TradedSymbol symbol)
    {
        heap[index] = symbol;
        symbol.expiryIndex = index;
    }

    private static boolean isBefore(final TradedSymbol one, final TradedSymbol other)
    {
        return one.expiryNs == other.expiryNs ? one.number < other.number : one.expiryNs < other.expiryNs;
    }

    /**
     * Checks that every symbol with GTD orders is queued and not too late, and that the heap is in order.
     *
     * @throws IllegalStateException when a check fails.
     */
    void verify(final SymbolTable symbols)
    {
        for (int index = 0; index < size; index++)
        {
            expect(heap[index].expiryIndex == index && (index == 0 || !isBefore(heap[index], heap[index - 1 >>> 1])),
                "a symbol's expiry is out of order", heap[index]);
        }
        int found = 0;
        for (int i = 0; i < symbols.count(); i++)
        {
            final TradedSymbol symbol = symbols.at(i);
            final long expiryNs = symbol.book.nextExpiryNs();
            final boolean isIn = symbol.expiryIndex != TradedSymbol.NOT_QUEUED;
            expect(expiryNs == 0 || isIn && symbol.expiryNs <= expiryNs, "an order would expire too late", symbol);
            found += isIn ? 1 : 0;
        }
        if (found != size || earliestNs != (size == 0 ? Long.MAX_VALUE : heap[0].expiryNs))
        {
            throw new IllegalStateException("engine: " + size + " symbols are queued, but " + found +
                " have a place in the queue");
        }
    }

    private static void expect(final boolean isTrue, final String problem, final TradedSymbol symbol)
    {
        if (!isTrue)
        {
            throw new IllegalStateException("engine: " + problem + ": symbol " + symbol.symbol());
        }
    }
}

package io.millrace.engine;

import io.millrace.engine.book.ListenerGuard;

import java.util.function.IntConsumer;

/**
 * The symbols of an engine that have GTD orders, by when the first of these expires, at the same time by their number:
 * a binary heap. A symbol may stand too early, when the order that it stands for has gone in the meantime; that is
 * found out when its time comes, once for each order that was accepted. So whatever comes, the work is a few steps for
 * each order that was accepted or expires. Allocates nothing after its constructor. One thread.
 */
final class ExpiryQueue
{
    private final ListenerGuard guard;
    private final TradedSymbol[] heap;
    private int size;
    /** No order expires before; {@link Long#MAX_VALUE} also when there is none. */
    private long earliestNs = Long.MAX_VALUE;

    ExpiryQueue(final ListenerGuard guard, final int capacity)
    {
        this.guard = guard;
        heap = new TradedSymbol[capacity];
    }

    /** Whether orders of some symbol may expire at a time: the one comparison of a command. */
    boolean isDue(final long timeNs)
    {
        return timeNs >= earliestNs;
    }

    /** A GTD order was accepted. */
    void add(final TradedSymbol symbol, final long expiryNs)
    {
        if (symbol.expiryPlace == TradedSymbol.NOWHERE)
        {
            symbol.expiryNs = expiryNs;
            up(size++, symbol);
        }
        else if (expiryNs < symbol.expiryNs)
        {
            symbol.expiryNs = expiryNs;
            up(symbol.expiryPlace, symbol);
        }
        earliestNs = heap[0].expiryNs;
    }

    /** A symbol goes; it has no orders. */
    void remove(final TradedSymbol symbol)
    {
        if (symbol.expiryPlace != TradedSymbol.NOWHERE)
        {
            symbol.expiryNs = Long.MIN_VALUE;
            up(symbol.expiryPlace, symbol);
            removeFirst();
        }
    }

    /**
     * Take out what has expired: by its time, then by the number of its symbol, then as it was accepted.
     *
     * @param next is told each symbol before its orders expire.
     */
    void expire(final long timeNs, final IntConsumer next)
    {
        while (size > 0 && heap[0].expiryNs <= timeNs)
        {
            final TradedSymbol symbol = heap[0];
            final long expiryNs = symbol.expiryNs;
            if (symbol.book.nextExpiryNs() == expiryNs)
            {
                announce(guard, next, symbol.symbol());
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

    /** Report a symbol to a reader, which must not give a command. */
    static void announce(final ListenerGuard guard, final IntConsumer next, final int symbol)
    {
        ListenerGuard.enter(guard);
        try
        {
            next.accept(symbol);
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    private void removeFirst()
    {
        heap[0].expiryPlace = TradedSymbol.NOWHERE;
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
        int place = from;
        while (place > 0 && isBefore(symbol, heap[place - 1 >>> 1]))
        {
            final int parent = place - 1 >>> 1;
            put(place, heap[parent]);
            place = parent;
        }
        put(place, symbol);
    }

    private void down(final int from, final TradedSymbol symbol)
    {
        int place = from;
        int child = 2 * place + 1;
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
            put(place, heap[child]);
            place = child;
            child = 2 * place + 1;
        }
        put(place, symbol);
    }

    private void put(final int place, final TradedSymbol symbol)
    {
        heap[place] = symbol;
        symbol.expiryPlace = place;
    }

    private static boolean isBefore(final TradedSymbol one, final TradedSymbol other)
    {
        return one.expiryNs == other.expiryNs ? one.number < other.number : one.expiryNs < other.expiryNs;
    }

    /**
     * Whether every symbol with GTD orders is in here, not too late, and stands behind the one above it.
     *
     * @throws IllegalStateException when that is not so.
     */
    void verify(final SymbolTable symbols)
    {
        for (int place = 0; place < size; place++)
        {
            expect(heap[place].expiryPlace == place && (place == 0 || !isBefore(heap[place], heap[place - 1 >>> 1])),
                "a symbol's expiry is out of order", heap[place]);
        }
        int found = 0;
        for (int i = 0; i < symbols.count(); i++)
        {
            final TradedSymbol symbol = symbols.at(i);
            final long expiryNs = symbol.book.nextExpiryNs();
            final boolean isIn = symbol.expiryPlace != TradedSymbol.NOWHERE;
            expect(expiryNs == 0 || isIn && symbol.expiryNs <= expiryNs, "an order would expire too late", symbol);
            found += isIn ? 1 : 0;
        }
        if (found != size || earliestNs != (size == 0 ? Long.MAX_VALUE : heap[0].expiryNs))
        {
            throw new IllegalStateException("engine: " + size + " symbols have expiries, but " + found + " are known");
        }
    }

    private static void expect(final boolean holds, final String what, final TradedSymbol symbol)
    {
        if (!holds)
        {
            throw new IllegalStateException("engine: " + what + ": symbol " + symbol.symbol());
        }
    }
}

package io.millrace.benchmarks.jmh.book.layout;

/**
 * Storage of orders: eight longs for each, found by a handle. A JVM that measures loads one kind only, so that the
 * calls need no choice, and the field is a constant wherever it is called. One thread; allocates nothing after it was
 * made.
 */
abstract class OrderStore
{
    /** No order. */
    static final int NONE = -1;

    static final int ID = 0;
    static final int UID = 1;
    static final int PRICE = 2;
    static final int SIZE = 3;
    static final int FILLED = 4;
    /** Level and side: twice the level, plus the side. */
    static final int PLACE = 5;
    static final int NEXT = 6;
    static final int PREVIOUS = 7;

    /** Four times what the benchmark flow has at a time. */
    static final int CAPACITY = 4_096;

    private int free = NONE;

    /** All orders are free; a subclass calls it at the end of its constructor. */
    final void clear()
    {
        for (int order = CAPACITY - 1; order >= 0; order--)
        {
            release(order);
        }
    }

    /** A free order; the flow always leaves one. */
    final int acquire()
    {
        final int order = free;
        free = link(order, NEXT);
        return order;
    }

    final void release(final int order)
    {
        set(order, NEXT, free);
        free = order;
    }

    final int link(final int order, final int field)
    {
        return (int)get(order, field);
    }

    final long open(final int order)
    {
        return get(order, SIZE) - get(order, FILLED);
    }

    abstract long get(int order, int field);

    abstract void set(int order, int field, long value);
}

package io.millrace.benchmarks.jmh.book.layout;

/** The rows of one array of longs, 64 bytes each: as the complete book does it. */
final class RowStore extends OrderStore
{
    private static final int SHIFT = 3;

    private final long[] rows = new long[CAPACITY << SHIFT];

    RowStore()
    {
        clear();
    }

    @Override
    long get(final int order, final int field)
    {
        return rows[(order << SHIFT) + field];
    }

    @Override
    void set(final int order, final int field, final long value)
    {
        rows[(order << SHIFT) + field] = value;
    }
}

package io.millrace.benchmarks.jmh.book.layout;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The rows of a direct buffer, outside of the heap, 64 bytes each. */
final class OffHeapStore extends OrderStore
{
    private static final int SHIFT = 6;

    private final ByteBuffer rows = ByteBuffer.allocateDirect(CAPACITY << SHIFT).order(ByteOrder.nativeOrder());

    OffHeapStore()
    {
        clear();
    }

    @Override
    long get(final int order, final int field)
    {
        return rows.getLong((order << SHIFT) + field * Long.BYTES);
    }

    @Override
    void set(final int order, final int field, final long value)
    {
        rows.putLong((order << SHIFT) + field * Long.BYTES, value);
    }
}

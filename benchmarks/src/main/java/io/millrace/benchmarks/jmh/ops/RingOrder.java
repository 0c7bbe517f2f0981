package io.millrace.benchmarks.jmh.ops;

import io.millrace.pool.BasePoolAware;

/**
 * An order, or its cancellation, in a ring: 40 bytes of fields.
 */
final class RingOrder extends BasePoolAware
{
    long id;
    long uid;
    long price;
    long size;
    byte side;
    boolean cancels;

    void set(final byte newSide, final long newId, final long newPrice, final long newSize)
    {
        id = newId;
        uid = 1;
        price = newPrice;
        size = newSize;
        side = newSide;
        cancels = false;
    }

    void setCancel(final long newId)
    {
        id = newId;
        uid = 1;
        cancels = true;
    }
}

package io.millrace.benchmarks.jmh;

import io.millrace.pool.PaddedLong;

/**
 * From one thread to another, as cheap as it gets: a ring of references as long as the pool, so that it is never
 * full, and one index that travels. Nothing goes back through it; that is the pool's part.
 */
final class Handover
{
    private final PooledEvent[] places = new PooledEvent[Pools.CAPACITY];
    private final PaddedLong tail = new PaddedLong(0);
    /** The consumer's own: its place, and its copy of the tail. */
    private final PaddedLong head = new PaddedLong(0);
    private final PaddedLong tailSeen = new PaddedLong(0);

    /** The publishing thread; never more events than places on their way. */
    void put(final PooledEvent event)
    {
        final long index = tail.getPlain();
        places[(int)index & Pools.CAPACITY - 1] = event;
        // Release: pairs with the acquire in take().
        tail.setRelease(index + 1);
    }

    /** The consuming thread. Null: nothing there. */
    PooledEvent take()
    {
        final long index = head.getPlain();
        if (index == tailSeen.getPlain())
        {
            final long seen = tail.getAcquire();
            if (index == seen)
            {
                return null;
            }
            tailSeen.setOpaque(seen);
        }
        head.setOpaque(index + 1);
        return places[(int)index & Pools.CAPACITY - 1];
    }
}

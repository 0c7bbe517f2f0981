package io.millrace.pool;

import java.util.ArrayList;
import java.util.List;

/**
 * The only stage of a ring in the tests: sees the published events in order, skips PADs, and passes each event at once.
 * One reading thread.
 */
final class RingReader implements GatingSequence
{
    private final RingPool<TestEvent> pool;
    private final PaddedLong position;

    RingReader(final RingPool<TestEvent> pool)
    {
        this.pool = pool;
        position = new PaddedLong(pool.publishedPosition());
        pool.bind(this);
    }

    static RingPool<TestEvent> ring(final int capacity, final long firstSequence)
    {
        return new RingPool<>("ring", TestEvent::new, capacity, Exhaustion.fail(), firstSequence);
    }

    @Override
    public long position()
    {
        return position.getAcquire();
    }

    /** The event at the position, not passed yet; null if none is published there. */
    TestEvent next()
    {
        while (true)
        {
            final long next = position.getPlain();
            final TestEvent event = pool.event(next);
            final long word = RingPool.sequenceOf(event);
            if (word != ~next)
            {
                return word == next ? event : null;
            }
            position.setRelease(next + 1);
        }
    }

    /** Pass the event that {@link #next()} returned. */
    void pass()
    {
        final long next = position.getPlain();
        if (PoolCheck.ENABLED)
        {
            pool.event(next).release();
        }
        position.setRelease(next + 1);
    }

    /** The values of all published events. */
    List<Long> readAll()
    {
        final List<Long> values = new ArrayList<>();
        for (TestEvent event = next(); event != null; event = next())
        {
            values.add(event.value);
            pass();
        }
        return values;
    }
}

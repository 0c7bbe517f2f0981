package io.millrace.benchmarks.rate;

import io.millrace.pool.PaddedLong;

/**
 * The raw baseline: a ring of plain events made beforehand and two positions, one written by each side. No pool, no
 * reference counts, no server.
 * <p>
 * One thread claims and publishes, one drains. Each publish is one release store; the drain gives a whole stretch
 * back by one.
 */
final class RawRing extends PolledPath<PlainEvent>
{
    private final PlainEvent[] events;
    private final int mask;
    private final PaddedLong published = new PaddedLong(0);
    private final PaddedLong drained = new PaddedLong(0);
    // The other side's position, as the publishing thread last read it.
    private final PaddedLong drainedSeen = new PaddedLong(0);

    RawRing(final int capacity, final MessageMeter meter)
    {
        super(meter);
        events = new PlainEvent[capacity];
        for (int i = 0; i < capacity; i++)
        {
            events[i] = new PlainEvent();
        }
        mask = capacity - 1;
    }

    @Override
    public PlainEvent claim()
    {
        final long position = published.getPlain();
        if (position - drainedSeen.getPlain() > mask)
        {
            // Acquire: pairs with the release store in poll(), so that refilling comes after reading.
            final long seen = drained.getAcquire();
            drainedSeen.setOpaque(seen);
            if (position - seen > mask)
            {
                return null;
            }
        }
        return events[(int)position & mask];
    }

    @Override
    public void publish(final PlainEvent message)
    {
        // Release: pairs with the acquire load in poll(), so that reading comes after filling.
        published.setRelease(published.getPlain() + 1);
    }

    @Override
    protected int poll()
    {
        final MessageMeter meter = meter();
        final long first = drained.getPlain();
        final long end = published.getAcquire();
        for (long position = first; position < end; position++)
        {
            meter.onMessage(events[(int)position & mask], position + 1 == end);
        }
        if (end > first)
        {
            drained.setRelease(end);
        }
        return (int)(end - first);
    }
}

package io.millrace.gateway.sink;

import io.millrace.pool.Range;

/**
 * Events that a broker's client library has taken and not answered yet. Each is counted once in the status: delivered,
 * refused or unknown. Any thread.
 */
final class PendingEvents
{
    private final SinkStatus status;
    private final int max;
    private int count;
    private long delivered;
    private boolean closed;

    PendingEvents(final SinkStatus status, final int max)
    {
        Range.check("maxPending", max, 1, 1 << 20);
        this.status = status;
        this.max = max;
    }

    synchronized void add()
    {
        count++;
    }

    synchronized void delivered()
    {
        if (!closed)
        {
            count--;
            delivered++;
            status.delivered(1);
            status.recovered();
        }
    }

    synchronized void refused()
    {
        if (!closed)
        {
            count--;
            status.refused(1);
        }
    }

    synchronized void unknown()
    {
        if (!closed)
        {
            count--;
            status.unknown(1);
        }
    }

    synchronized int count()
    {
        return count;
    }

    /** Number of events that may be added. */
    synchronized int capacity()
    {
        return max - count;
    }

    synchronized long deliveredCount()
    {
        return delivered;
    }

    /** The rest is unknown; answers that still come change nothing. */
    synchronized void close()
    {
        closed = true;
        status.unknown(count);
        count = 0;
    }
}

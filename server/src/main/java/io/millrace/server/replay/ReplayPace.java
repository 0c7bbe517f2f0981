package io.millrace.server.replay;

/**
 * Computes the due time of each row of a recording: its recorded time after the first row, divided by a factor. Not
 * thread-safe.
 */
final class ReplayPace
{
    /** 146 years: half of the range of a nanosecond clock. */
    private static final double MAX_SPAN_NS = 1L << 62;

    private final int timeColumn;
    private final double speed;
    private boolean started;
    private long firstTimeNs;
    private long firstDueNs;
    private long dueNs;

    ReplayPace(final int timeColumn, final double speed)
    {
        this.timeColumn = timeColumn;
        this.speed = speed;
    }

    ReplayPace fresh()
    {
        return new ReplayPace(timeColumn, speed);
    }

    int timeColumn()
    {
        return timeColumn;
    }

    /**
     * Sets the due time, never before the previous row's: rows stay in file order even if their times go back.
     */
    void schedule(final CsvRow row, final long nowNs)
    {
        final long timeNs = row.timeNsAt(timeColumn);
        if (!started)
        {
            started = true;
            firstTimeNs = timeNs;
            firstDueNs = nowNs;
            dueNs = nowNs;
        }
        if (Math.abs((double)timeNs - firstTimeNs) / speed >= MAX_SPAN_NS)
        {
            throw row.malformed(timeColumn, "is more than 146 years from the time of the first row at speed " + speed);
        }
        final long afterFirstNs = timeNs - firstTimeNs;
        // Rounded up: a row may be late, but never early.
        final long wantedNs = firstDueNs + (speed == 1.0 ? afterFirstNs : (long)Math.ceil(afterFirstNs / speed));
        if (wantedNs - dueNs > 0)
        {
            dueNs = wantedNs;
        }
        row.dueNs(dueNs);
    }

    boolean isDue(final long nowNs)
    {
        return dueNs - nowNs <= 0;
    }
}

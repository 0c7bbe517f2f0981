package io.millrace.server.metrics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * Records the latencies of one thread, in nanoseconds. Other threads may read them in intervals at the same time.
 * <p>
 * Only one thread may call {@link #record(long)}; this is not checked. A lock serializes the reading threads; the
 * recording thread never takes it. Recording does not wait and does not allocate: the constructor allocates all counts,
 * about 220 KB for each of the two histograms.
 */
public final class LatencyRecorder
{
    /**
     * Smallest recorded value, in nanoseconds. No clock of the JVM has a finer resolution.
     */
    public static final long LOWEST_NS = 1;

    /**
     * Greatest value, in nanoseconds: 60 s. A longer wait is an outage, not a latency; it is counted as {@link
     * #aboveRange()}.
     */
    public static final long HIGHEST_NS = 60_000_000_000L;

    /**
     * Decimal digits kept of every value: an error of at most 0.1 %, far below the difference between two runs.
     */
    public static final int SIGNIFICANT_DIGITS = 3;

    private static final VarHandle BELOW_RANGE;
    private static final VarHandle ABOVE_RANGE;

    static
    {
        try
        {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            BELOW_RANGE = lookup.findVarHandle(LatencyRecorder.class, "belowRange", long.class);
            ABOVE_RANGE = lookup.findVarHandle(LatencyRecorder.class, "aboveRange", long.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private final SingleWriterRecorder recorder = new SingleWriterRecorder(LOWEST_NS, HIGHEST_NS, SIGNIFICANT_DIGITS);
    private long belowRange;
    private long aboveRange;

    /**
     * An empty histogram with the settings of every recorder, for the sum of intervals.
     *
     * @return a new histogram; it belongs to the caller and to one thread at a time.
     */
    public static Histogram newHistogram()
    {
        return new Histogram(LOWEST_NS, HIGHEST_NS, SIGNIFICANT_DIGITS);
    }

    /**
     * Clamp a value to the range of the recorder.
     *
     * @param latencyNs any value, in nanoseconds.
     * @return the value, or the nearer end of {@value #LOWEST_NS}..{@value #HIGHEST_NS}.
     */
    public static long clamp(final long latencyNs)
    {
        return Math.max(LOWEST_NS, Math.min(HIGHEST_NS, latencyNs));
    }

    /**
     * Record one latency. Call only on the recording thread.
     *
     * @param latencyNs in nanoseconds. A value outside {@value #LOWEST_NS}..{@value #HIGHEST_NS} is recorded as the
     *                  nearer end of the range and counted, even a negative one (clocks can differ between cores).
     */
    public void record(final long latencyNs)
    {
        if (latencyNs >= LOWEST_NS && latencyNs <= HIGHEST_NS)
        {
            recorder.recordValue(latencyNs);
        }
        else
        {
            recordOutOfRange(latencyNs);
        }
    }

    private void recordOutOfRange(final long latencyNs)
    {
        // Opaque stores by the only writer: readers see a recent value, never a torn one.
        if (latencyNs < LOWEST_NS)
        {
            BELOW_RANGE.setOpaque(this, belowRange + 1);
        }
        else
        {
            ABOVE_RANGE.setOpaque(this, aboveRange + 1);
        }
        recorder.recordValue(clamp(latencyNs));
    }

    /**
     * Take the values recorded since the last call. Thread-safe; each value is in exactly one interval.
     *
     * @param recycle an interval of this recorder that is no longer in use, or null to allocate a new histogram. If you
     *                pass the interval before the last, the call does not allocate.
     * @return the interval with its start and end time in milliseconds of the wall clock; it belongs to the caller
     *         until it is recycled.
     * @throws IllegalArgumentException when {@code recycle} is not from this recorder.
     */
    public Histogram takeInterval(final Histogram recycle)
    {
        return recorder.getIntervalHistogram(recycle, true);
    }

    /**
     * Number of values below {@value #LOWEST_NS} ns since the creation of the recorder. Any thread; may lag slightly.
     *
     * @return the count; it never decreases.
     */
    public long belowRange()
    {
        return (long)BELOW_RANGE.getOpaque(this);
    }

    /**
     * Number of values above {@value #HIGHEST_NS} ns since the creation of the recorder. Any thread; may lag slightly.
     *
     * @return the count; it never decreases.
     */
    public long aboveRange()
    {
        return (long)ABOVE_RANGE.getOpaque(this);
    }
}

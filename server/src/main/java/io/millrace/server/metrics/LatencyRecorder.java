package io.millrace.server.metrics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * Latencies of one recording thread, in nanoseconds, which any other thread may read in intervals while recording
 * goes on.
 * <p>
 * One thread calls {@link #record(long)}; nothing checks that. Reading threads take turns (a lock among readers,
 * never seen by the recording thread). Recording does not wait and does not allocate: all counts are laid out when
 * the recorder is made, about 220 KB for each of its two histograms.
 */
public final class LatencyRecorder
{
    /**
     * Least value that is told apart, in nanoseconds. No clock of the JVM resolves less.
     */
    public static final long LOWEST_NS = 1;

    /**
     * Greatest value, in nanoseconds: 60 s. A longer wait is an outage, not a latency; it is counted as {@link
     * #aboveRange()}.
     */
    public static final long HIGHEST_NS = 60_000_000_000L;

    /**
     * Decimal digits that are kept of every value: an error of at most 0.1 %, far below what two runs differ by.
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
     * An empty histogram with the settings of every recorder, to sum intervals in.
     *
     * @return a new histogram; it belongs to the caller and to one thread at a time.
     */
    public static Histogram newHistogram()
    {
        return new Histogram(LOWEST_NS, HIGHEST_NS, SIGNIFICANT_DIGITS);
    }

    /**
     * Bring a value into the range of the recorder.
     *
     * @param latencyNs any value, in nanoseconds.
     * @return the value, or the end of {@value #LOWEST_NS}..{@value #HIGHEST_NS} that is nearer.
     */
    public static long clamp(final long latencyNs)
    {
        return Math.max(LOWEST_NS, Math.min(HIGHEST_NS, latencyNs));
    }

    /**
     * Record one latency. By the recording thread only.
     *
     * @param latencyNs in nanoseconds; a value out of {@value #LOWEST_NS}..{@value #HIGHEST_NS} is recorded as the
     *                  nearer end of the range and counted, also a negative one (a clock that differs between cores).
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
        // Opaque stores by the one writer: readers see some recent whole value.
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
     * Take what was recorded since the last call. Any thread; each value is in exactly one interval.
     *
     * @param recycle an interval of this recorder that nobody reads any more, or null to make a new histogram.
     *                Passing the interval before the last makes reading free of allocation too.
     * @return the interval with its start and end time in milliseconds of the wall clock; it is the caller's until
     *         handed back.
     * @throws IllegalArgumentException when {@code recycle} did not come from this recorder.
     */
    public Histogram takeInterval(final Histogram recycle)
    {
        return recorder.getIntervalHistogram(recycle, true);
    }

    /**
     * How many values were below {@value #LOWEST_NS} ns since the recorder was made. Any thread; may be a little old.
     *
     * @return the count, never taken back.
     */
    public long belowRange()
    {
        return (long)BELOW_RANGE.getOpaque(this);
    }

    /**
     * How many values were above {@value #HIGHEST_NS} ns since the recorder was made. Any thread; may be a little old.
     *
     * @return the count, never taken back.
     */
    public long aboveRange()
    {
        return (long)ABOVE_RANGE.getOpaque(this);
    }
}

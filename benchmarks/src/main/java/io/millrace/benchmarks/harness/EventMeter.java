package io.millrace.benchmarks.harness;

import io.millrace.server.metrics.LatencyRecorder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Counts the handled events of a path, and measures their latency from the scheduled send time. Made and written by the
 * handling thread, so that what it writes for each event lies on no line that another one uses; allocates nothing once
 * made. Others may watch {@link #handled()}, and read the rest once that has reached what was sent.
 */
public final class EventMeter
{
    /**
     * For a path of which nothing but a hang says that it failed.
     */
    public static final Runnable NO_CHECK = EventMeter::checkNothing;

    private static final VarHandle HANDLED;
    private static final long NAP_NS = TimeUnit.MICROSECONDS.toNanos(200);

    static
    {
        try
        {
            HANDLED = MethodHandles.lookup().findVarHandle(EventMeter.class, "handled", long.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private final Histogram intended = LatencyRecorder.newHistogram();
    // The histogram's maximum, above the greatest latency.
    private long maximumNs;
    private final ThreadProbe thread = ThreadProbe.ofCurrentThread();
    private long lastNs;
    private long stopAt = Long.MAX_VALUE;
    private long handled;

    /**
     * An event was handled: end its latency. The handling thread.
     *
     * @param intendedNs scheduled send time, by {@link System#nanoTime()}; {@link OpenLoop#UNTIMED}.
     * @return the time; 0 for an untimed event.
     */
    public long time(final long intendedNs)
    {
        if (intendedNs == OpenLoop.UNTIMED)
        {
            return 0;
        }
        final long nowNs = System.nanoTime();
        record(intendedNs, nowNs);
        return nowNs;
    }

    /**
     * A timed event was handled, and the clock read after it. The handling thread.
     *
     * @param intendedNs scheduled send time, by {@link System#nanoTime()}.
     * @param nowNs      not before the end of its handling, by the same clock.
     */
    public void record(final long intendedNs, final long nowNs)
    {
        lastNs = nowNs;
        final long latencyNs = LatencyRecorder.clamp(nowNs - intendedNs);
        if (latencyNs > maximumNs)
        {
            raiseMaximum(latencyNs);
        }
        intended.recordValue(latencyNs);
    }

    /**
     * In a path that falls behind, each latency is the greatest so far. The histogram would store each by a
     * compare-and-set, 2 to 6 % of the handler's time, which a path that keeps up does not pay.
     */
    private void raiseMaximum(final long latencyNs)
    {
        maximumNs = LatencyRecorder.clamp(2 * latencyNs);
        intended.recordValueWithCount(maximumNs, 0);
    }

    /**
     * Count the event. The last one that is sent is counted behind all else that is to be written down. The handling
     * thread.
     */
    public void count()
    {
        final long count = handled + 1;
        if (count == stopAt)
        {
            lastNs = System.nanoTime();
        }
        // Pairs with the acquire load in handled(): who sees the last one counted sees all that was written down.
        HANDLED.setRelease(this, count);
    }

    private static void checkNothing()
    {
        // The waiting thread gives up in time.
    }

    /**
     * Before the event of a number is published: read the clock after it, timed or not. Any thread.
     *
     * @param number from 1.
     */
    public void stopAt(final long number)
    {
        stopAt = number;
    }

    /** Events that are done with. Any thread. */
    public long handled()
    {
        return (long)HANDLED.getAcquire(this);
    }

    /**
     * Wait until as many events are done with, asleep most of the time. Any other thread.
     *
     * @param count  number of events.
     * @param hangNs after which it gives up.
     * @param check  called while it waits; throws when the path has failed.
     * @throws IllegalStateException after that time.
     */
    public void await(final long count, final long hangNs, final Runnable check)
    {
        waitUntil(() -> handled() >= count, hangNs, check,
            () -> "only " + handled() + " of " + count + " events were handled");
    }

    /**
     * Wait for the handling thread to make its meter. Any other thread.
     *
     * @param meter  returns null until then.
     * @param hangNs after which it gives up.
     * @param check  called while it waits; throws when the path has failed.
     * @return the meter.
     * @throws IllegalStateException after that time.
     */
    public static EventMeter awaitStart(final Supplier<EventMeter> meter, final long hangNs, final Runnable check)
    {
        waitUntil(() -> meter.get() != null, hangNs, check, () -> "no event was handled");
        return meter.get();
    }

    private static void waitUntil(
        final BooleanSupplier isThere, final long hangNs, final Runnable check, final Supplier<String> hung)
    {
        final long giveUpNs = System.nanoTime() + hangNs;
        while (!isThere.getAsBoolean())
        {
            check.run();
            if (System.nanoTime() > giveUpNs)
            {
                throw new IllegalStateException(hung.get());
            }
            LockSupport.parkNanos(NAP_NS);
        }
    }

    /** The handling thread. */
    public ThreadProbe thread()
    {
        return thread;
    }

    /**
     * When the last timed event was done with, or the one of that number.
     *
     * @return by {@link System#nanoTime()}.
     */
    public long lastNs()
    {
        return lastNs;
    }

    /**
     * Latencies from the intended time.
     *
     * @return nanoseconds, in a new histogram, whose maximum is that of the latencies.
     */
    public Histogram intended()
    {
        final Histogram exact = LatencyRecorder.newHistogram();
        for (final HistogramIterationValue value : intended.recordedValues())
        {
            exact.recordValueWithCount(value.getValueIteratedTo(), value.getCountAtValueIteratedTo());
        }
        return exact;
    }
}

package io.millrace.benchmarks.race;

import io.millrace.benchmarks.harness.SendTimes;
import io.millrace.benchmarks.jmh.Check;
import io.millrace.server.metrics.LatencyRecorder;

import org.HdrHistogram.Histogram;

/**
 * The handling end of an open loop: reads the clock for each event, records how long ago it was meant to be sent, and
 * checks it. The schedule is known to both ends, so no time travels in the event.
 * <p>
 * The handling thread calls {@link #onStart()} and {@link #accept}; the publishing thread {@link #start} between two
 * events; any thread may read the latencies once {@link #isReached} says that all events were handled.
 */
final class LatencyCheck extends Check
{
    /** Events between two readings of the handled count; lead-in and rounds are multiples of it. */
    static final int STEP = 16;

    private final long perSecond;
    private final long leadIn;
    private Ledger ledger;

    /** Results of the handling thread, made by it so that they lie among its own objects. */
    private static final class Ledger
    {
        private final Histogram latencies = LatencyRecorder.newHistogram();
        private final SendTimes times;
        private long lastNs;

        Ledger(final long perSecond)
        {
            times = new SendTimes(perSecond);
        }
    }

    /**
     * @param fields    of an event.
     * @param perSecond events a second.
     * @param leadIn    events that come first and are not timed.
     */
    LatencyCheck(final int fields, final long perSecond, final long leadIn)
    {
        super(STEP, fields);
        this.perSecond = perSecond;
        this.leadIn = leadIn;
    }

    void onStart()
    {
        ledger = new Ledger(perSecond);
    }

    /** The lead-in is handled, the next event is the first of a schedule. */
    void start(final long startNs)
    {
        ledger.times.start(startNs);
    }

    @Override
    public void accept(final long id, final long fieldSum)
    {
        if (id >= leadIn)
        {
            final Ledger own = ledger;
            final long nowNs = System.nanoTime();
            own.lastNs = nowNs;
            own.latencies.recordValue(LatencyRecorder.clamp(nowNs - own.times.nextNs()));
        }
        super.accept(id, fieldSum);
    }

    Histogram latencies()
    {
        return ledger.latencies;
    }

    long lastNs()
    {
        return ledger.lastNs;
    }
}

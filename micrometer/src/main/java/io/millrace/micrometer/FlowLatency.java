package io.millrace.micrometer;

import io.micrometer.core.instrument.Clock;
import io.millrace.server.Server;
import io.millrace.server.metrics.LatencyRecorder;
import org.HdrHistogram.Histogram;

import java.util.concurrent.TimeUnit;

/**
 * Sums the latencies of one flow for registries, also over a restart of the server between two readings. Each reading
 * takes what was recorded since. Quantiles are those of this minute and the minute before.
 */
final class FlowLatency
{
    private static final long WINDOW_NS = TimeUnit.MINUTES.toNanos(1);
    private static final double PERCENT = 100;

    private final Server server;
    private final String flow;
    private final Clock clock;
    private final Histogram window = LatencyRecorder.newHistogram();
    private Histogram present = LatencyRecorder.newHistogram();
    private Histogram before = LatencyRecorder.newHistogram();
    private LatencyRecorder recorder;
    private Histogram taken;
    private long beganNs;
    private long count;
    private double totalNs;

    FlowLatency(final Server server, final String flow, final Clock clock)
    {
        this.server = server;
        this.flow = flow;
        this.clock = clock;
        beganNs = clock.monotonicTime();
        // Notes the recorder of this start.
        take();
    }

    synchronized long count()
    {
        take();
        return count;
    }

    synchronized double totalNs()
    {
        take();
        return totalNs;
    }

    /** Value of a quantile, 0..1; NaN if no event was recorded in the window. */
    synchronized double ns(final double quantile)
    {
        take();
        window.reset();
        window.add(present);
        window.add(before);
        return window.getTotalCount() == 0 ? Double.NaN : window.getValueAtPercentile(quantile * PERCENT);
    }

    private void take()
    {
        final long nowNs = clock.monotonicTime();
        if (nowNs - beganNs >= WINDOW_NS)
        {
            final Histogram oldest = before;
            before = present;
            present = oldest;
            present.reset();
            if (nowNs - beganNs >= 2 * WINDOW_NS)
            {
                before.reset();
            }
            beganNs = nowNs;
        }
        takeRest();
        final LatencyRecorder now = server.flowsWithLatency().contains(flow) ? server.latency(flow) : recorder;
        if (now != recorder)
        {
            // A start of the server has a recorder of its own, and an interval belongs to its recorder.
            recorder = now;
            taken = null;
            takeRest();
        }
    }

    private void takeRest()
    {
        if (recorder == null)
        {
            return;
        }
        taken = recorder.takeInterval(taken);
        if (taken.getTotalCount() > 0)
        {
            count += taken.getTotalCount();
            totalNs += taken.getMean() * taken.getTotalCount();
            present.add(taken);
        }
    }
}

package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.flow.CommandWord;
import io.millrace.benchmarks.flow.FieldChecksum;
import io.millrace.benchmarks.harness.EventMeter;
import io.millrace.benchmarks.harness.OpenLoop;
import io.millrace.server.metrics.LatencyRecorder;
import org.HdrHistogram.Histogram;

/**
 * Records of the handling thread in one round: both latencies of each event, and the data that check the round's
 * answer. Written by the thread that created it; allocates only in its constructor.
 */
public final class MeterLedger
{
    private final RateHandler handler;
    private final EventMeter events = new EventMeter();
    private final Histogram direct = LatencyRecorder.newHistogram();
    private final long[] counts = new long[CommandWord.COUNTERS];
    private long checksum = FieldChecksum.START;

    MeterLedger(final RateHandler handler)
    {
        this.handler = handler;
    }

    void onMessage(final RateMessage message)
    {
        handler.onMessage(message);
        final long nowNs = events.time(message.intendedNs());
        if (nowNs != OpenLoop.UNTIMED)
        {
            direct.recordValue(LatencyRecorder.clamp(nowNs - message.sentNs()));
        }
        counts[CommandWord.counter(message.word())]++;
        checksum = message.addTo(checksum);
        events.count();
    }

    /**
     * Counts the events and times them from the intended time to the end of handling.
     *
     * @return the ledger's own meter.
     */
    public EventMeter events()
    {
        return events;
    }

    /**
     * Latencies by the closed formula: from the actual send to the end of handling.
     *
     * @return nanoseconds; the ledger's own histogram.
     */
    public Histogram direct()
    {
        return direct;
    }

    /**
     * The sum over all fields of all events handled.
     *
     * @return as the recorded commands have it.
     */
    public long checksum()
    {
        return checksum;
    }

    /**
     * Result of the handler under test.
     *
     * @return {@link Executions#NONE} when it matches nothing.
     */
    public Executions executions()
    {
        return handler.executions();
    }

    /**
     * Events handled by kind of command.
     *
     * @return one number for each counter of {@link CommandWord}; the ledger's own array.
     */
    public long[] counts()
    {
        return counts;
    }
}

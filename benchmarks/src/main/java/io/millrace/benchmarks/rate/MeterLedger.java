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
    /**
     * A reading of the clock takes a fifth of what the server does for an event. So events with others right behind
     * them share one, read after the last of them: the latencies of the others are up to seven events too long.
     */
    static final int EVENTS_PER_READING = 8;

    private final RateHandler handler;
    private final EventMeter events = new EventMeter();
    private final Histogram direct = LatencyRecorder.newHistogram();
    private final long[] counts = new long[CommandWord.COUNTERS];
    // Handled, and not timed yet.
    private final long[] intendedNs = new long[EVENTS_PER_READING];
    private final long[] sentNs = new long[EVENTS_PER_READING];
    private int untimed;
    private long checksum = FieldChecksum.START;

    MeterLedger(final RateHandler handler)
    {
        this.handler = handler;
    }

    void onMessage(final RateMessage message, final boolean endOfBatch)
    {
        handler.onMessage(message);
        final long intendedAtNs = message.intendedNs();
        if (intendedAtNs != OpenLoop.UNTIMED)
        {
            intendedNs[untimed] = intendedAtNs;
            sentNs[untimed] = message.sentNs();
            untimed++;
        }
        if (untimed == EVENTS_PER_READING || endOfBatch && untimed > 0)
        {
            time();
        }
        counts[CommandWord.counter(message.word())]++;
        checksum = message.addTo(checksum);
        // Also if it is not timed yet: readers wait for the last event published, and with that one all are timed.
        events.count();
    }

    private void time()
    {
        final long nowNs = System.nanoTime();
        for (int i = 0; i < untimed; i++)
        {
            events.record(intendedNs[i], nowNs);
            direct.recordValue(LatencyRecorder.clamp(nowNs - sentNs[i]));
        }
        untimed = 0;
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

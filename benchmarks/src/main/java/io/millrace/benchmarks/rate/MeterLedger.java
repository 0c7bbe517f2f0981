package io.millrace.benchmarks.rate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

import io.millrace.benchmarks.flow.CommandWord;
import io.millrace.benchmarks.flow.FieldChecksum;
import io.millrace.benchmarks.flow.RecordedCommands;
import io.millrace.server.metrics.LatencyRecorder;

import org.HdrHistogram.Histogram;

/**
 * What the handling thread writes down in one round: both latencies of each event, and what the round's answer is
 * checked with. Written by the one thread that made it; allocates nothing once made.
 */
public final class MeterLedger
{
    private static final VarHandle HANDLED;

    static
    {
        try
        {
            HANDLED = MethodHandles.lookup().findVarHandle(MeterLedger.class, "handled", long.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private final RateHandler handler;
    private final Histogram intended = LatencyRecorder.newHistogram();
    private final Histogram direct = LatencyRecorder.newHistogram();
    private final long[] counts = new long[CommandWord.COUNTERS];
    private long checksum = FieldChecksum.START;
    private long lastNs;
    private long handled;

    MeterLedger(final RateHandler handler)
    {
        this.handler = handler;
    }

    void onMessage(final RateMessage message)
    {
        handler.onMessage(message);
        final long intendedNs = message.intendedNs();
        if (intendedNs != RateMessage.UNTIMED)
        {
            final long nowNs = System.nanoTime();
            lastNs = nowNs;
            // Plain histograms: nobody reads them before the round is over.
            intended.recordValue(LatencyRecorder.clamp(nowNs - intendedNs));
            direct.recordValue(LatencyRecorder.clamp(nowNs - message.sentNs()));
        }
        counts[CommandWord.counter(message.word())]++;
        checksum = message.addTo(checksum);
        // Pairs with the acquire load in handled(): who sees the last event counted sees all that was written down.
        HANDLED.setRelease(this, handled + 1);
    }

    long handled()
    {
        return (long)HANDLED.getAcquire(this);
    }

    /**
     * Latencies from the intended time to the end of handling.
     *
     * @return nanoseconds; the ledger's own histogram.
     */
    public Histogram intended()
    {
        return intended;
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
     * @return as {@link RecordedCommands#checksum(long)} has it.
     */
    public long checksum()
    {
        return checksum;
    }

    /**
     * What the handler under test did with the events.
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

    /**
     * When the last timed event had been handled, by {@link System#nanoTime()}.
     *
     * @return nanoseconds; 0 when there was none.
     */
    public long lastNs()
    {
        return lastNs;
    }
}

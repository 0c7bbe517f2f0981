package io.millrace.benchmarks.exchange;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

import io.millrace.benchmarks.rate.ThreadProbe;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.ExecutionKind;
import io.millrace.server.metrics.LatencyRecorder;
import io.millrace.server.pipeline.EventHandler;

import org.HdrHistogram.Histogram;

/**
 * Reads the executions as an application would, and measures: the time of a command is the one at which it was meant to
 * be sent, its latency ends at its RESULT, behind all its executions. A command without a time is only counted.
 * <p>
 * Written by the thread of its stage; allocates nothing after the first result. Others may watch {@link #handled()},
 * and read the rest once that has reached what was published.
 */
final class ExecutionMeter implements EventHandler<ExecutionEvent>
{
    private static final VarHandle HANDLED;

    static
    {
        try
        {
            HANDLED = MethodHandles.lookup().findVarHandle(ExecutionMeter.class, "handled", long.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private ExchangeTally tally;
    private Histogram latencies;
    private long lastNs;
    private long stopAt = Long.MAX_VALUE;
    private long handled;
    private ThreadProbe thread;

    @Override
    public void onEvent(final ExecutionEvent event, final long sequence, final boolean endOfBatch)
    {
        switch (event.kind())
        {
            case ExecutionKind.RESULT:
                onResult(event);
                break;
            case ExecutionKind.TRADE:
                tally.trade(event.size());
                break;
            case ExecutionKind.REJECT:
                tally.reject();
                break;
            default:
                break;
        }
    }

    private void onResult(final ExecutionEvent event)
    {
        if (latencies == null)
        {
            begin();
        }
        if (event.resultCode() != CommandResult.SUCCESS.code())
        {
            tally.refuse();
        }
        final long intendedNs = event.commandTimeNs();
        if (intendedNs != ExchangePace.UNTIMED)
        {
            final long nowNs = System.nanoTime();
            lastNs = nowNs;
            latencies.recordValue(LatencyRecorder.clamp(nowNs - intendedNs));
        }
        final long count = handled + 1;
        if (count == stopAt)
        {
            lastNs = System.nanoTime();
        }
        // Pairs with the acquire load in handled(): who sees the last one counted sees all that was written down.
        HANDLED.setRelease(this, count);
    }

    /** At the first result, which comes before all other executions: the start of a direct flow has another thread. */
    private void begin()
    {
        // Made here, so that what this thread writes for each event lies on no line that another one uses.
        tally = new ExchangeTally();
        latencies = LatencyRecorder.newHistogram();
        thread = ThreadProbe.ofCurrentThread();
    }

    /** Before the command of this number, from 1, is published: look at the clock behind it, timed or not. */
    void stopAt(final long number)
    {
        stopAt = number;
    }

    /** Commands that are done with. */
    long handled()
    {
        return (long)HANDLED.getAcquire(this);
    }

    /** The thread that handles; null before the first result. */
    ThreadProbe thread()
    {
        return thread;
    }

    /** When the last timed command was done with, or the one that was to be looked for. */
    long lastNs()
    {
        return lastNs;
    }

    Histogram latencies()
    {
        return latencies;
    }

    ExchangeTally tally()
    {
        return tally;
    }
}

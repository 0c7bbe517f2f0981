package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.harness.EventMeter;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.ExecutionKind;
import io.millrace.server.pipeline.EventHandler;

/**
 * Reads the executions as an application would, and measures the latency of commands. The latency starts at the time at
 * which the command was scheduled to be sent. It ends at the command's RESULT, after all its other executions. A
 * command without a time is only counted.
 * <p>
 * Written by the thread of its stage; allocates nothing after the first result. Others read it
 * as {@link EventMeter} says.
 */
final class ExecutionMeter implements EventHandler<ExecutionEvent>
{
    private ExchangeTally tally;
    // Volatile: who sees it sees the tally.
    private volatile EventMeter events;

    @Override
    public void onEvent(final ExecutionEvent event, final long sequence, final boolean endOfBatch)
    {
        switch (event.kind())
        {
            case ExecutionKind.RESULT -> onResult(event);
            case ExecutionKind.TRADE -> tally.trade(event.size());
            case ExecutionKind.REJECT -> tally.reject();
            default ->
            {
            }
        }
    }

    private void onResult(final ExecutionEvent event)
    {
        if (tally == null)
        {
            begin();
        }
        if (event.resultCode() != CommandResult.SUCCESS.code())
        {
            tally.refuse();
        }
        final EventMeter meter = events;
        meter.time(event.commandTimeNs());
        meter.count();
    }

    /** At the first result, which comes before all other executions: the start of a direct flow has another thread. */
    private void begin()
    {
        // Made here, so that what this thread writes for each event lies on no line that another one uses.
        tally = new ExchangeTally();
        events = new EventMeter();
    }

    /** Null before the first result; any thread. */
    EventMeter events()
    {
        return events;
    }

    ExchangeTally tally()
    {
        return tally;
    }
}

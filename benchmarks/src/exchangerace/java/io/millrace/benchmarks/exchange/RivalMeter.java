package io.millrace.benchmarks.exchange;

import exchange.core2.core.common.MatcherEventType;
import exchange.core2.core.common.MatcherTradeEvent;
import exchange.core2.core.common.cmd.CommandResultCode;
import exchange.core2.core.common.cmd.OrderCommand;
import exchange.core2.core.common.cmd.OrderCommandType;

import io.millrace.server.metrics.LatencyRecorder;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.ObjLongConsumer;

import org.HdrHistogram.Histogram;

/**
 * Takes exchange-core's results as an application would, and measures as {@link ExecutionMeter} does for ours: the time
 * of a command is the one at which it was meant to be sent; a command without a time is only counted.
 * <p>
 * Written by the thread of the results stage. Others may watch {@link #handled()}, and read the rest once that has
 * reached what was sent.
 */
final class RivalMeter implements ObjLongConsumer<OrderCommand>
{
    private static final VarHandle HANDLED;

    static
    {
        try
        {
            HANDLED = MethodHandles.lookup().findVarHandle(RivalMeter.class, "handled", long.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private final ExchangeTally tally = new ExchangeTally();
    private final Histogram latencies = LatencyRecorder.newHistogram();
    private long lastNs;
    private long stopAt = Long.MAX_VALUE;
    private long handled;

    @Override
    public void accept(final OrderCommand command, final long sequence)
    {
        final OrderCommandType type = command.command;
        if (type == OrderCommandType.MOVE_ORDER || type == OrderCommandType.PLACE_ORDER ||
            type == OrderCommandType.CANCEL_ORDER || type == OrderCommandType.REDUCE_ORDER)
        {
            onOrder(command);
        }
        else if (type == OrderCommandType.ADD_USER || type == OrderCommandType.BALANCE_ADJUSTMENT)
        {
            done(command);
        }
    }

    private void onOrder(final OrderCommand command)
    {
        MatcherTradeEvent event = command.matcherEvent;
        while (event != null)
        {
            if (event.eventType == MatcherEventType.TRADE)
            {
                tally.trade(event.size);
            }
            else if (event.eventType == MatcherEventType.REJECT)
            {
                tally.reject();
            }
            event = event.nextEvent;
        }
        final long intendedNs = command.timestamp;
        if (intendedNs != ExchangePace.UNTIMED)
        {
            final long nowNs = System.nanoTime();
            lastNs = nowNs;
            latencies.recordValue(LatencyRecorder.clamp(nowNs - intendedNs));
        }
        done(command);
    }

    private void done(final OrderCommand command)
    {
        if (command.resultCode != CommandResultCode.SUCCESS)
        {
            tally.refuse();
        }
        final long count = handled + 1;
        if (count == stopAt)
        {
            lastNs = System.nanoTime();
        }
        // Pairs with the acquire load in handled(): who sees the last one counted sees all that was written down.
        HANDLED.setRelease(this, count);
    }

    /** Before the command of this number, from 1, is sent: look at the clock behind it, timed or not. */
    void stopAt(final long number)
    {
        stopAt = number;
    }

    /** Users, balances and order commands that are done with. */
    long handled()
    {
        return (long)HANDLED.getAcquire(this);
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

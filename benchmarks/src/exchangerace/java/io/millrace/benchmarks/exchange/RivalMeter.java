package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.harness.EventMeter;
import exchange.core2.core.common.MatcherEventType;
import exchange.core2.core.common.MatcherTradeEvent;
import exchange.core2.core.common.cmd.CommandResultCode;
import exchange.core2.core.common.cmd.OrderCommand;
import exchange.core2.core.common.cmd.OrderCommandType;

import java.util.function.ObjLongConsumer;

/**
 * Takes exchange-core's results as an application would, and measures as {@link ExecutionMeter} does for ours: the time
 * of a command is the one at which it was meant to be sent; a command without a time is only counted.
 * <p>
 * Written by the thread of the results stage. Other threads may poll {@link EventMeter#handled()} and read the rest
 * once that equals the number of commands sent.
 */
final class RivalMeter implements ObjLongConsumer<OrderCommand>
{
    private final ExchangeTally tally = new ExchangeTally();
    private final EventMeter events = new EventMeter();

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
        events.time(command.timestamp);
        done(command);
    }

    private void done(final OrderCommand command)
    {
        if (command.resultCode != CommandResultCode.SUCCESS)
        {
            tally.refuse();
        }
        events.count();
    }

    EventMeter events()
    {
        return events;
    }

    ExchangeTally tally()
    {
        return tally;
    }
}

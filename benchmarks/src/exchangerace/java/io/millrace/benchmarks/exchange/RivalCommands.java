package io.millrace.benchmarks.exchange;

import exchange.core2.core.common.OrderAction;
import exchange.core2.core.common.OrderType;
import exchange.core2.core.common.api.ApiCancelOrder;
import exchange.core2.core.common.api.ApiCommand;
import exchange.core2.core.common.api.ApiMoveOrder;
import exchange.core2.core.common.api.ApiPlaceOrder;
import exchange.core2.core.common.api.ApiReduceOrder;

import io.millrace.engine.CommandType;
import io.millrace.engine.book.Side;

/**
 * A flow's commands as objects of exchange-core's API, made beforehand as its own benchmarks do. Stateless.
 */
final class RivalCommands
{
    private RivalCommands()
    {
    }

    static ApiCommand[] of(final ExchangeFlow flow)
    {
        final ApiCommand[] commands = new ApiCommand[flow.count()];
        for (int i = 0; i < commands.length; i++)
        {
            commands[i] = command(flow, i);
        }
        return commands;
    }

    private static ApiCommand command(final ExchangeFlow flow, final int i)
    {
        final long orderId = flow.orderId(i);
        final long uid = flow.uid(i);
        final int symbol = flow.symbol(i);
        return switch (flow.type(i))
        {
            case CommandType.PLACE -> new ApiPlaceOrder(flow.price(i), flow.size(i), orderId,
                flow.side(i) == Side.BID ? OrderAction.BID : OrderAction.ASK, orderType(flow.orderType(i)), uid,
                symbol, 0, flow.reserve(i));
            case CommandType.CANCEL -> new ApiCancelOrder(orderId, uid, symbol);
            case CommandType.REDUCE -> new ApiReduceOrder(orderId, uid, symbol, flow.size(i));
            default -> new ApiMoveOrder(orderId, flow.price(i), uid, symbol);
        };
    }

    private static OrderType orderType(final byte type)
    {
        return type == io.millrace.engine.book.OrderType.GTC ? OrderType.GTC :
            type == io.millrace.engine.book.OrderType.IOC ? OrderType.IOC : OrderType.FOK_BUDGET;
    }
}

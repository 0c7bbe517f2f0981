package io.millrace.engine;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ListenerGuard;
import io.millrace.engine.book.OrderConsumer;
import io.millrace.engine.book.PriceLevelConsumer;
import io.millrace.engine.book.Side;
import io.millrace.engine.risk.RiskEngine;
import io.millrace.engine.risk.TotalsConsumer;
import io.millrace.engine.risk.UserReportConsumer;

/**
 * The reports of an engine. A command that a consumer gives to the engine is refused. Used by the engine's thread only.
 */
final class EngineReports
{
    private final OrderReader orders = new OrderReader();
    private final ListenerGuard guard;
    private final SymbolTable symbols;
    /** Null when the engine keeps no users. */
    private final RiskEngine risk;

    EngineReports(final ListenerGuard guard, final SymbolTable symbols, final RiskEngine risk)
    {
        this.guard = guard;
        this.symbols = symbols;
        this.risk = risk;
    }

    /** Levels of a book: bids, then asks. */
    CommandResult book(final TradedSymbol symbol, final int depth, final PriceLevelConsumer consumer)
    {
        if (symbol == null)
        {
            return CommandResult.UNKNOWN_SYMBOL;
        }
        ListenerGuard.enter(guard);
        try
        {
            symbol.book.forEachLevel(Side.BID, depth, consumer);
            symbol.book.forEachLevel(Side.ASK, depth, consumer);
            return CommandResult.SUCCESS;
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    /** An order of a user. */
    CommandResult order(
        final TradedSymbol symbol, final long orderId, final long uid, final OrderConsumer consumer)
    {
        if (symbol == null)
        {
            return CommandResult.UNKNOWN_SYMBOL;
        }
        ListenerGuard.enter(guard);
        try
        {
            return symbol.book.isOrderOf(orderId, uid) && symbol.book.withOrder(orderId, consumer) ?
                CommandResult.SUCCESS : CommandResult.UNKNOWN_ORDER;
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    /** Open orders of a user in a symbol. */
    CommandResult orders(
        final TradedSymbol symbol,
        final long uid,
        final long fromId,
        final int maxOrders,
        final OrderConsumer consumer)
    {
        if (symbol == null)
        {
            return CommandResult.UNKNOWN_SYMBOL;
        }
        ListenerGuard.enter(guard);
        try
        {
            symbol.book.forEachOpenOrder(uid, fromId, maxOrders, consumer);
            return CommandResult.SUCCESS;
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    /** Accounts, positions and open orders of a user. */
    CommandResult user(final long uid, final UserReportConsumer consumer)
    {
        ListenerGuard.enter(guard);
        try
        {
            final CommandResult result = accounts(uid, consumer);
            for (int i = 0; result == CommandResult.SUCCESS && i < symbols.count(); i++)
            {
                orders.report(symbols.at(i).book, uid, consumer);
            }
            return result;
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    /** Accounts and positions of a user. */
    CommandResult accounts(final long uid, final UserReportConsumer consumer)
    {
        if (risk == null || risk.user(uid) == RiskEngine.NONE)
        {
            return risk == null ? CommandResult.NO_RISK : CommandResult.UNKNOWN_USER;
        }
        ListenerGuard.enter(guard);
        try
        {
            risk.report(risk.user(uid), consumer);
            return CommandResult.SUCCESS;
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }

    /** Totals of all currencies and futures. */
    CommandResult totals(final TotalsConsumer consumer)
    {
        if (risk == null)
        {
            return CommandResult.NO_RISK;
        }
        ListenerGuard.enter(guard);
        try
        {
            risk.totals(consumer);
            return CommandResult.SUCCESS;
        }
        finally
        {
            ListenerGuard.leave(guard);
        }
    }
}

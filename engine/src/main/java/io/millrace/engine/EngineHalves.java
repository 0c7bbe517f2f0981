package io.millrace.engine;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ExecutionListener;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.risk.RiskEngine;

/**
 * What a {@link MatchingEngine}'s commands about orders are made of: what admits each and what carries it out. {@link
 * CommandHalves} has them apart, for stages. One thread.
 */
abstract class EngineHalves extends EngineState
{
    private static final CommandResult SUCCESS = CommandResult.SUCCESS;

    EngineHalves(final MatchingEngine.Context context, final ExecutionListener listener)
    {
        super(context, listener);
    }

    /** Handle of a user; NONE also where no users are kept. */
    int user(final long uid)
    {
        return risk == null ? RiskEngine.NONE : risk.user(uid);
    }

    /** The first half of a placement: all checks, and what the order may cost is put aside. */
    CommandResult admitPlace(
        final TradedSymbol found,
        final int user,
        final byte type,
        final byte side,
        final byte selfTrade,
        final long orderId,
        final long price,
        final long size,
        final long reservePrice,
        final long parameter)
    {
        if (risk != null && user == RiskEngine.NONE)
        {
            return CommandResult.UNKNOWN_USER;
        }
        final CommandResult admitted = admit(found, user, OrderType.rests(type));
        if (admitted != SUCCESS)
        {
            return admitted;
        }
        final CommandResult checked = found.book.check(type, side, selfTrade, orderId, price, size, parameter);
        if (checked != SUCCESS)
        {
            return checked;
        }
        if (type == OrderType.GTD && parameter <= timeNs)
        {
            return CommandResult.WRONG_EXPIRY;
        }
        return risk == null ? SUCCESS : found.risk.hold(user, type, side, orderId, price, size, reservePrice);
    }

    /** The second half of a placement that was admitted: it matches, settles and is counted. */
    void carryOutPlace(
        final TradedSymbol found,
        final int user,
        final byte type,
        final byte side,
        final byte selfTrade,
        final long orderId,
        final long uid,
        final long price,
        final long size,
        final long reservePrice,
        final long parameter)
    {
        found.book.accept(type, side, selfTrade, orderId, uid, price, size, reservePrice, parameter);
        if (risk != null)
        {
            if (type == OrderType.GTD)
            {
                expiries.add(found, parameter);
            }
            found.risk.end();
            risk.count(user, timeNs);
        }
    }

    /** Whether a command may do anything but make an order smaller, whoever gives it. */
    static CommandResult admit(final TradedSymbol symbol)
    {
        return symbol == null ? CommandResult.UNKNOWN_SYMBOL :
            symbol.isHalted ? CommandResult.SYMBOL_HALTED : SUCCESS;
    }

    private CommandResult admit(final TradedSymbol symbol, final int user, final boolean opensOrder)
    {
        final CommandResult admitted = admit(symbol);
        return admitted != SUCCESS || user == RiskEngine.NONE ? admitted : risk.admit(user, timeNs, opensOrder);
    }

    /** Whether a command may change an order. Its user counts where the rate is limited only. */
    CommandResult admitChange(final TradedSymbol symbol, final long uid)
    {
        return limitsRate ? admit(symbol, user(uid), false) : admit(symbol);
    }

    /** The first half of a REPLACE: what the order may grow by is put aside. */
    CommandResult admitReplace(
        final TradedSymbol found,
        final int user,
        final long orderId,
        final long uid,
        final long newPrice,
        final long newSize)
    {
        final CommandResult admitted = admit(found, user, false);
        if (admitted != SUCCESS || user == RiskEngine.NONE)
        {
            return admitted;
        }
        final CommandResult checked = found.book.checkReplace(orderId, uid, newPrice, newSize);
        return checked == SUCCESS ? orders.holdGrowth(found, user, orderId, newSize) : checked;
    }

    /** Count a command that was let through, if it succeeded. */
    CommandResult count(final long uid, final CommandResult result)
    {
        final int user = limitsRate && result == SUCCESS ? user(uid) : RiskEngine.NONE;
        if (user != RiskEngine.NONE)
        {
            risk.count(user, timeNs);
        }
        return result;
    }
}

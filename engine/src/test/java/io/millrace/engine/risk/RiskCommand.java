package io.millrace.engine.risk;

import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.CommandResult;

/** A command of an engine with users, as drawn by {@link RandomRiskCommands}. */
final class RiskCommand
{
    /** What it asks for. */
    enum Kind
    {
        PLACE, CANCEL, MASS_CANCEL, MASS_CANCEL_USER, MASS_CANCEL_SYMBOL, REDUCE, MOVE, REPLACE, REPLACE_OPEN,
        ADD_USER, ADJUST, SUSPEND, RESUME, HALT, RESUME_SYMBOL, TICK
    }

    Kind kind;
    int symbol;
    byte type;
    byte side;
    byte selfTrade;
    long orderId;
    long uid;
    /** Also the amount of an adjustment. */
    long price;
    /** Also the id of an adjustment. */
    long size;
    long reserve;
    long parameter;
    int currency;
    long timeNs;

    /** Whether it names no symbol. */
    boolean isOfUser()
    {
        return kind == Kind.ADD_USER || kind == Kind.ADJUST || kind == Kind.SUSPEND || kind == Kind.RESUME;
    }

    /** Whether it may trade, so that a rate limit counts it and a halt refuses it. */
    boolean mayTrade()
    {
        return kind == Kind.PLACE || isChange() || kind == Kind.MOVE;
    }

    boolean isChange()
    {
        return kind == Kind.REPLACE || kind == Kind.REPLACE_OPEN;
    }

    /** Whether it is about orders. */
    boolean isOfOrders()
    {
        return kind.compareTo(Kind.REPLACE_OPEN) <= 0;
    }

    BookCommand placement()
    {
        return new BookCommand().place(type, side).selfTradePolicy(selfTrade).orderId(orderId).uid(uid).price(price)
            .size(size).reservePrice(reserve).parameter(parameter);
    }

    CommandResult giveTo(final MatchingEngine engine)
    {
        engine.time(timeNs);
        return switch (kind)
        {
            case PLACE -> engine.execute(symbol, placement());
            case CANCEL -> engine.cancel(symbol, orderId, uid);
            case REDUCE -> engine.reduce(symbol, orderId, uid, size);
            case MOVE -> engine.move(symbol, orderId, uid, price);
            case REPLACE -> engine.replace(symbol, orderId, uid, price, size);
            case REPLACE_OPEN -> engine.replaceOpen(symbol, orderId, uid, price, size);
            case MASS_CANCEL -> engine.massCancel(symbol, uid, side);
            case MASS_CANCEL_USER -> engine.massCancelUser(uid, side);
            case MASS_CANCEL_SYMBOL -> engine.massCancelSymbol(symbol, side);
            case ADD_USER -> engine.addUser(uid);
            case ADJUST -> engine.adjustBalance(uid, currency, price, size);
            case SUSPEND -> engine.suspendUser(uid);
            case RESUME -> engine.resumeUser(uid);
            case HALT -> engine.haltSymbol(symbol);
            case RESUME_SYMBOL -> engine.resumeSymbol(symbol);
            default -> engine.tick(timeNs);
        };
    }

    @Override
    public String toString()
    {
        return kind + " symbol " + symbol + " type " + type + " side " + side + " policy " + selfTrade + " id " +
            orderId + " uid " + uid + " price/amount " + price + " size/adjustment " + size + " reserve " + reserve +
            " parameter " + parameter + " currency " + currency + " time " + timeNs;
    }
}

package io.millrace.engine;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.SelfTradePolicy;
import io.millrace.engine.book.Side;

import java.util.Objects;

/**
 * The commands of an engine about orders, each in two halves: what admits it and what carries it out. Both together are
 * what the {@link MatchingEngine} does, by the same code.
 * <p>
 * For a stage that checks and a stage that matches, on threads of their own: the engine with all that it has passes
 * from one to the other between the halves and back after them, with a happens-before edge each way, and only one of
 * them touches it at a time. Between the halves of a command nothing else may be asked of the engine. What was admitted
 * has to be carried out, because money may have been put aside for it.
 */
public final class CommandHalves
{
    private static final CommandResult SUCCESS = CommandResult.SUCCESS;

    private final MatchingEngine engine;

    /**
     * The halves of an engine's commands.
     *
     * @param engine the engine; it may be used by itself, too, but not in the middle of a command.
     */
    public CommandHalves(final MatchingEngine engine)
    {
        this.engine = Objects.requireNonNull(engine, "engine");
    }

    /** The symbol, after {@link EngineState#find} has done what the time asks for. */
    private TradedSymbol admitted(final int symbol)
    {
        return engine.symbols.find(symbol);
    }

    /**
     * First half of {@link MatchingEngine#place(int, byte, byte, byte, long, long, long, long, long, long)}.
     *
     * @param symbol       the symbol.
     * @param type         see {@link io.millrace.engine.book.OrderType}.
     * @param side         see {@link Side}.
     * @param selfTrade    see {@link SelfTradePolicy}.
     * @param orderId      the order.
     * @param uid          its user.
     * @param price        limit in price steps, or budget.
     * @param size         lots.
     * @param reservePrice in price steps.
     * @param parameter    stop price, display size or expiry time.
     * @return SUCCESS: to be carried out; or what place answers, and it is over.
     */
    public CommandResult admitPlace(
        final int symbol,
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
        final TradedSymbol found = engine.find(symbol);
        return engine.admitPlace(
            found, engine.user(uid), type, side, selfTrade, orderId, price, size, reservePrice, parameter);
    }

    /**
     * Second half of a placement, with the numbers of the first.
     *
     * @param symbol       the symbol.
     * @param type         see {@link io.millrace.engine.book.OrderType}.
     * @param side         see {@link Side}.
     * @param selfTrade    see {@link SelfTradePolicy}.
     * @param orderId      the order.
     * @param uid          its user.
     * @param price        limit in price steps, or budget.
     * @param size         lots.
     * @param reservePrice in price steps.
     * @param parameter    stop price, display size or expiry time.
     * @return SUCCESS.
     */
    public CommandResult carryOutPlace(
        final int symbol,
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
        engine.carryOutPlace(admitted(symbol), engine.user(uid), type, side, selfTrade, orderId, uid, price, size,
            reservePrice, parameter);
        return SUCCESS;
    }

    /**
     * First half of {@link MatchingEngine#cancel} and {@link MatchingEngine#reduce}: which book.
     *
     * @param symbol the symbol.
     * @return SUCCESS: to be carried out; UNKNOWN_SYMBOL: it is over.
     */
    public CommandResult admitCancel(final int symbol)
    {
        return engine.find(symbol) == null ? CommandResult.UNKNOWN_SYMBOL : SUCCESS;
    }

    /**
     * Second half of a CANCEL.
     *
     * @param symbol  the symbol.
     * @param orderId the order.
     * @param uid     its user.
     * @return SUCCESS or what the book answers.
     */
    public CommandResult carryOutCancel(final int symbol, final long orderId, final long uid)
    {
        return admitted(symbol).book.cancel(orderId, uid);
    }

    /**
     * Second half of a REDUCE, of which {@link #admitCancel} is the first.
     *
     * @param symbol   the symbol.
     * @param orderId  the order.
     * @param uid      its user.
     * @param reduceBy lots.
     * @return SUCCESS or what the book answers.
     */
    public CommandResult carryOutReduce(final int symbol, final long orderId, final long uid, final long reduceBy)
    {
        return admitted(symbol).book.reduce(orderId, uid, reduceBy);
    }

    /**
     * First half of {@link MatchingEngine#move}.
     *
     * @param symbol the symbol.
     * @param uid    the order's user.
     * @return SUCCESS: to be carried out; or what move answers before it asks the book, and it is over.
     */
    public CommandResult admitMove(final int symbol, final long uid)
    {
        final TradedSymbol found = engine.find(symbol);
        return engine.admitChange(found, uid);
    }

    /**
     * Second half of a MOVE.
     *
     * @param symbol   the symbol.
     * @param orderId  the order.
     * @param uid      its user.
     * @param newPrice its new limit, in price steps.
     * @return SUCCESS or what the book answers.
     */
    public CommandResult carryOutMove(final int symbol, final long orderId, final long uid, final long newPrice)
    {
        return engine.count(uid, admitted(symbol).book.move(orderId, uid, newPrice));
    }

    /**
     * First half of {@link MatchingEngine#replace}.
     *
     * @param symbol   the symbol.
     * @param orderId  the order.
     * @param uid      its user.
     * @param newPrice its new limit, in price steps.
     * @param newSize  its new size with what is filled, in lots.
     * @return SUCCESS: to be carried out; or what replace answers, and it is over.
     */
    public CommandResult admitReplace(
        final int symbol, final long orderId, final long uid, final long newPrice, final long newSize)
    {
        final TradedSymbol found = engine.find(symbol);
        return engine.admitReplace(found, engine.user(uid), orderId, uid, newPrice, newSize);
    }

    /**
     * Second half of a REPLACE, with the numbers of the first.
     *
     * @param symbol   the symbol.
     * @param orderId  the order.
     * @param uid      its user.
     * @param newPrice its new limit, in price steps.
     * @param newSize  its new size with what is filled, in lots.
     * @return SUCCESS; without users, or of a user that is not known, also what the book answers.
     */
    public CommandResult carryOutReplace(
        final int symbol, final long orderId, final long uid, final long newPrice, final long newSize)
    {
        return engine.count(uid, admitted(symbol).book.replace(orderId, uid, newPrice, newSize));
    }
}

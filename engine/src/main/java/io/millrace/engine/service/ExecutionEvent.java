package io.millrace.engine.service;

import io.millrace.engine.book.CommandResult;
import io.millrace.pool.BasePoolAware;

import java.util.List;

/**
 * A pooled event of the {@link MatchingService}: an execution, or the result of a command. Each command gives its
 * executions in the order in which they happened, then one RESULT.
 * <pre>
 *                     TRADE            REJECT        REDUCE         RESULT
 *  commandSequence    x                x             x              x
 *  symbol             x                x             x              x      as the command said it
 *  orderId, uid       the taker's      the order's   the order's    as the command said them
 *  side               the taker's      the order's   the order's
 *  completed          taker is filled  true          nothing is left
 *  makerOrderId, makerUid, makerCompleted
 *                     x
 *  price              the maker's      the command's the order's           in price steps
 *  size               traded           rejected      taken off             in lots
 *  bidReservePrice    the bid's        the order's   the order's           in price steps
 *  result                                                           x
 *  executionCount                                                   events of the command before this one
 * </pre>
 * What has no mark is 0 or false, never what the event's last use left. Only the service fills it; whoever is handed it
 * reads it until the handler returns.
 */
public final class ExecutionEvent extends BasePoolAware
{
    private static final List<CommandResult> RESULTS = List.of(CommandResult.values());

    private int symbol;
    private int executionCount;
    private byte kind;
    private byte side;
    private byte resultCode;
    private boolean completed;
    private boolean makerCompleted;
    private long commandSequence;
    private long orderId;
    private long uid;
    private long makerOrderId;
    private long makerUid;
    private long price;
    private long size;
    private long bidReservePrice;

    /**
     * An event that nobody filled.
     */
    public ExecutionEvent()
    {
    }

    void trade(
        final long makerOrder,
        final long makerUser,
        final boolean makerIsCompleted,
        final long takerOrder,
        final long takerUser,
        final byte takerSide,
        final boolean takerIsCompleted,
        final long tradePrice,
        final long tradeSize,
        final long bidReserve)
    {
        kind = ExecutionKind.TRADE;
        side = takerSide;
        completed = takerIsCompleted;
        makerCompleted = makerIsCompleted;
        orderId = takerOrder;
        uid = takerUser;
        makerOrderId = makerOrder;
        makerUid = makerUser;
        price = tradePrice;
        size = tradeSize;
        bidReservePrice = bidReserve;
        resultCode = 0;
        executionCount = 0;
    }

    /** A REJECT or a REDUCE. */
    void loss(
        final byte newKind,
        final long order,
        final long user,
        final byte orderSide,
        final long orderPrice,
        final long lostSize,
        final boolean isCompleted,
        final long reserve)
    {
        kind = newKind;
        side = orderSide;
        completed = isCompleted;
        makerCompleted = false;
        orderId = order;
        uid = user;
        makerOrderId = 0;
        makerUid = 0;
        price = orderPrice;
        size = lostSize;
        bidReservePrice = reserve;
        resultCode = 0;
        executionCount = 0;
    }

    void result(final long order, final long user, final CommandResult commandResult, final int executions)
    {
        loss(ExecutionKind.RESULT, order, user, (byte)0, 0, 0, false, 0);
        resultCode = commandResult.code();
        executionCount = executions;
    }

    void of(final long sequence, final int commandSymbol)
    {
        checkLive();
        commandSequence = sequence;
        symbol = commandSymbol;
    }

    /**
     * What it tells.
     *
     * @return see {@link ExecutionKind}.
     */
    public byte kind()
    {
        return kind;
    }

    /**
     * Sequence of the command in its pipeline: the same for all events of one command, and greater for later commands.
     *
     * @return from 0; a number is missing where a command was claimed and not published.
     */
    public long commandSequence()
    {
        return commandSequence;
    }

    /**
     * Symbol of the command.
     *
     * @return its number.
     */
    public int symbol()
    {
        return symbol;
    }

    /**
     * The order that the command was about: of a TRADE the taker.
     *
     * @return the order's id.
     */
    public long orderId()
    {
        return orderId;
    }

    /**
     * User of {@link #orderId()}.
     *
     * @return the user's id.
     */
    public long uid()
    {
        return uid;
    }

    /**
     * Side of {@link #orderId()}.
     *
     * @return see {@link io.millrace.engine.book.Side}; 0 for a RESULT.
     */
    public byte side()
    {
        return side;
    }

    /**
     * Of a TRADE whether the taker, {@link #orderId()}, is filled: never when a part of it was rejected. Of a REDUCE
     * whether nothing is left of the order.
     *
     * @return true for a REJECT, though trades of the other part may follow; false for a RESULT.
     */
    public boolean isCompleted()
    {
        return completed;
    }

    /**
     * The order that rested.
     *
     * @return its id; 0 unless this is a TRADE.
     */
    public long makerOrderId()
    {
        return makerOrderId;
    }

    /**
     * User of {@link #makerOrderId()}.
     *
     * @return the user's id; 0 unless this is a TRADE.
     */
    public long makerUid()
    {
        return makerUid;
    }

    /**
     * Whether nothing is left of {@link #makerOrderId()}; it is out of the book then.
     *
     * @return false unless this is a TRADE.
     */
    public boolean isMakerCompleted()
    {
        return makerCompleted;
    }

    /**
     * At which price.
     *
     * @return of a TRADE the maker's, of a REJECT the command's limit or budget (0 for MARKET), of a REDUCE the
     * order's, in price steps; 0 for a RESULT.
     */
    public long price()
    {
        return price;
    }

    /**
     * How much was traded, rejected or taken off.
     *
     * @return in lots; 0 for a RESULT.
     */
    public long size()
    {
        return size;
    }

    /**
     * Reserve price of the bid of a TRADE, or of the order of a REJECT or REDUCE.
     *
     * @return in price steps; 0 for a RESULT.
     */
    public long bidReservePrice()
    {
        return bidReservePrice;
    }

    /**
     * What became of the command. Of a RESULT only.
     *
     * @return see {@link CommandResult#code()}; 0 unless this is a RESULT.
     */
    public byte resultCode()
    {
        return resultCode;
    }

    /**
     * What became of the command. Of a RESULT only.
     *
     * @return {@link #resultCode()} as the constant.
     */
    public CommandResult result()
    {
        return RESULTS.get(resultCode);
    }

    /**
     * How many executions the command had: so many events of its sequence came before it, but for lost ones.
     *
     * @return number of events; 0 unless this is a RESULT.
     */
    public int executionCount()
    {
        return executionCount;
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public String toString()
    {
        final String what = ExecutionKind.name(kind) + " of command " + commandSequence + " symbol " + symbol +
            " order " + orderId + " uid " + uid;
        return kind == ExecutionKind.RESULT ? what + " " + result() + " executions " + executionCount :
            what + " side " + side + " price " + price + " size " + size + " completed " + completed +
            " maker " + makerOrderId + " uid " + makerUid + " completed " + makerCompleted +
            " bid reserve " + bidReservePrice;
    }
}

package io.millrace.engine.service;

import io.millrace.engine.book.CommandResult;

import java.util.List;

/**
 * A pooled event of the {@link MatchingService}: an execution, a row of a report, or the result of a command. Each
 * command gives its executions in the order in which they happened, or its report's rows, then one RESULT.
 * <pre>
 *                   TRADE           REJECT       REDUCE       TRIGGER      RESULT
 *  commandSequence, commandTimeNs
 *                   x               x            x            x            x     of the command
 *  symbol           x               x            x            x            x     as the command said it
 *  orderId, uid     the taker's     the order's  the order's  the order's  as the command said them
 *  side             the taker's     the order's  the order's  the order's  to go on with, if there is more
 *  completed        taker is filled true         nothing is left
 *  makerOrderId, makerUid, makerCompleted
 *                   x
 *  price            the maker's     the command's the order's the stop price where to go on, if there is more
 *  size             traded          rejected     taken off                 levels told of that side, if there is more
 *  bidReservePrice  the bid's       the order's  the order's  the order's  levelSequence, of ORDER_BOOK_REQUEST
 *  result                                                                  x
 *  count                                                                   events of the command before this one
 *  more                                                                    the report has more rows
 *
 *                   LEVEL      ACCOUNT   POSITION        ORDER      TOTAL     HASH       OPEN_INTEREST
 *  symbol           x          currency  x               x          currency             x
 *  orderId                                               x          adjusted
 *  uid                         x         x               x
 *  side             x                    its direction   x
 *  makerOrderId                          pendingSell     filled     cash
 *  makerUid                              pendingBuy      parameter
 *  price            x                    openPriceSum    x          fees
 *  size             volume     balance   openVolume      x          balances  stateHash  longs
 *  bidReservePrice             held      profit          reserve    holds                shorts
 *  count            orderCount                           orderType, selfTradePolicy
 * </pre>
 * Prices are in price steps, sizes in lots, money in units of its currency. What has no mark is 0 or false, never what
 * the event's last use left. A reader named for one kind ({@link #volume()}, {@link #balance()}) gives the field's
 * number for all: look at {@link #kind()} first. Only the service and decoders fill it; whoever is handed it reads it
 * until the handler returns.
 */
public final class ExecutionEvent extends ExecutionFields
{
    private static final List<CommandResult> RESULTS = List.of(CommandResult.values());

    /**
     * An event that nobody filled.
     */
    public ExecutionEvent()
    {
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
     * Time that the command said.
     *
     * @return in nanoseconds of the publishers' clock; 0 when it said none.
     */
    public long commandTimeNs()
    {
        return commandTimeNs;
    }

    /**
     * Symbol of the command, or of the row; of an execution of TICK, which names none, that of its book.
     *
     * @return its number.
     */
    public int symbol()
    {
        return symbol;
    }

    /**
     * The order that the event is about: of a TRADE the taker.
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
     * Side of {@link #orderId()}; of a RESULT with {@link #hasMore()}, the side to go on with.
     *
     * @return see {@link io.millrace.engine.book.Side}.
     */
    public byte side()
    {
        return side;
    }

    /**
     * Of a TRADE whether the taker, {@link #orderId()}, is filled: never when a part of it was rejected. Of a REDUCE
     * whether nothing is left of the order.
     *
     * @return true for a REJECT, though trades of the other part may follow; false for all other kinds.
     */
    public boolean isCompleted()
    {
        return completed;
    }

    /**
     * The order that rested.
     *
     * @return its id; 0 unless this is a TRADE, or a row that has the field.
     */
    public long makerOrderId()
    {
        return makerOrderId;
    }

    /**
     * User of {@link #makerOrderId()}.
     *
     * @return the user's id; 0 unless this is a TRADE, or a row that has the field.
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
     * @return of a TRADE the maker's, of a REJECT the command's limit or budget (0 for MARKET and STOP), of a REDUCE
     * the order's (0 for a STOP), of a TRIGGER the stop price, in price steps.
     */
    public long price()
    {
        return price;
    }

    /**
     * How much was traded, rejected or taken off.
     *
     * @return in lots.
     */
    public long size()
    {
        return size;
    }

    /**
     * Reserve price of the bid of a TRADE, or of the order of a REJECT, REDUCE, TRIGGER or ORDER.
     *
     * @return in price steps.
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
     * Of a RESULT how many events the command had: so many of its sequence came before it, but for lost ones.
     *
     * @return number of events.
     */
    public int executionCount()
    {
        return count;
    }

    /**
     * Of the RESULT of a report whether it has more rows than one command gives. The same command again, {@linkplain
     * OrderCommand#goOn going on} from here, gives the next ones.
     *
     * @return false for all other kinds and commands.
     */
    public boolean hasMore()
    {
        return more;
    }

    /**
     * Of a RESULT that {@linkplain #hasMore() has more}, where to go on.
     *
     * @return price of the next command.
     */
    public long next()
    {
        return price;
    }

    /**
     * Of a RESULT that {@linkplain #hasMore() has more}, how many levels of {@link #side()} were told so far.
     *
     * @return order id of the next command; 0 for other reports.
     */
    public long told()
    {
        return size;
    }

    /**
     * Of the RESULT of an ORDER_BOOK_REQUEST, up to which message of market data about levels its rows have everything.
     *
     * @return see {@link io.millrace.engine.book.OrderBook#levelSequence()}.
     */
    public long levelSequence()
    {
        return bidReservePrice;
    }

    /**
     * The one number of the kind.
     *
     * @return see {@link #executionCount()} and {@link #orderCount()}; 0 for all other kinds.
     */
    public int count()
    {
        return count;
    }

    /**
     * Of a LEVEL how many orders rest there.
     *
     * @return number of orders.
     */
    public int orderCount()
    {
        return count;
    }

    /**
     * Of a LEVEL how much its orders show.
     *
     * @return in lots.
     */
    public long volume()
    {
        return size;
    }

    /**
     * Of an ACCOUNT or a TOTAL which currency.
     *
     * @return its number.
     */
    public int currency()
    {
        return symbol;
    }

    /**
     * Of an ACCOUNT what the user can spend: what is {@link #held()} is not in it.
     *
     * @return in units of the currency.
     */
    public long balance()
    {
        return size;
    }

    /**
     * Of an ACCOUNT what spot orders hold.
     *
     * @return in units of the currency.
     */
    public long held()
    {
        return bidReservePrice;
    }

    /**
     * Of a POSITION how large it is; its direction is {@link #side()}.
     *
     * @return in lots, 0 or more.
     */
    public long openVolume()
    {
        return size;
    }

    /**
     * Of a POSITION the sum of price times size at which it was opened.
     *
     * @return in price steps times lots.
     */
    public long openPriceSum()
    {
        return price;
    }

    /**
     * Of a POSITION what was realised and is not in the account yet.
     *
     * @return see {@code docs/risk.md}.
     */
    public long profit()
    {
        return bidReservePrice;
    }

    /**
     * Of a POSITION how much its open asks would sell.
     *
     * @return in lots.
     */
    public long pendingSell()
    {
        return makerOrderId;
    }

    /**
     * Of a POSITION how much its open bids would buy.
     *
     * @return in lots.
     */
    public long pendingBuy()
    {
        return makerUid;
    }

    /**
     * Of an ORDER how much of it has traded.
     *
     * @return in lots.
     */
    public long filled()
    {
        return makerOrderId;
    }

    /**
     * Of a TOTAL the sum of all balances.
     *
     * @return see {@link io.millrace.engine.risk.TotalsConsumer}; with holds, cash and fees it is {@link #adjusted()}.
     */
    public long balances()
    {
        return size;
    }

    /**
     * Of a TOTAL the sum of all that is held.
     *
     * @return in units of the currency.
     */
    public long holds()
    {
        return bidReservePrice;
    }

    /**
     * Of a TOTAL what the trades of open positions have brought in.
     *
     * @return in units of the currency.
     */
    public long cash()
    {
        return makerOrderId;
    }

    /**
     * Of a TOTAL what the fees have earned.
     *
     * @return in units of the currency.
     */
    public long fees()
    {
        return price;
    }

    /**
     * Of a TOTAL the sum of all adjustments.
     *
     * @return in units of the currency.
     */
    public long adjusted()
    {
        return orderId;
    }

    /**
     * Of an OPEN_INTEREST the lots of all long positions.
     *
     * @return in lots.
     */
    public long longs()
    {
        return size;
    }

    /**
     * Of an OPEN_INTEREST the lots of all short positions.
     *
     * @return in lots, as many.
     */
    public long shorts()
    {
        return bidReservePrice;
    }

    /**
     * Of a HASH the hash.
     *
     * @return 64 bits.
     */
    public long stateHash()
    {
        return size;
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public String toString()
    {
        final String what = ExecutionKind.name(kind) + " of command " + commandSequence + " symbol " + symbol +
            " order " + orderId + " uid " + uid;
        return kind == ExecutionKind.RESULT ?
            what + " " + result() + " executions " + count + (more ? " more from " + side + " " + price : "") :
            what + " side " + side + " price " + price + " size " + size + " completed " + completed +
            " maker " + makerOrderId + " uid " + makerUid + " completed " + makerCompleted +
            " bid reserve " + bidReservePrice + " count " + count;
    }
}

package io.millrace.engine.service;

import io.millrace.engine.book.CommandResult;
import io.millrace.pool.BasePoolAware;

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
public final class ExecutionEvent extends BasePoolAware
{
    private static final List<CommandResult> RESULTS = List.of(CommandResult.values());
    /** Of an ORDER's count: the type is in the byte below. */
    private static final int POLICY_SHIFT = 8;

    private int symbol;
    private int count;
    private byte kind;
    private byte side;
    private byte resultCode;
    private boolean completed;
    private boolean makerCompleted;
    private boolean more;
    private long commandSequence;
    private long commandTimeNs;
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

    /**
     * Set every field as it came, for decoders. The names are those that the fields have for a TRADE and a RESULT; what
     * they are for other kinds stands in the table of {@link ExecutionEvent}.
     *
     * @param kind            see {@link ExecutionKind}.
     * @param side            see {@link io.millrace.engine.book.Side}.
     * @param resultCode      code of a {@link CommandResult}, which must be one.
     * @param completed       see {@link ExecutionEvent#isCompleted()}.
     * @param makerCompleted  see {@link ExecutionEvent#isMakerCompleted()}.
     * @param more            see {@link ExecutionEvent#hasMore()}.
     * @param symbol          see {@link ExecutionEvent#symbol()}.
     * @param count           see {@link ExecutionEvent#count()}.
     * @param commandSequence see {@link ExecutionEvent#commandSequence()}.
     * @param commandTimeNs   see {@link ExecutionEvent#commandTimeNs()}.
     * @param orderId         see {@link ExecutionEvent#orderId()}.
     * @param uid             see {@link ExecutionEvent#uid()}.
     * @param makerOrderId    see {@link ExecutionEvent#makerOrderId()}.
     * @param makerUid        see {@link ExecutionEvent#makerUid()}.
     * @param price           see {@link ExecutionEvent#price()}.
     * @param size            see {@link ExecutionEvent#size()}.
     * @param bidReservePrice see {@link ExecutionEvent#bidReservePrice()}.
     */
    public void set(
        final byte kind,
        final byte side,
        final byte resultCode,
        final boolean completed,
        final boolean makerCompleted,
        final boolean more,
        final int symbol,
        final int count,
        final long commandSequence,
        final long commandTimeNs,
        final long orderId,
        final long uid,
        final long makerOrderId,
        final long makerUid,
        final long price,
        final long size,
        final long bidReservePrice)
    {
        of(commandSequence, commandTimeNs, symbol);
        this.kind = kind;
        this.side = side;
        this.resultCode = resultCode;
        this.completed = completed;
        this.makerCompleted = makerCompleted;
        this.more = more;
        this.count = count;
        this.orderId = orderId;
        this.uid = uid;
        this.makerOrderId = makerOrderId;
        this.makerUid = makerUid;
        this.price = price;
        this.size = size;
        this.bidReservePrice = bidReservePrice;
    }

    /** Of which command. The other fillers leave this alone. */
    void of(final long commandSequence, final long commandTimeNs, final int symbol)
    {
        checkLive();
        this.commandSequence = commandSequence;
        this.commandTimeNs = commandTimeNs;
        this.symbol = symbol;
    }

    void trade(
        final long makerOrderId,
        final long makerUid,
        final boolean makerCompleted,
        final long takerOrderId,
        final long takerUid,
        final byte takerSide,
        final boolean takerCompleted,
        final long price,
        final long size,
        final long bidReservePrice)
    {
        kind = ExecutionKind.TRADE;
        side = takerSide;
        completed = takerCompleted;
        this.makerCompleted = makerCompleted;
        orderId = takerOrderId;
        uid = takerUid;
        this.makerOrderId = makerOrderId;
        this.makerUid = makerUid;
        this.price = price;
        this.size = size;
        this.bidReservePrice = bidReservePrice;
        resultCode = 0;
        count = 0;
        more = false;
    }

    /** Everything but a TRADE: without maker, result, count. */
    void loss(
        final byte kind,
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final boolean completed,
        final long reservePrice)
    {
        this.kind = kind;
        this.side = side;
        this.completed = completed;
        makerCompleted = false;
        this.orderId = orderId;
        this.uid = uid;
        makerOrderId = 0;
        makerUid = 0;
        this.price = price;
        this.size = size;
        bidReservePrice = reservePrice;
        resultCode = 0;
        count = 0;
        more = false;
    }

    void result(
        final long orderId, final long uid, final CommandResult result, final int executions, final long levelSequence)
    {
        loss(ExecutionKind.RESULT, orderId, uid, (byte)0, 0, 0, false, levelSequence);
        resultCode = result.code();
        count = executions;
    }

    /** After {@link #result}: the report goes on there. */
    void more(final byte side, final long next, final long told)
    {
        more = true;
        this.side = side;
        price = next;
        size = told;
    }

    void level(final byte side, final long price, final long volume, final int orders)
    {
        loss(ExecutionKind.LEVEL, 0, 0, side, price, volume, false, 0);
        count = orders;
    }

    void account(final long uid, final int currency, final long balance, final long held)
    {
        loss(ExecutionKind.ACCOUNT, 0, uid, (byte)0, 0, balance, false, held);
        symbol = currency;
    }

    void position(
        final int symbol,
        final long uid,
        final byte direction,
        final long volume,
        final long openPriceSum,
        final long profit,
        final long pendingSell,
        final long pendingBuy)
    {
        loss(ExecutionKind.POSITION, 0, uid, direction, openPriceSum, volume, false, profit);
        this.symbol = symbol;
        makerOrderId = pendingSell;
        makerUid = pendingBuy;
    }

    void order(
        final int symbol,
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final long filled,
        final long reservePrice)
    {
        loss(ExecutionKind.ORDER, orderId, uid, side, price, size, false, reservePrice);
        this.symbol = symbol;
        makerOrderId = filled;
    }

    /** After the other one: what the order's command said besides. */
    void order(final byte type, final byte selfTrade, final long parameter)
    {
        makerUid = parameter;
        count = type | selfTrade << POLICY_SHIFT;
    }

    void total(
        final int currency, final long balances, final long held, final long cash, final long fees, final long adjusted)
    {
        loss(ExecutionKind.TOTAL, adjusted, 0, (byte)0, fees, balances, false, held);
        symbol = currency;
        makerOrderId = cash;
    }

    void openInterest(final int future, final long longs, final long shorts)
    {
        loss(ExecutionKind.OPEN_INTEREST, 0, 0, (byte)0, 0, longs, false, shorts);
        symbol = future;
    }

    void hash(final long stateHash)
    {
        loss(ExecutionKind.HASH, 0, 0, (byte)0, 0, stateHash, false, 0);
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
     * Of an ORDER its type. A STOP or a STOP_LIMIT has not triggered: one that has is a GTC.
     *
     * @return see {@link io.millrace.engine.book.OrderType}.
     */
    public byte orderType()
    {
        return (byte)count;
    }

    /**
     * Of an ORDER its self-trade policy.
     *
     * @return see {@link io.millrace.engine.book.SelfTradePolicy}.
     */
    public byte selfTradePolicy()
    {
        return (byte)(count >>> POLICY_SHIFT);
    }

    /**
     * Of an ORDER the number that its type needs besides.
     *
     * @return stop price of a STOP or a STOP_LIMIT, display size of an ICEBERG, expiry time of a GTD; otherwise 0.
     */
    public long parameter()
    {
        return makerUid;
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

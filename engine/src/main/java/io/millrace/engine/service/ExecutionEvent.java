package io.millrace.engine.service;

import io.millrace.engine.book.CommandResult;
import io.millrace.pool.BasePoolAware;

import java.util.List;

/**
 * A pooled event of the {@link MatchingService}: an execution, a row of a report, or the result of a command. Each
 * command publishes its executions in order, or the rows of its report, then one RESULT.
 * <pre>
 *                   TRADE           REJECT       REDUCE       TRIGGER      RESULT
 *  commandSequence, commandTimeNs, correlation
 *                   x               x            x            x            x     of the command
 *  symbol           x               x            x            x            x     of the command
 *  orderId, uid     the taker's     the order's  the order's  the order's  of the command
 *  side             the taker's     the order's  the order's  the order's  of the next command, if there is more
 *  completed        taker is filled true         nothing is left
 *  makerOrderId, makerUid, makerCompleted
 *                   x                                                      makerOrderId: filled, if openSize is not 0
 *  price            the maker's     the command's the order's the stop price of the next command, if there is more
 *  size             traded          rejected     taken off                 openSize; levels reported, if there is more
 *  bidReservePrice  the bid's       the order's  the order's  the order's  levelSequence, of ORDER_BOOK_REQUEST
 *  tradeId          x
 *  reason                           x            x
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
 *  bidReservePrice             reserved  profit          reserve    reserves             shorts
 *  count            orderCount                           orderType, selfTradePolicy
 * </pre>
 * Prices are in price steps, sizes in lots, money in units of its currency. Unmarked fields are 0 or false. A getter
 * for one kind ({@link #volume()}, {@link #balance()}) returns the field of any kind: check {@link #kind()} first. Only
 * the service and decoders fill the event. A handler may read it until it returns.
 */
public final class ExecutionEvent extends BasePoolAware
{
    private static final List<CommandResult> RESULTS = List.of(CommandResult.values());
    /** In the count of an ORDER: the byte below is the type. */
    private static final int POLICY_SHIFT = 8;

    private int symbol;
    private int count;
    private byte kind;
    private byte side;
    private byte resultCode;
    private boolean completed;
    private boolean makerCompleted;
    private boolean more;
    private byte reason;
    private long commandSequence;
    private long commandTimeNs;
    private long orderId;
    private long uid;
    private long makerOrderId;
    private long makerUid;
    private long price;
    private long size;
    private long bidReservePrice;
    private long correlation;
    private long tradeId;

    /**
     * An empty event.
     */
    public ExecutionEvent()
    {
    }

    /**
     * Sets every field except those of {@link #details}, for decoders. The names fit a TRADE and a RESULT; the table of
     * {@link ExecutionEvent} has their meanings for other kinds.
     *
     * @param kind            see {@link ExecutionKind}.
     * @param side            see {@link io.millrace.engine.book.Side}.
     * @param resultCode      a valid code of a {@link CommandResult}.
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
        final byte kind, final byte side, final byte resultCode, final boolean completed,
        final boolean makerCompleted, final boolean more, final int symbol, final int count,
        final long commandSequence, final long commandTimeNs, final long orderId, final long uid,
        final long makerOrderId, final long makerUid, final long price, final long size, final long bidReservePrice)
    {
        of(commandSequence, commandTimeNs, symbol, 0);
        this.kind = kind;
        reason = 0;
        tradeId = 0;
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

    /**
     * Sets the fields that {@link #set} sets to 0, for decoders.
     *
     * @param correlation see {@link ExecutionEvent#correlation()}.
     * @param tradeId     see {@link ExecutionEvent#tradeId()}.
     * @param reason      see {@link ExecutionEvent#reason()}.
     */
    public void details(final long correlation, final long tradeId, final byte reason)
    {
        checkLive();
        this.correlation = correlation;
        this.tradeId = tradeId;
        this.reason = reason;
    }

    /** Sets the command of the event. The other fillers do not change it. */
    void of(final long commandSequence, final long commandTimeNs, final int symbol, final long correlation)
    {
        checkLive();
        this.commandSequence = commandSequence;
        this.commandTimeNs = commandTimeNs;
        this.symbol = symbol;
        this.correlation = correlation;
    }

    void trade(
        final long tradeId, final long makerOrderId, final long makerUid, final boolean makerCompleted,
        final long takerOrderId, final long takerUid, final byte takerSide, final boolean takerCompleted,
        final long price, final long size, final long bidReservePrice)
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
        this.tradeId = tradeId;
        reason = 0;
        resultCode = 0;
        count = 0;
        more = false;
    }

    /** Fills an event of any kind except TRADE: without maker, trade, reason, result and count. */
    void loss(
        final byte kind, final long orderId, final long uid, final byte side, final long price, final long size,
        final boolean completed, final long reservePrice)
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
        tradeId = 0;
        reason = 0;
        resultCode = 0;
        count = 0;
        more = false;
    }

    /** Sets the reason, after {@link #loss}. */
    void reason(final byte reason)
    {
        this.reason = reason;
    }

    /** Sets what is open and filled of the command's order, after {@link #result}. */
    void open(final long openSize, final long filled)
    {
        size = openSize;
        makerOrderId = filled;
    }

    void result(
        final long orderId, final long uid, final CommandResult result, final int executions, final long levelSequence)
    {
        loss(ExecutionKind.RESULT, orderId, uid, (byte)0, 0, 0, false, levelSequence);
        resultCode = result.code();
        count = executions;
    }

    /** Sets where the report continues, after {@link #result}. */
    void more(final byte side, final long next, final long levelsReported)
    {
        more = true;
        this.side = side;
        price = next;
        size = levelsReported;
    }

    void level(final byte side, final long price, final long volume, final int orders)
    {
        loss(ExecutionKind.LEVEL, 0, 0, side, price, volume, false, 0);
        count = orders;
    }

    void account(final long uid, final int currency, final long balance, final long reserved)
    {
        loss(ExecutionKind.ACCOUNT, 0, uid, (byte)0, 0, balance, false, reserved);
        symbol = currency;
    }

    void position(
        final int symbol, final long uid, final byte direction, final long volume, final long openPriceSum,
        final long profit, final long pendingSell, final long pendingBuy)
    {
        loss(ExecutionKind.POSITION, 0, uid, direction, openPriceSum, volume, false, profit);
        this.symbol = symbol;
        makerOrderId = pendingSell;
        makerUid = pendingBuy;
    }

    void order(
        final int symbol, final long orderId, final long uid, final byte side, final long price, final long size,
        final long filled, final long reservePrice)
    {
        loss(ExecutionKind.ORDER, orderId, uid, side, price, size, false, reservePrice);
        this.symbol = symbol;
        makerOrderId = filled;
    }

    /** Sets type, policy and parameter, after the other method. */
    void order(final byte type, final byte selfTrade, final long parameter)
    {
        makerUid = parameter;
        count = type | selfTrade << POLICY_SHIFT;
    }

    void total(
        final int currency, final long balances, final long reserves, final long cash, final long fees,
        final long adjusted)
    {
        loss(ExecutionKind.TOTAL, adjusted, 0, (byte)0, fees, balances, false, reserves);
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
     * Kind of the event.
     *
     * @return see {@link ExecutionKind}.
     */
    public byte kind()
    {
        return kind;
    }

    /**
     * Sequence of the command: the same for all events of one command, and greater for later commands. With {@link
     * MatchingService} it equals the sequence that the stages of the commands' flow get for the command ({@code
     * onEvent(command, sequence, endOfBatch)}), because it is the command's sequence in its pipeline. With {@link
     * DurableMatching} it equals the number of the command's record in the journal, which continues after a restart. It
     * is neither the sequence of this event in its own flow, nor a sequence of the market data.
     *
     * @return in a pipeline from 0; numbers of commands that were claimed and not published are missing. In a journal
     *     from 1, without gaps.
     */
    public long commandSequence()
    {
        return commandSequence;
    }

    /**
     * Time of the command.
     *
     * @return in nanoseconds of the publishers' clock; 0 for none.
     */
    public long commandTimeNs()
    {
        return commandTimeNs;
    }

    /**
     * Request id of the command that caused the event. So the event of a resting order that trades has the request id
     * of the incoming order.
     *
     * @return see {@link OrderCommand#correlation(long)}; 0 for none.
     */
    public long correlation()
    {
        return correlation;
    }

    /**
     * Number of a TRADE: from 1 for each symbol, without gaps, and equal to that of the market data.
     *
     * @return 0 unless this is a TRADE.
     */
    public long tradeId()
    {
        return tradeId;
    }

    /**
     * Why an order became smaller (REDUCE), or was rejected (REJECT).
     *
     * @return see {@link io.millrace.engine.book.ExecutionReason}; NONE for all other kinds.
     */
    public byte reason()
    {
        return reason;
    }

    /**
     * For the RESULT of a successful PLACE, CANCEL, REDUCE, MOVE or REPLACE, what is open of its order after the
     * command: greater than 0 if the order rests in the book, or waits for its stop price. 0 if the command was
     * refused, or nothing of the order is left.
     *
     * @return in lots.
     */
    public long openSize()
    {
        return more ? 0 : size;
    }

    /**
     * Symbol of the command, of the row, or of the book in which an order expired.
     * @return its number.
     */
    public int symbol()
    {
        return symbol;
    }

    /**
     * Order of the event; for a TRADE the taker.
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
     * Side of {@link #orderId()}. For a RESULT with {@link #hasMore()}, the side where the report continues.
     * @return see {@link io.millrace.engine.book.Side}.
     */
    public byte side()
    {
        return side;
    }

    /**
     * For a TRADE, whether the taker, {@link #orderId()}, is filled; false when a part of it was rejected. For a
     * REDUCE, whether nothing is left of the order.
     * @return true for a REJECT, though trades of the other part may follow; false for all other kinds.
     */
    public boolean isCompleted()
    {
        return completed;
    }

    /**
     * The resting order.
     *
     * @return its id; 0 unless this is a TRADE, or a row with the field.
     */
    public long makerOrderId()
    {
        return makerOrderId;
    }

    /**
     * User of {@link #makerOrderId()}.
     *
     * @return the user's id; 0 unless this is a TRADE, or a row with the field.
     */
    public long makerUid()
    {
        return makerUid;
    }

    /**
     * Whether {@link #makerOrderId()} is filled and has left the book.
     *
     * @return false unless this is a TRADE.
     */
    public boolean isMakerCompleted()
    {
        return makerCompleted;
    }

    /**
     * Price of the execution.
     *
     * @return in price steps. TRADE: the maker's. REJECT: the command's limit or budget, 0 for MARKET and STOP. REDUCE:
     *         the order's, 0 for a STOP. TRIGGER: the stop price.
     */
    public long price()
    {
        return price;
    }

    /**
     * Size of the trade, rejection or reduction.
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
     * Code of the command's result. Only a RESULT has it.
     * @return see {@link CommandResult#code()}; 0 unless this is a RESULT.
     */
    public byte resultCode()
    {
        return resultCode;
    }

    /**
     * Result of the command. Only a RESULT has it.
     * @return {@link #resultCode()} as a constant.
     */
    public CommandResult result()
    {
        return RESULTS.get(resultCode);
    }

    /**
     * For a RESULT, the number of earlier events of the command, including lost ones.
     * @return number of events.
     */
    public int executionCount()
    {
        return count;
    }

    /**
     * For the RESULT of a report, whether it has more rows than one command returns. The same command again,
     * {@linkplain OrderCommand#continueFrom continued from} this result, returns the next ones.
     * @return false for all other kinds and commands.
     */
    public boolean hasMore()
    {
        return more;
    }

    /**
     * For a RESULT that {@linkplain #hasMore() has more}, where the report continues.
     * @return price of the next command.
     */
    public long next()
    {
        return price;
    }

    /**
     * For a RESULT that {@linkplain #hasMore() has more}, the number of levels of {@link #side()} reported so far.
     * @return order id of the next command; 0 for other reports.
     */
    public long levelsReported()
    {
        return size;
    }

    /**
     * For the RESULT of an ORDER_BOOK_REQUEST, the sequence of the last market-data message that its rows include.
     * @return see {@link io.millrace.engine.book.OrderBook#levelSequence()}.
     */
    public long levelSequence()
    {
        return bidReservePrice;
    }

    /**
     * Count of the kind.
     *
     * @return see {@link #executionCount()} and {@link #orderCount()}; 0 for all other kinds.
     */
    public int count()
    {
        return count;
    }

    /**
     * Number of orders of a LEVEL.
     * @return number of orders.
     */
    public int orderCount()
    {
        return count;
    }

    /**
     * Visible size of the orders of a LEVEL.
     * @return in lots.
     */
    public long volume()
    {
        return size;
    }

    /**
     * Currency of an ACCOUNT or a TOTAL.
     * @return its number.
     */
    public int currency()
    {
        return symbol;
    }

    /**
     * Free funds of an ACCOUNT, without the {@link #reserved()} ones.
     * @return in units of the currency.
     */
    public long balance()
    {
        return size;
    }

    /**
     * Funds of an ACCOUNT that spot orders reserve.
     * @return in units of the currency.
     */
    public long reserved()
    {
        return bidReservePrice;
    }

    /**
     * Size of a POSITION; {@link #side()} is its direction.
     * @return in lots, 0 or more.
     */
    public long openVolume()
    {
        return size;
    }

    /**
     * Sum of price times size at which a POSITION was opened.
     * @return in price steps times lots.
     */
    public long openPriceSum()
    {
        return price;
    }

    /**
     * Realised profit of a POSITION that is not in the account yet.
     * @return see {@code docs/risk.md}.
     */
    public long profit()
    {
        return bidReservePrice;
    }

    /**
     * Size of the open asks of a POSITION's user.
     * @return in lots.
     */
    public long pendingSell()
    {
        return makerOrderId;
    }

    /**
     * Size of the open bids of a POSITION's user.
     * @return in lots.
     */
    public long pendingBuy()
    {
        return makerUid;
    }

    /**
     * Filled size of an ORDER, or of the order of a RESULT whose {@link #openSize()} is not 0.
     * @return in lots.
     */
    public long filled()
    {
        return makerOrderId;
    }

    /**
     * Sum of all balances of a TOTAL.
     * @return see {@link io.millrace.engine.risk.TotalsConsumer}; with reserves, cash and fees it adds up to
     *     {@link #adjusted()}.
     */
    public long balances()
    {
        return size;
    }

    /**
     * Sum of all reserved funds of a TOTAL.
     * @return in units of the currency.
     */
    public long reserves()
    {
        return bidReservePrice;
    }

    /**
     * Cash of a TOTAL from the trades of open positions.
     * @return in units of the currency.
     */
    public long cash()
    {
        return makerOrderId;
    }

    /**
     * Fees earned, of a TOTAL.
     * @return in units of the currency.
     */
    public long fees()
    {
        return price;
    }

    /**
     * Sum of all adjustments of a TOTAL.
     * @return in units of the currency.
     */
    public long adjusted()
    {
        return orderId;
    }

    /**
     * Lots of all long positions of an OPEN_INTEREST.
     * @return in lots.
     */
    public long longs()
    {
        return size;
    }

    /**
     * Lots of all short positions of an OPEN_INTEREST.
     * @return in lots, equal to {@link #longs()}.
     */
    public long shorts()
    {
        return bidReservePrice;
    }

    /**
     * The hash of a HASH.
     * @return 64 bits.
     */
    public long stateHash()
    {
        return size;
    }

    /**
     * Type of an ORDER. A STOP or a STOP_LIMIT is untriggered: a triggered one is a GTC.
     * @return see {@link io.millrace.engine.book.OrderType}.
     */
    public byte orderType()
    {
        return (byte)count;
    }

    /**
     * Self-trade policy of an ORDER.
     * @return see {@link io.millrace.engine.book.SelfTradePolicy}.
     */
    public byte selfTradePolicy()
    {
        return (byte)(count >>> POLICY_SHIFT);
    }

    /**
     * Parameter of an ORDER's type.
     * @return stop price of a STOP or a STOP_LIMIT, display size of an ICEBERG, expiry time of a GTD; otherwise 0.
     */
    public long parameter()
    {
        return makerUid;
    }

    @Override
    public String toString()
    {
        if (ReportRowText.isRow(kind))
        {
            return ReportRowText.of(this);
        }
        final String text = ExecutionKind.name(kind) + " of command " + commandSequence + " symbol " + symbol +
            " order " + orderId + " uid " + uid;
        return kind == ExecutionKind.RESULT ?
            text + " " + result() + " executions " + count + (more ? " more from " + side + " " + price : "") +
                (openSize() == 0 ? "" : " open " + openSize() + " filled " + makerOrderId) +
                (correlation == 0 ? "" : " correlation " + correlation) :
            text + " side " + side + " price " + price + " size " + size + " completed " + completed +
            " maker " + makerOrderId + " uid " + makerUid + " completed " + makerCompleted +
            " bid reserve " + bidReservePrice + " count " + count +
            (tradeId == 0 ? "" : " trade " + tradeId) + (reason == 0 ? "" : " reason " + reason) +
            (correlation == 0 ? "" : " correlation " + correlation);
    }
}

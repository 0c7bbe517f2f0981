package io.millrace.engine.service;

import io.millrace.engine.book.CommandResult;
import io.millrace.pool.BasePoolAware;

/**
 * The fields of an {@link ExecutionEvent}, and how the service and decoders set them. They end at byte 120 of the
 * object, within its second cache line.
 */
public abstract class ExecutionFields extends BasePoolAware
{
    /** Of an ORDER's count: the type is in the byte below. */
    private static final int POLICY_SHIFT = 8;

    int symbol;
    int count;
    byte kind;
    byte side;
    byte resultCode;
    boolean completed;
    boolean makerCompleted;
    boolean more;
    long commandSequence;
    long commandTimeNs;
    long orderId;
    long uid;
    long makerOrderId;
    long makerUid;
    long price;
    long size;
    long bidReservePrice;

    /** For ExecutionEvent alone. */
    ExecutionFields()
    {
    }

    /**
     * Of an ORDER its type. A STOP or a STOP_LIMIT has not triggered: one that has is a GTC.
     *
     * @return see {@link io.millrace.engine.book.OrderType}.
     */
    public final byte orderType()
    {
        return (byte)count;
    }

    /**
     * Of an ORDER its self-trade policy.
     *
     * @return see {@link io.millrace.engine.book.SelfTradePolicy}.
     */
    public final byte selfTradePolicy()
    {
        return (byte)(count >>> POLICY_SHIFT);
    }

    /**
     * Of an ORDER the number that its type needs besides.
     *
     * @return stop price of a STOP or a STOP_LIMIT, display size of an ICEBERG, expiry time of a GTD; otherwise 0.
     */
    public final long parameter()
    {
        return makerUid;
    }

    /**
     * Set every field as it came, for decoders. The names are those that the fields have for a TRADE and a RESULT; what
     * they are for other kinds stands in the table of {@link ExecutionEvent}.
     *
     * @param newKind            see {@link ExecutionKind}.
     * @param newSide            see {@link io.millrace.engine.book.Side}.
     * @param newResultCode      code of a {@link CommandResult}, which must be one.
     * @param isCompleted        see {@link ExecutionEvent#isCompleted()}.
     * @param isMakerCompleted   see {@link ExecutionEvent#isMakerCompleted()}.
     * @param hasMore            see {@link ExecutionEvent#hasMore()}.
     * @param newSymbol          see {@link ExecutionEvent#symbol()}.
     * @param newCount           see {@link ExecutionEvent#count()}.
     * @param newCommandSequence see {@link ExecutionEvent#commandSequence()}.
     * @param newCommandTimeNs   see {@link ExecutionEvent#commandTimeNs()}.
     * @param newOrderId         see {@link ExecutionEvent#orderId()}.
     * @param newUid             see {@link ExecutionEvent#uid()}.
     * @param newMakerOrderId    see {@link ExecutionEvent#makerOrderId()}.
     * @param newMakerUid        see {@link ExecutionEvent#makerUid()}.
     * @param newPrice           see {@link ExecutionEvent#price()}.
     * @param newSize            see {@link ExecutionEvent#size()}.
     * @param newBidReservePrice see {@link ExecutionEvent#bidReservePrice()}.
     */
    public final void set(
        final byte newKind,
        final byte newSide,
        final byte newResultCode,
        final boolean isCompleted,
        final boolean isMakerCompleted,
        final boolean hasMore,
        final int newSymbol,
        final int newCount,
        final long newCommandSequence,
        final long newCommandTimeNs,
        final long newOrderId,
        final long newUid,
        final long newMakerOrderId,
        final long newMakerUid,
        final long newPrice,
        final long newSize,
        final long newBidReservePrice)
    {
        of(newCommandSequence, newCommandTimeNs, newSymbol);
        kind = newKind;
        side = newSide;
        resultCode = newResultCode;
        completed = isCompleted;
        makerCompleted = isMakerCompleted;
        more = hasMore;
        count = newCount;
        orderId = newOrderId;
        uid = newUid;
        makerOrderId = newMakerOrderId;
        makerUid = newMakerUid;
        price = newPrice;
        size = newSize;
        bidReservePrice = newBidReservePrice;
    }

    /** Of which command. The other fillers leave this alone. */
    final void of(final long sequence, final long timeNs, final int commandSymbol)
    {
        checkLive();
        commandSequence = sequence;
        commandTimeNs = timeNs;
        symbol = commandSymbol;
    }

    final void trade(
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
        count = 0;
        more = false;
    }

    /** Everything but a TRADE: without maker, result, count. */
    final void loss(
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
        count = 0;
        more = false;
    }

    final void result(
        final long order,
        final long user,
        final CommandResult commandResult,
        final int executions,
        final long levelSequence)
    {
        loss(ExecutionKind.RESULT, order, user, (byte)0, 0, 0, false, levelSequence);
        resultCode = commandResult.code();
        count = executions;
    }

    /** After {@link #result}: the report goes on there. */
    final void more(final byte nextSide, final long next, final long told)
    {
        more = true;
        side = nextSide;
        price = next;
        size = told;
    }

    final void level(final byte levelSide, final long levelPrice, final long volume, final int orders)
    {
        loss(ExecutionKind.LEVEL, 0, 0, levelSide, levelPrice, volume, false, 0);
        count = orders;
    }

    final void account(final long user, final int currency, final long balance, final long held)
    {
        loss(ExecutionKind.ACCOUNT, 0, user, (byte)0, 0, balance, false, held);
        symbol = currency;
    }

    final void position(
        final int positionSymbol,
        final long user,
        final byte direction,
        final long volume,
        final long openPriceSum,
        final long profit,
        final long pendingSell,
        final long pendingBuy)
    {
        loss(ExecutionKind.POSITION, 0, user, direction, openPriceSum, volume, false, profit);
        symbol = positionSymbol;
        makerOrderId = pendingSell;
        makerUid = pendingBuy;
    }

    final void order(
        final int orderSymbol,
        final long order,
        final long user,
        final byte orderSide,
        final long orderPrice,
        final long orderSize,
        final long filled,
        final long reserve)
    {
        loss(ExecutionKind.ORDER, order, user, orderSide, orderPrice, orderSize, false, reserve);
        symbol = orderSymbol;
        makerOrderId = filled;
    }

    /** After the other one: what the order's command said besides. */
    final void order(final byte type, final byte selfTrade, final long parameter)
    {
        makerUid = parameter;
        count = type | selfTrade << POLICY_SHIFT;
    }

    final void total(
        final int currency,
        final long balances,
        final long held,
        final long cash,
        final long fees,
        final long adjusted)
    {
        loss(ExecutionKind.TOTAL, adjusted, 0, (byte)0, fees, balances, false, held);
        symbol = currency;
        makerOrderId = cash;
    }

    final void openInterest(final int future, final long longs, final long shorts)
    {
        loss(ExecutionKind.OPEN_INTEREST, 0, 0, (byte)0, 0, longs, false, shorts);
        symbol = future;
    }

    final void hash(final long stateHash)
    {
        loss(ExecutionKind.HASH, 0, 0, (byte)0, 0, stateHash, false, 0);
    }
}

package io.millrace.engine.risk;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ExecutionListener;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.tables.RowTable;

/**
 * Risk of one symbol. It stands on both sides of the book: before a command it puts aside what the order may cost, and
 * as the book's listener it settles each execution before it hands it on, so that the next command finds everything
 * settled. It allocates nothing.
 * <p>
 * One thread: that of the {@link RiskEngine} it belongs to. The book may be elsewhere, as long as its executions come
 * here in their order, between the {@link #hold} and the {@link #end} of their command.
 */
public abstract class SymbolRisk implements ExecutionListener
{
    static final int NONE = RowTable.NONE;

    final Ledger ledger;
    final Positions positions;
    final SymbolSpec spec;
    final SymbolTerms terms;
    final long takerFee;
    final long makerFee;
    final long maxDebt;
    private final int slot;
    private final ExecutionListener listener;
    private OrderBook book;
    private int quote;
    // Of the command under way, when its order does not rest.
    private boolean isImmediate;
    private long immediateId;
    private int recentUser = NONE;

    SymbolRisk(
        final Ledger ledger,
        final Positions positions,
        final SymbolSpec spec,
        final SymbolTerms terms,
        final int slot,
        final long maxDebt,
        final ExecutionListener listener)
    {
        this.ledger = ledger;
        this.positions = positions;
        this.spec = spec;
        this.terms = terms;
        this.slot = slot;
        this.maxDebt = maxDebt;
        takerFee = terms.takerFee();
        makerFee = terms.makerFee();
        this.listener = listener;
    }

    /**
     * Name the book, once, before any command: the book needs its listener to be made. Currencies are opened here, so
     * that a symbol whose book found no memory leaves none.
     */
    void attach(final OrderBook orderBook)
    {
        book = orderBook;
        quote = ledger.currency(terms.quoteCurrency());
    }

    /**
     * {@inheritDoc}
     *
     * @return true.
     */
    @Override
    public final boolean isAccountable()
    {
        return true;
    }

    /**
     * Put aside what a new order may cost. The last check of a placement: the book must carry it out then.
     *
     * @param user         handle of its user, see {@link RiskEngine#user}.
     * @param type         see {@link OrderType}; valid, as all that follows: the book has checked it.
     * @param side         see {@link io.millrace.engine.book.Side}.
     * @param orderId      the order.
     * @param price        limit in price steps or budget in price steps times lots.
     * @param size         lots.
     * @param reservePrice in price steps.
     * @return SUCCESS; or why not, and nothing has changed: of a spot symbol RESERVE_BELOW_PRICE, RESERVE_NOT_BUDGET,
     *     RISK_OVERFLOW, ACCOUNTS_FULL, RISK_NSF, RISK_DEBT; of a future POSITION_LIMIT, POSITIONS_FULL,
     *     ACCOUNTS_FULL, RISK_MARGIN, RISK_DEBT.
     */
    public final CommandResult hold(
        final int user,
        final byte type,
        final byte side,
        final long orderId,
        final long price,
        final long size,
        final long reservePrice)
    {
        recentUser = user;
        final CommandResult result = take(user, type, side, price, size, reservePrice);
        if (result == CommandResult.SUCCESS)
        {
            if (OrderType.rests(type))
            {
                ledger.users.add(user, Ledger.OPEN_ORDERS, 1);
            }
            else
            {
                isImmediate = true;
                immediateId = orderId;
            }
        }
        return result;
    }

    abstract CommandResult take(int user, byte type, byte side, long price, long size, long reservePrice);

    /**
     * Put aside what an order may cost in addition when it becomes larger. The last check of a REPLACE.
     *
     * @param user         handle of its user.
     * @param side         its side.
     * @param lots         by how much it grows, 1 or more.
     * @param reservePrice its reserve price, in price steps.
     * @return as {@link #hold}.
     */
    public abstract CommandResult holdMore(int user, byte side, long lots, long reservePrice);

    /**
     * All executions of a placement have come: what a budget did not need is free again.
     */
    public final void end()
    {
        if (isImmediate)
        {
            isImmediate = false;
            refund();
        }
    }

    abstract void refund();

    /** Whether an order is the one that the command under way placed, and does not rest. */
    final boolean isImmediate(final long orderId)
    {
        return isImmediate && orderId == immediateId;
    }

    /**
     * The symbol.
     *
     * @return as given, an ask's floor by the fee included.
     */
    public final SymbolSpec spec()
    {
        return spec;
    }

    final SymbolTerms terms()
    {
        return terms;
    }

    final int slot()
    {
        return slot;
    }

    /** Handle of the currency that is paid. */
    final int quote()
    {
        return quote;
    }

    final OrderBook book()
    {
        return book;
    }

    /** What its positions are marked at where nobody quotes; 0 where there are none. */
    long lastPrice()
    {
        return 0;
    }

    private void closeOrder(final int user)
    {
        ledger.users.add(user, Ledger.OPEN_ORDERS, -1);
    }

    /**
     * Settle a trade and hand it on.
     */
    @Override
    public final void onTrade(
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
        final int maker = ledger.users.find(makerUid);
        // It has traded just now, or its command was admitted.
        final int taker = ledger.users.find(takerUid, recentUser);
        recentUser = taker;
        final boolean immediate = isImmediate(takerOrderId);
        settle(maker, taker, immediate, takerSide, price, size, bidReservePrice);
        if (makerCompleted)
        {
            closeOrder(maker);
        }
        if (takerCompleted && !immediate)
        {
            closeOrder(taker);
        }
        listener.onTrade(makerOrderId, makerUid, makerCompleted, takerOrderId, takerUid, takerSide, takerCompleted,
            price, size, bidReservePrice);
    }

    abstract void settle(
        int maker, int taker, boolean immediate, byte takerSide, long price, long size, long bidReservePrice);

    /**
     * Release what the rejected part held and hand it on.
     */
    @Override
    public final void onReject(
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final long reservePrice)
    {
        final int user = ledger.users.find(uid);
        final boolean immediate = isImmediate(orderId);
        release(user, immediate, side, size, reservePrice);
        if (!immediate)
        {
            // A stop that has triggered: nothing of it will rest, and none of its other executions says so.
            closeOrder(user);
        }
        listener.onReject(orderId, uid, side, price, size, reservePrice);
    }

    /**
     * Release what the reduction held and hand it on.
     */
    @Override
    public final void onReduce(
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final boolean completed,
        final long reservePrice)
    {
        final int user = ledger.users.find(uid);
        final boolean immediate = isImmediate(orderId);
        release(user, immediate, side, size, reservePrice);
        if (completed && !immediate)
        {
            closeOrder(user);
        }
        listener.onReduce(orderId, uid, side, price, size, completed, reservePrice);
    }

    abstract void release(int user, boolean immediate, byte side, long size, long reservePrice);

    /**
     * Hand a trigger on; money does not move.
     */
    @Override
    public final void onTrigger(
        final long orderId, final long uid, final byte side, final long stopPrice, final long reservePrice)
    {
        listener.onTrigger(orderId, uid, side, stopPrice, reservePrice);
    }
}

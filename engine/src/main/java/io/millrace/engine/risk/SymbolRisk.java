package io.millrace.engine.risk;

import io.millrace.engine.book.BookSnapshotException;
import io.millrace.engine.book.CommandFields;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ExecutionListener;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.tables.RowTable;

/**
 * Risk of one symbol. Before a placement it reserves the funds for the order. As the book's listener it settles each
 * execution and passes it on, so that all trades are settled before the next command. It allocates nothing.
 * <p>
 * Used by the thread of its {@link RiskEngine} only. The executions of a placement come between its {@link #reserve}
 * and its {@link #endOfCommand}.
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
    // Of the current command, when its order does not rest.
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
     * Sets the book, once, before any command, because the book's constructor needs this listener. Opens the currencies
     * in this call, so that a symbol without memory for its book leaves none.
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
     * Reserves the funds for a new order. This is the last check of a placement: after SUCCESS the book must execute
     * it.
     *
     * @param user    handle of its user, see {@link RiskEngine#user}.
     * @param command the placement; {@link OrderBook#check} has returned SUCCESS for it.
     * @return SUCCESS; otherwise nothing has changed: of a spot symbol RESERVE_BELOW_PRICE, RESERVE_NOT_BUDGET,
     *     RISK_OVERFLOW, ACCOUNTS_FULL, RISK_NSF, RISK_DEBT; of a future POSITION_LIMIT, POSITIONS_FULL,
     *     ACCOUNTS_FULL, RISK_MARGIN, RISK_DEBT.
     */
    public final CommandResult reserve(final int user, final CommandFields command)
    {
        recentUser = user;
        final CommandResult result = reserveOrder(user, command);
        if (result == CommandResult.SUCCESS)
        {
            if (OrderType.rests(command.orderType()))
            {
                ledger.users.add(user, Ledger.OPEN_ORDERS, 1);
            }
            else
            {
                isImmediate = true;
                immediateId = command.orderId();
            }
        }
        return result;
    }

    abstract CommandResult reserveOrder(int user, CommandFields command);

    /**
     * Reserves the additional funds for an order that grows. This is the last check of a REPLACE.
     *
     * @param user         handle of its user.
     * @param side         its side.
     * @param lots         growth, 1 or more.
     * @param reservePrice its reserve price, in price steps.
     * @return as {@link #reserve}.
     */
    public abstract CommandResult reserveMore(int user, byte side, long lots, long reservePrice);

    /**
     * End a placement, after all its executions. Releases the unused part of a budget.
     */
    public final void endOfCommand()
    {
        if (isImmediate)
        {
            isImmediate = false;
            refund();
        }
    }

    abstract void refund();

    /** Whether an order belongs to the current placement and does not rest. */
    final boolean isImmediate(final long orderId)
    {
        return isImmediate && orderId == immediateId;
    }

    /**
     * The symbol.
     *
     * @return as given, with the minimum ask price that the fee requires.
     */
    public final SymbolSpec spec()
    {
        return spec;
    }

    /**
     * Its terms.
     *
     * @return as given.
     */
    public final SymbolTerms terms()
    {
        return terms;
    }

    final int slot()
    {
        return slot;
    }

    /** Handle of the quote currency. */
    final int quote()
    {
        return quote;
    }

    final OrderBook book()
    {
        return book;
    }

    /** Price that values its positions when there is no quote; 0 when it has none. */
    long lastPrice()
    {
        return 0;
    }

    /** Sets the price that a snapshot has. */
    void restore(final long price)
    {
        if (price != 0)
        {
            throw new BookSnapshotException("last price " + price + " of a spot symbol is not 0");
        }
    }

    private void closeOrder(final int user)
    {
        ledger.users.add(user, Ledger.OPEN_ORDERS, -1);
    }

    /**
     * Settles a trade and passes it on.
     */
    @Override
    public final void onTrade(
        final long tradeId,
        final int symbol,
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
        // The user of the last trade, or of the current placement.
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
        listener.onTrade(tradeId, symbol, makerOrderId, makerUid, makerCompleted, takerOrderId, takerUid, takerSide,
            takerCompleted, price, size, bidReservePrice);
    }

    abstract void settle(
        int maker, int taker, boolean immediate, byte takerSide, long price, long size, long bidReservePrice);

    /**
     * Releases the reserve of the rejected part and passes the rejection on.
     */
    @Override
    public final void onReject(
        final byte reason,
        final int symbol,
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
            // A triggered stop does not rest, and none of its other executions closes it.
            closeOrder(user);
        }
        listener.onReject(reason, symbol, orderId, uid, side, price, size, reservePrice);
    }

    /**
     * Releases the reserve of the reduction and passes it on.
     */
    @Override
    public final void onReduce(
        final byte reason,
        final int symbol,
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
        listener.onReduce(reason, symbol, orderId, uid, side, price, size, completed, reservePrice);
    }

    abstract void release(int user, boolean immediate, byte side, long size, long reservePrice);

    /**
     * Passes a trigger on; no money moves.
     */
    @Override
    public final void onTrigger(
        final int symbol,
        final long orderId,
        final long uid,
        final byte side,
        final long stopPrice,
        final long reservePrice)
    {
        listener.onTrigger(symbol, orderId, uid, side, stopPrice, reservePrice);
    }
}

package io.millrace.engine.service;

import io.millrace.engine.CommandType;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.SymbolTerms;

/**
 * The fillers of an {@link OrderCommand} for users, symbols, reports and time. Each sets every field.
 */
public abstract class ControlCommand extends CommandFields
{
    /** For OrderCommand alone. */
    ControlCommand()
    {
    }

    private OrderCommand control(
        final byte newCommandType,
        final byte newSide,
        final int newSymbol,
        final long newOrderId,
        final long newUid,
        final long newPrice,
        final long newSize,
        final long timeNs)
    {
        return set(newCommandType, OrderType.GTC, newSide, newSymbol, newOrderId, newUid, newPrice, newSize, 0, timeNs);
    }

    /**
     * A new user.
     *
     * @param newUid the user, any number.
     * @return this.
     */
    public final OrderCommand addUser(final long newUid)
    {
        return control(CommandType.ADD_USER, Side.BID, 0, 0, newUid, 0, 0, 0);
    }

    /**
     * Pay into an account, or out of it.
     *
     * @param newUid       the user.
     * @param currency     of the account.
     * @param amount       in units of the currency; below 0 out of it.
     * @param adjustmentId greater than that of the user's last adjustment.
     * @return this.
     */
    public final OrderCommand adjustBalance(
        final long newUid, final int currency, final long amount, final long adjustmentId)
    {
        return control(CommandType.BALANCE_ADJUSTMENT, Side.BID, currency, adjustmentId, newUid, 0, amount, 0);
    }

    /**
     * Take a user out that owns nothing and has no orders.
     *
     * @param newUid the user.
     * @return this.
     */
    public final OrderCommand suspendUser(final long newUid)
    {
        return control(CommandType.SUSPEND_USER, Side.BID, 0, 0, newUid, 0, 0, 0);
    }

    /**
     * Take a suspended user in again.
     *
     * @param newUid the user.
     * @return this.
     */
    public final OrderCommand resumeUser(final long newUid)
    {
        return control(CommandType.RESUME_USER, Side.BID, 0, 0, newUid, 0, 0, 0);
    }

    /**
     * A new symbol. The only command that carries objects: whoever gives it allocates them.
     *
     * @param newSpec  the symbol and its limits.
     * @param newTerms what it means for money; null for an engine without users.
     * @return this.
     */
    public final OrderCommand addSymbol(final SymbolSpec newSpec, final SymbolTerms newTerms)
    {
        return control(CommandType.ADD_SYMBOL, Side.BID, newSpec.symbol(), 0, 0, 0, 0, 0).definition(newSpec, newTerms);
    }

    /**
     * Take nothing but CANCEL and REDUCE from now on.
     *
     * @param newSymbol the symbol.
     * @return this.
     */
    public final OrderCommand haltSymbol(final int newSymbol)
    {
        return control(CommandType.HALT_SYMBOL, Side.BID, newSymbol, 0, 0, 0, 0, 0);
    }

    /**
     * Trade again.
     *
     * @param newSymbol the symbol.
     * @return this.
     */
    public final OrderCommand resumeSymbol(final int newSymbol)
    {
        return control(CommandType.RESUME_SYMBOL, Side.BID, newSymbol, 0, 0, 0, 0, 0);
    }

    /**
     * Take a symbol without orders and positions out.
     *
     * @param newSymbol the symbol.
     * @return this.
     */
    public final OrderCommand removeSymbol(final int newSymbol)
    {
        return control(CommandType.REMOVE_SYMBOL, Side.BID, newSymbol, 0, 0, 0, 0, 0);
    }

    /**
     * Report the levels of a book, best first, bids before asks.
     *
     * @param newSymbol the symbol.
     * @param depth     levels of each side; negative for all.
     * @return this.
     */
    public final OrderCommand orderBook(final int newSymbol, final long depth)
    {
        return control(CommandType.ORDER_BOOK_REQUEST, Side.BID, newSymbol, 0, 0, -1, depth, 0);
    }

    /**
     * Report a user's accounts, positions and open orders.
     *
     * @param newUid the user.
     * @return this.
     */
    public final OrderCommand userReport(final long newUid)
    {
        return control(CommandType.USER_REPORT, Side.BID, 0, 0, newUid, 0, 0, 0);
    }

    /**
     * Report the totals of each currency and the open interest of each future.
     *
     * @return this.
     */
    public final OrderCommand totalsReport()
    {
        return control(CommandType.TOTALS_REPORT, Side.BID, 0, 0, 0, 0, 0, 0);
    }

    /**
     * Report the hash of the state.
     *
     * @return this.
     */
    public final OrderCommand stateHash()
    {
        return control(CommandType.STATE_HASH, Side.BID, 0, 0, 0, 0, 0, 0);
    }

    /**
     * Say how late it is: orders expire.
     *
     * @param timeNs of the clock that the commands' times are of, at least 1; becomes {@link #timestampNs()}.
     * @return this.
     */
    public final OrderCommand tick(final long timeNs)
    {
        return control(CommandType.TICK, Side.BID, 0, 0, 0, 0, 0, timeNs);
    }

    /**
     * Nothing; it is answered.
     *
     * @return this.
     */
    public final OrderCommand nop()
    {
        return control(CommandType.NOP, Side.BID, 0, 0, 0, 0, 0, 0);
    }

    /**
     * Back to the state at the start. For tests: the service refuses it unless it was told not to.
     *
     * @return this.
     */
    public final OrderCommand reset()
    {
        return control(CommandType.RESET, Side.BID, 0, 0, 0, 0, 0, 0);
    }
}

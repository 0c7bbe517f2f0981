package io.millrace.engine.book;

/**
 * What became of a command. Everything but {@link #SUCCESS} is a refusal: the state is as it was and no execution was
 * reported, but for GTD orders whose time the command brought.
 */
public enum CommandResult
{
    /**
     * Done. A placed order may have traded, rest in the book, or have been rejected for want of liquidity, or wait
     * for its stop price, which the executions tell.
     */
    SUCCESS,

    /**
     * The command's type byte is none of {@code io.millrace.engine.CommandType}, or RESET and the service is not told
     * to allow it.
     */
    UNKNOWN_COMMAND,

    /**
     * The engine has no such symbol.
     */
    UNKNOWN_SYMBOL,

    /**
     * The order type byte is none of {@link OrderType}.
     */
    UNKNOWN_ORDER_TYPE,

    /**
     * The side byte is none of {@link Side}.
     */
    WRONG_SIDE,

    /**
     * The size is not in 1 to {@link SymbolSpec#maxSize()}, a reduction is not at least 1, or a new size is not more
     * than what has traded.
     */
    WRONG_SIZE,

    /**
     * The price is not in {@link SymbolSpec#minPrice()} to {@link SymbolSpec#maxPrice()}, or a budget is negative.
     */
    WRONG_PRICE,

    /**
     * An order with this id rests in this book now, or waits for its stop price.
     */
    DUPLICATE_ORDER,

    /**
     * No order with this id rests in this book or waits for its stop price, or it is another user's.
     */
    UNKNOWN_ORDER,

    /**
     * A bid of a spot symbol cannot be moved or replaced above the price that it holds money for.
     */
    PRICE_OVER_RISK_LIMIT,

    /**
     * There are as many orders, resting or untriggered, as the symbol has room for, and this one would have to rest
     * without trading. Orders that trade, cancels, reductions and moves still work.
     */
    BOOK_FULL,

    /**
     * The self-trade policy byte is none of {@link SelfTradePolicy}.
     */
    UNKNOWN_SELF_TRADE_POLICY,

    /**
     * The stop price of a STOP or STOP_LIMIT is not in the symbol's range of prices.
     */
    WRONG_STOP_PRICE,

    /**
     * The display size of an ICEBERG is not in 1 to its size, or it would take more than {@link OrderType#MAX_SLICES}
     * parts.
     */
    WRONG_DISPLAY_SIZE,

    /**
     * The expiry time of a GTD is below 1, or not after the time of the command.
     */
    WRONG_EXPIRY,

    /**
     * The order type takes no parameter, and the command has one that is not 0.
     */
    WRONG_PARAMETER,

    /**
     * A POST_ONLY order would trade at its price now, or at its new one.
     */
    WOULD_TRADE,

    /**
     * A stop that has not triggered cannot be moved or replaced.
     */
    NOT_TRIGGERED,

    /**
     * An ask's price, or the budget of all of it, does not pay the taker's fee: it is below the symbol's floor for
     * asks.
     */
    ASK_BELOW_FEE,

    /**
     * The symbol is halted: only CANCEL and REDUCE are carried out. Also of a symbol that is to be halted again.
     */
    SYMBOL_HALTED,

    /**
     * The symbol to resume is not halted.
     */
    SYMBOL_NOT_HALTED,

    /**
     * The symbol to add is there already.
     */
    SYMBOL_EXISTS,

    /**
     * The symbol to remove still has orders or positions.
     */
    SYMBOL_NOT_EMPTY,

    /**
     * There are as many symbols as the engine has room for.
     */
    SYMBOLS_FULL,

    /**
     * The engine keeps no users and no balances.
     */
    NO_RISK,

    /**
     * There is no such user, or it is suspended.
     */
    UNKNOWN_USER,

    /**
     * The user to add is there already.
     */
    USER_EXISTS,

    /**
     * The user to resume is not suspended.
     */
    USER_NOT_SUSPENDED,

    /**
     * The user to suspend has an open position, or an order waits for one.
     */
    USER_HAS_POSITIONS,

    /**
     * The user to suspend has orders, resting or untriggered.
     */
    USER_HAS_ORDERS,

    /**
     * The user to suspend has an account that is not 0.
     */
    USER_HAS_BALANCE,

    /**
     * There are as many users as the engine has room for.
     */
    USERS_FULL,

    /**
     * There are as many accounts as the engine has room for.
     */
    ACCOUNTS_FULL,

    /**
     * There are as many positions as the engine has room for.
     */
    POSITIONS_FULL,

    /**
     * The last adjustment of this user's balances had this id.
     */
    ALREADY_APPLIED_SAME,

    /**
     * The last adjustment of this user's balances had a greater id.
     */
    ALREADY_APPLIED_MANY,

    /**
     * The adjustment would take the balance below zero.
     */
    BALANCE_NSF,

    /**
     * The adjustment would take the sum of all adjustments of the currency beyond its limit.
     */
    BALANCE_OVERFLOW,

    /**
     * The free balance does not cover what a spot order has to hold.
     */
    RISK_NSF,

    /**
     * The free balance does not cover the margin that a position and its orders require, or would not after a
     * withdrawal.
     */
    RISK_MARGIN,

    /**
     * What the order has to hold is beyond the limit of a hold.
     */
    RISK_OVERFLOW,

    /**
     * A spot bid's reserve price is below its limit.
     */
    RESERVE_BELOW_PRICE,

    /**
     * The reserve price of a spot bid with a budget is not the budget.
     */
    RESERVE_NOT_BUDGET,

    /**
     * The order could take the position beyond the symbol's limit.
     */
    POSITION_LIMIT,

    /**
     * The user has given as many commands in this interval as it may.
     */
    RATE_LIMIT,

    /**
     * The user has as many open orders as it may.
     */
    TOO_MANY_ORDERS,

    /**
     * The specification or the terms of the symbol to add are out of range, or missing, or not wanted.
     */
    WRONG_TERMS,

    /**
     * The time of a TICK is below 1.
     */
    WRONG_TIME,

    /**
     * There are as many currencies as the engine has room for.
     */
    CURRENCIES_FULL,

    /**
     * All that the user has open in the currency could, at the worst prices, take a position or all of it below the
     * limit of debt.
     */
    RISK_DEBT;

    /**
     * The result as a byte, for events and wire formats.
     *
     * @return its number, from 0; it never changes.
     */
    public byte code()
    {
        return (byte)ordinal();
    }
}

package io.millrace.engine.book;

/**
 * Result of a command. All results except {@link #SUCCESS} are refusals: the state is unchanged and no execution was
 * reported, except that GTD orders due at the command's time expire.
 */
public enum CommandResult
{
    /**
     * Executed. A placed order may have traded, may rest, may wait for its stop price, or was rejected for lack of
     * liquidity; see its executions.
     */
    SUCCESS,

    /**
     * The type byte is not a {@code io.millrace.engine.CommandType}, or it is RESET and the service does not allow
     * RESET.
     */
    UNKNOWN_COMMAND,

    /**
     * The engine has no such symbol.
     */
    UNKNOWN_SYMBOL,

    /** The order type byte is not an {@link OrderType}. */
    UNKNOWN_ORDER_TYPE,

    /** The side byte is not a {@link Side}. */
    WRONG_SIDE,

    /**
     * The size is not in 1 to {@link SymbolSpec#maxSize()}, a reduction is less than 1, or a new size is not more than
     * the traded quantity.
     */
    WRONG_SIZE,

    /** The price is not in {@link SymbolSpec#minPrice()} to {@link SymbolSpec#maxPrice()}, or a budget is negative. */
    WRONG_PRICE,

    /** An order with this id already rests in this book or waits for its stop price. */
    DUPLICATE_ORDER,

    /** No order with this id rests in this book or waits for its stop price, or the order belongs to another user. */
    UNKNOWN_ORDER,

    /** A bid of a spot symbol cannot be moved or replaced above its reserve price. */
    PRICE_OVER_RISK_LIMIT,

    /**
     * The number of orders, resting or untriggered, equals the symbol's order capacity, and this one would have to rest
     * without trading. Orders that trade are still accepted. CANCEL, REDUCE, MOVE and REPLACE still work.
     */
    BOOK_FULL,

    /** The self-trade policy byte is not a {@link SelfTradePolicy}. */
    UNKNOWN_SELF_TRADE_POLICY,

    /**
     * The stop price of a STOP or STOP_LIMIT is not in the symbol's range of prices.
     */
    WRONG_STOP_PRICE,

    /**
     * The display size of an ICEBERG is not in 1 to its size, or the order would need more than
     * {@link OrderType#MAX_SLICES} slices.
     */
    WRONG_DISPLAY_SIZE,

    /**
     * The expiry time of a GTD is below 1, or not after the time of the command.
     */
    WRONG_EXPIRY,

    /** The order type takes no parameter, but the command has one that is not 0. */
    WRONG_PARAMETER,

    /** A POST_ONLY order would trade at its price, or at its new price. */
    WOULD_TRADE,

    /**
     * A stop that has not triggered cannot be moved or replaced.
     */
    NOT_TRIGGERED,

    /**
     * The price of an ask, or its budget for each lot, is below the symbol's minimum ask price: it might not pay the
     * fee.
     */
    ASK_BELOW_FEE,

    /** The symbol is halted: only CANCEL and REDUCE are executed. Also the result of a second halt. */
    SYMBOL_HALTED,

    /**
     * The symbol to resume is not halted.
     */
    SYMBOL_NOT_HALTED,

    /** The symbol to add already exists. */
    SYMBOL_EXISTS,

    /**
     * The symbol to remove still has orders or positions.
     */
    SYMBOL_NOT_EMPTY,

    /** The engine has no capacity for another symbol. */
    SYMBOLS_FULL,

    /** The engine has no users and no balances. */
    NO_RISK,

    /** The user does not exist or is suspended. */
    UNKNOWN_USER,

    /** The user to add already exists. */
    USER_EXISTS,

    /**
     * The user to resume is not suspended.
     */
    USER_NOT_SUSPENDED,

    /** The user to suspend has an open position, or an order that may open one. */
    USER_HAS_POSITIONS,

    /**
     * The user to suspend has orders, resting or untriggered.
     */
    USER_HAS_ORDERS,

    /** The user to suspend has an account whose balance is not 0. */
    USER_HAS_BALANCE,

    /** The engine has no capacity for another user. */
    USERS_FULL,

    /** The engine has no capacity for another account. */
    ACCOUNTS_FULL,

    /** The engine has no capacity for another position. */
    POSITIONS_FULL,

    /**
     * The last adjustment of this user's balances had this id.
     */
    ALREADY_APPLIED_SAME,

    /**
     * The last adjustment of this user's balances had a greater id.
     */
    ALREADY_APPLIED_MANY,

    /** The adjustment would make the balance negative. */
    BALANCE_NSF,

    /**
     * The adjustment would take the sum of all adjustments of the currency beyond its limit.
     */
    BALANCE_OVERFLOW,

    /** The free balance does not cover the reserve of a spot order. */
    RISK_NSF,

    /**
     * The free balance does not cover the margin of a position and its orders, or would not cover it after a
     * withdrawal.
     */
    RISK_MARGIN,

    /** The reserve of the order exceeds the limit of a reserve. */
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

    /** The user has given the greatest allowed number of commands in this interval. */
    RATE_LIMIT,

    /** The user has the greatest allowed number of open orders. */
    TOO_MANY_ORDERS,

    /** The specification or the terms of the symbol to add are out of range, missing, or not allowed. */
    WRONG_TERMS,

    /**
     * The time of a TICK is below 1.
     */
    WRONG_TIME,

    /** The engine has no capacity for another currency. */
    CURRENCIES_FULL,

    /**
     * In the worst case, the user's open orders and positions in the currency could fall below the limit of debt, alone
     * or together.
     */
    RISK_DEBT,

    /** The size is above the symbol's greatest order size. */
    ORDER_TOO_LARGE,

    /** The limit is outside the symbol's price band. */
    OUTSIDE_PRICE_BAND;

    /**
     * The result as a byte, for events and wire formats.
     * @return its number, from 0; the number of a constant never changes.
     */
    public byte code()
    {
        return (byte)ordinal();
    }
}

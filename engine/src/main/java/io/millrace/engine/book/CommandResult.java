package io.millrace.engine.book;

/**
 * What became of a command. Everything but {@link #SUCCESS} is a refusal: the state is as it was and no execution was
 * reported.
 */
public enum CommandResult
{
    /**
     * Done. A placed order may have traded, rest in the book, or have been rejected for want of liquidity (IOC, MARKET,
     * FOK_BUDGET), which the executions tell.
     */
    SUCCESS,

    /**
     * The command's type byte is none of {@code io.millrace.engine.CommandType}.
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
     * The size is not in 1 to {@link SymbolSpec#maxSize()}, or a reduction is not at least 1.
     */
    WRONG_SIZE,

    /**
     * The price is not in 0 to {@link SymbolSpec#MAX_PRICE}, or a budget is negative.
     */
    WRONG_PRICE,

    /**
     * An order with this id rests in this book now.
     */
    DUPLICATE_ORDER,

    /**
     * No order with this id rests in this book, or it is another user's.
     */
    UNKNOWN_ORDER,

    /**
     * A bid of a spot symbol cannot move above the price that it holds money for.
     */
    PRICE_OVER_RISK_LIMIT,

    /**
     * As many orders rest as the symbol has room for, and this one would have to rest without trading. Orders that
     * trade, cancels, reductions and moves still work.
     */
    BOOK_FULL;

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

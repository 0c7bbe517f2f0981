package io.millrace.engine.book;

/**
 * The fields of a command about an order, as {@link OrderBook#execute} reads them. {@link BookCommand} stores them; an
 * event or a record that has them already can implement this instead of a copy. The fields must not change until the
 * call returns, so a listener must not change them. A book is fastest when its commands are of one class, or two.
 */
public interface CommandFields
{
    /**
     * The type of the command.
     *
     * @return a constant of {@link BookCommand}; any other byte is UNKNOWN_COMMAND.
     */
    byte commandType();

    /**
     * The order type.
     *
     * @return see {@link OrderType}.
     */
    byte orderType();

    /**
     * The side.
     *
     * @return see {@link Side}.
     */
    byte side();

    /**
     * The self-trade policy.
     *
     * @return see {@link SelfTradePolicy}.
     */
    byte selfTradePolicy();

    /**
     * The order.
     *
     * @return its id.
     */
    long orderId();

    /**
     * The user of the order.
     *
     * @return any number.
     */
    long uid();

    /**
     * Limit, budget or new limit.
     *
     * @return in price steps; a budget in price steps times lots.
     */
    long price();

    /**
     * Size, reduction or new size.
     *
     * @return in lots.
     */
    long size();

    /**
     * The reserve price of a new order.
     *
     * @return in price steps.
     */
    long reservePrice();

    /**
     * Stop price, display size or expiry of a new order.
     *
     * @return in price steps, lots or nanoseconds; 0 for other types.
     */
    long parameter();
}

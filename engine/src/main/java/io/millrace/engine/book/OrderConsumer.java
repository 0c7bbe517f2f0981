package io.millrace.engine.book;

/**
 * Receives resting orders by priority.
 */
@FunctionalInterface
public interface OrderConsumer
{
    /**
     * Receives one order.
     * @param orderId      its id.
     * @param uid          its user.
     * @param side         its side, see {@link Side}.
     * @param price        its limit, in price steps.
     * @param size         its size without the quantity removed by REDUCE, in lots.
     * @param filled       traded quantity, in lots.
     * @param reservePrice reserve price of its command, in price steps.
     */
    void onOrder(long orderId, long uid, byte side, long price, long size, long filled, long reservePrice);

    /**
     * Visible quantity of the order that the next call reports: what the messages of orders show of it, see
     * {@link MarketDataListener}. By default it does nothing.
     * @param orderId its id.
     * @param visible lots; 0 for an untriggered stop.
     */
    default void onVisible(final long orderId, final long visible)
    {
    }

    /**
     * Receives one order with all fields of its command. The book calls this method; by default it calls
     * {@link #onOrder}.
     * @param orderId      its id.
     * @param uid          its user.
     * @param type         its type, see {@link OrderType}. A triggered stop has become a GTC, so a STOP or STOP_LIMIT
     *                     is untriggered.
     * @param side         its side, see {@link Side}.
     * @param selfTrade    its policy, see {@link SelfTradePolicy}.
     * @param price        its limit, in price steps; 0 for a STOP.
     * @param size         its size without the quantity removed by REDUCE, in lots.
     * @param filled       traded quantity, in lots.
     * @param reservePrice reserve price of its command, in price steps.
     * @param parameter    stop price, display size or expiry time; 0 for types without a parameter.
     */
    default void onOpenOrder(
        final long orderId,
        final long uid,
        final byte type,
        final byte side,
        final byte selfTrade,
        final long price,
        final long size,
        final long filled,
        final long reservePrice,
        final long parameter)
    {
        onOrder(orderId, uid, side, price, size, filled, reservePrice);
    }
}

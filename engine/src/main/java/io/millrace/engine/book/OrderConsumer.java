package io.millrace.engine.book;

/**
 * Is told of resting orders, in the order of their priority.
 */
@FunctionalInterface
public interface OrderConsumer
{
    /**
     * One order.
     *
     * @param orderId      its id.
     * @param uid          its user.
     * @param side         its side, see {@link Side}.
     * @param price        its limit, in price steps.
     * @param size         its size without what was taken off by REDUCE, in lots.
     * @param filled       how much of it has traded, in lots.
     * @param reservePrice the reserve price that it came with, in price steps.
     */
    void onOrder(long orderId, long uid, byte side, long price, long size, long filled, long reservePrice);

    /**
     * The same order with all that its command said. This is what a book calls; it calls {@link #onOrder} unless it is
     * overridden.
     *
     * @param orderId      its id.
     * @param uid          its user.
     * @param type         its type, see {@link OrderType}: a stop that has triggered has become a GTC, so a STOP or a
     *                     STOP_LIMIT here is untriggered.
     * @param side         its side, see {@link Side}.
     * @param selfTrade    its policy, see {@link SelfTradePolicy}.
     * @param price        its limit, in price steps; 0 of a STOP.
     * @param size         its size without what was taken off by REDUCE, in lots.
     * @param filled       how much of it has traded, in lots.
     * @param reservePrice the reserve price that it came with, in price steps.
     * @param parameter    stop price, display size or expiry time, 0 for types without.
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

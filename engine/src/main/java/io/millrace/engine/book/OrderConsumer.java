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
}

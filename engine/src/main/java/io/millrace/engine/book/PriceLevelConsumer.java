package io.millrace.engine.book;

/**
 * Receives price levels, best first.
 */
@FunctionalInterface
public interface PriceLevelConsumer
{
    /**
     * Receives one level.
     * @param side   its side, see {@link Side}.
     * @param price  in price steps.
     * @param volume visible open quantity of all its orders, in lots.
     * @param orders number of orders.
     */
    void onLevel(byte side, long price, long volume, int orders);
}

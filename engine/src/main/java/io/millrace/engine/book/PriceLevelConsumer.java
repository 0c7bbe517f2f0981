package io.millrace.engine.book;

/**
 * Is told of price levels, best first.
 */
@FunctionalInterface
public interface PriceLevelConsumer
{
    /**
     * One level.
     *
     * @param side   its side, see {@link Side}.
     * @param price  in price steps.
     * @param volume what is left of all its orders, in lots.
     * @param orders how many orders.
     */
    void onLevel(byte side, long price, long volume, int orders);
}

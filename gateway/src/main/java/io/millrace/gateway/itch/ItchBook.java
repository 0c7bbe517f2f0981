package io.millrace.gateway.itch;

/**
 * Order book of one stock. The application hands it in, because the gateway does not depend on the engine. A call that
 * is impossible, such as a delete of an unknown order, returns false and changes nothing. No call may allocate or
 * block. One thread.
 */
public interface ItchBook
{
    /** Makes the books. */
    @FunctionalInterface
    interface Factory
    {
        /**
         * A book for a stock. Called by the polling thread at the first order of the stock; may allocate.
         *
         * @param stockLocate number of the stock on this day, 0 to 65,535.
         * @param symbol      its name, see {@link io.millrace.gateway.Symbols}.
         * @return an empty book, or null to ignore the stock.
         */
        ItchBook newBook(int stockLocate, long symbol);
    }

    /**
     * Add an order behind all others at its price.
     *
     * @param reference its number, any 64 bits.
     * @param isBid     side.
     * @param price     dollars x 10,000, 0 to 4,294,967,295.
     * @param shares    0 to 4,294,967,295; refuse 0.
     * @return whether the book changed.
     */
    boolean add(long reference, boolean isBid, long price, long shares);

    /**
     * Execute a part of an order or all of it.
     *
     * @param reference of the order.
     * @param shares    executed.
     * @return whether the book changed.
     */
    boolean execute(long reference, long shares);

    /**
     * Take back a part of an order.
     *
     * @param reference of the order.
     * @param shares    taken back.
     * @return whether the book changed.
     */
    boolean cancel(long reference, long shares);

    /**
     * Delete an order.
     *
     * @param reference of the order.
     * @return whether the book changed.
     */
    boolean delete(long reference);

    /**
     * Replace an order by a new one on the same side, behind all others at its price.
     *
     * @param reference    of the order.
     * @param newReference of the new one.
     * @param price        of the new one, dollars x 10,000.
     * @param shares       of the new one.
     * @return whether the book changed.
     */
    boolean replace(long reference, long newReference, long price, long shares);

    /** @return best price to buy at, dollars x 10,000; 0 without a bid. */
    long bidPrice();

    /** @return shares at the best bid; 0 without a bid. */
    long bidShares();

    /** @return best price to sell at, dollars x 10,000; 0 without an ask. */
    long askPrice();

    /** @return shares at the best ask; 0 without an ask. */
    long askShares();
}

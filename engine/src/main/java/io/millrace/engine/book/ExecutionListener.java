package io.millrace.engine.book;

/**
 * Receives the executions of a book in the order in which they happen. The calls are on the thread of the command,
 * before the command returns. All arguments are primitives, so a call allocates nothing.
 * <p>
 * A listener may query the book during a call. The book is consistent except for the order that the command currently
 * processes. That order is not in a queue, a level or the hash:
 * <ul>
 * <li>An order that is being placed is not visible.</li>
 * <li>An order that is being moved is counted by {@link OrderBook#orderCount()}. {@link OrderBook#withOrder} reports it
 * at its new price, with the filled size from before the move. {@link OrderBook#verify()} throws because of it.</li>
 * <li>An entering STOP is like a placed order, an entering STOP_LIMIT like a moved one. Other triggered stops still
 * wait to enter.</li>
 * </ul>
 * A listener must not give a command to the book; checked mode refuses that ({@link ListenerGuard}). A listener must
 * not throw: the command would remain half done.
 */
public interface ExecutionListener
{
    /**
     * Two orders traded.
     * @param symbol          symbol of the book.
     * @param makerOrderId    the resting order.
     * @param makerUid        its user.
     * @param makerCompleted  true when nothing of the maker is left; it has then left the book.
     * @param takerOrderId    the incoming order.
     * @param takerUid        its user.
     * @param takerSide       its side, see {@link Side}.
     * @param takerCompleted  true when the taker is filled; false when a part of it was rejected.
     * @param price           the maker's price, in price steps.
     * @param size            traded quantity, in lots.
     * @param bidReservePrice reserve price of the bid, which is the maker or the taker, in price steps.
     */
    void onTrade(
        int symbol,
        long makerOrderId,
        long makerUid,
        boolean makerCompleted,
        long takerOrderId,
        long takerUid,
        byte takerSide,
        boolean takerCompleted,
        long price,
        long size,
        long bidReservePrice);

    /**
     * An order, or a part of it, was rejected because it found no counterparty. Called before the trades of the same
     * order.
     * @param symbol       symbol of the book.
     * @param orderId      the order.
     * @param uid          its user.
     * @param side         its side.
     * @param price        price of the command: a limit in price steps, a budget in price steps times lots, 0 for
     *                     MARKET and STOP.
     * @param size         rejected quantity, in lots.
     * @param reservePrice reserve price of the command, in price steps.
     */
    void onReject(int symbol, long orderId, long uid, byte side, long price, long size, long reservePrice);

    /**
     * An order became smaller without a trade: by a CANCEL, REDUCE or REPLACE, by expiry, or by self-trade prevention.
     * In the last case it may be the incoming order.
     * @param symbol       symbol of the book.
     * @param orderId      the order.
     * @param uid          its user.
     * @param side         its side.
     * @param price        its price, in price steps; 0 for a STOP. For the incoming order as in {@link #onReject}.
     * @param size         quantity of the reduction, in lots.
     * @param completed    true when nothing of the order is left; it has then left the book. False when a part of it
     *                     was rejected.
     * @param reservePrice its reserve price, in price steps.
     */
    void onReduce(
        int symbol, long orderId, long uid, byte side, long price, long size, boolean completed, long reservePrice);

    /**
     * A stop has triggered and enters the book now. Its executions follow within the same command.
     * @param symbol       symbol of the book.
     * @param orderId      the order.
     * @param uid          its user.
     * @param side         its side.
     * @param stopPrice    its stop price, in price steps.
     * @param reservePrice its reserve price, in price steps.
     */
    default void onTrigger(
        final int symbol,
        final long orderId,
        final long uid,
        final byte side,
        final long stopPrice,
        final long reservePrice)
    {
    }

    /**
     * Whether this listener accounts for the orders of the book, as an engine with users does. Orders may then enter by
     * commands only, and {@link BookSnapshot#restoreTo} refuses the book.
     * @return false by default.
     */
    default boolean isAccountable()
    {
        return false;
    }
}

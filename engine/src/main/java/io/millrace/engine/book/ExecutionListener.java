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
     * Two orders traded. The book calls this method; by default it calls the other one.
     * @param tradeId         number of the trade: from 1 in each book, without gaps.
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
    default void onTrade(
        final long tradeId,
        final int symbol,
        final long makerOrderId,
        final long makerUid,
        final boolean makerCompleted,
        final long takerOrderId,
        final long takerUid,
        final byte takerSide,
        final boolean takerCompleted,
        final long price,
        final long size,
        final long bidReservePrice)
    {
        onTrade(symbol, makerOrderId, makerUid, makerCompleted, takerOrderId, takerUid, takerSide, takerCompleted,
            price, size, bidReservePrice);
    }

    /**
     * Two orders traded, without the number of the trade. Not called by a book whose listener implements the method
     * with it. Does nothing by default.
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
    default void onTrade(
        final int symbol,
        final long makerOrderId,
        final long makerUid,
        final boolean makerCompleted,
        final long takerOrderId,
        final long takerUid,
        final byte takerSide,
        final boolean takerCompleted,
        final long price,
        final long size,
        final long bidReservePrice)
    {
    }

    /**
     * An order, or a part of it, was rejected because it found no counterparty, or none inside the price band. Called
     * before the trades of the same order. The book calls this method; by default it calls the other one.
     * @param reason       {@link ExecutionReason#NONE} or {@link ExecutionReason#PRICE_BAND}.
     * @param symbol       symbol of the book.
     * @param orderId      the order.
     * @param uid          its user.
     * @param side         its side.
     * @param price        price of the command: a limit in price steps, a budget in price steps times lots, 0 for
     *                     MARKET and STOP.
     * @param size         rejected quantity, in lots.
     * @param reservePrice reserve price of the command, in price steps.
     */
    default void onReject(
        final byte reason,
        final int symbol,
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final long reservePrice)
    {
        onReject(symbol, orderId, uid, side, price, size, reservePrice);
    }

    /**
     * An order, or a part of it, was rejected, without the reason. Does nothing by default.
     * @param symbol       symbol of the book.
     * @param orderId      the order.
     * @param uid          its user.
     * @param side         its side.
     * @param price        price of the command: a limit in price steps, a budget in price steps times lots, 0 for
     *                     MARKET and STOP.
     * @param size         rejected quantity, in lots.
     * @param reservePrice reserve price of the command, in price steps.
     */
    default void onReject(
        final int symbol,
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final long reservePrice)
    {
    }

    /**
     * An order became smaller without a trade: by a command, by expiry, by self-trade prevention, or at the price band.
     * In the last two cases it may be the incoming order. The book calls this method; by default it calls the other
     * one.
     * @param reason       see {@link ExecutionReason}.
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
    default void onReduce(
        final byte reason,
        final int symbol,
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final boolean completed,
        final long reservePrice)
    {
        onReduce(symbol, orderId, uid, side, price, size, completed, reservePrice);
    }

    /**
     * An order became smaller without a trade, without the reason. Does nothing by default.
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
    default void onReduce(
        final int symbol,
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final boolean completed,
        final long reservePrice)
    {
    }

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

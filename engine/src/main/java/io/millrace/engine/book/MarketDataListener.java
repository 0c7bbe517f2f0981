package io.millrace.engine.book;

/**
 * Receives the changes of a book: each order (L3), each price level (L2), and the tape: trades (L1) and the status of
 * the symbol. The calls are on the thread of the
 * command, before the command returns. All arguments are primitives, so a call allocates nothing. A listener must not
 * give a command to the book, which checked mode refuses ({@link ListenerGuard}), and must not throw.
 * <p>
 * Messages of orders, messages of levels and messages of the tape are numbered separately, per book, from 1 and without
 * gaps. So a reader detects a lost message. For a full picture, call {@link OrderBook#forEachLevel} with
 * {@link OrderBook#levelSequence()}, or {@link OrderBook#forEachOrder} with {@link OrderBook#orderSequence()}, between
 * two commands. The picture contains all messages up to that sequence.
 * <p>
 * The messages do not show the hidden lots of an iceberg. The next slice of an iceberg appears as a new order.
 * Untriggered stops do not appear.
 */
public interface MarketDataListener
{
    /**
     * Whether the book calls the three methods for orders. It asks once, when it is made. True by default; a
     * listener of levels alone saves two calls for each move.
     * @return false to have the messages of orders numbered only.
     */
    default boolean readsOrders()
    {
        return true;
    }

    /**
     * Whether the book calls the method for levels. As {@link #readsOrders}.
     * @return false to have the messages of levels numbered only.
     */
    default boolean readsLevels()
    {
        return true;
    }

    /**
     * An order was appended to the queue at its price.
     * @param symbol   symbol of the book.
     * @param sequence sequence of the messages of orders.
     * @param side     see {@link Side}.
     * @param orderId  the order.
     * @param price    in price steps.
     * @param size     its visible size, in lots.
     */
    void onOrderAdded(int symbol, long sequence, byte side, long orderId, long price, long size);

    /**
     * An order became smaller and keeps its place.
     * @param symbol   symbol of the book.
     * @param sequence sequence of the messages of orders.
     * @param side     see {@link Side}.
     * @param orderId  the order.
     * @param price    in price steps.
     * @param size     its visible size now, in lots.
     */
    void onOrderReduced(int symbol, long sequence, byte side, long orderId, long price, long size);

    /**
     * An order left its queue: it was filled, cancelled or moved, or it goes to the end of its queue.
     * @param symbol   symbol of the book.
     * @param sequence sequence of the messages of orders.
     * @param side     see {@link Side}.
     * @param orderId  the order.
     * @param price    in price steps.
     */
    void onOrderRemoved(int symbol, long sequence, byte side, long orderId, long price);

    /**
     * A level differs from its last message. A command that changes one level several times in a row reports it once:
     * at the end of the command, or when another level changes.
     * @param symbol   symbol of the book.
     * @param sequence sequence of the messages of levels.
     * @param side     see {@link Side}.
     * @param price    in price steps.
     * @param volume   visible volume of its orders, in lots; 0 when the level is gone.
     * @param orders   number of orders; 0 when the level is gone.
     */
    void onLevelChanged(int symbol, long sequence, byte side, long price, long volume, int orders);

    /**
     * Two orders traded. Called before the changes of the maker's order and level. Does nothing by default.
     * @param symbol       symbol of the book.
     * @param sequence     sequence of the messages of the tape.
     * @param tradeId      number of the trade: from 1 in each book, without gaps.
     * @param takerSide    side of the incoming order, see {@link Side}.
     * @param makerOrderId the resting order.
     * @param price        in price steps.
     * @param size         traded quantity, in lots.
     */
    default void onTrade(
        final int symbol,
        final long sequence,
        final long tradeId,
        final byte takerSide,
        final long makerOrderId,
        final long price,
        final long size)
    {
    }

    /**
     * The symbol was halted or resumed. Does nothing by default.
     * @param symbol   symbol of the book.
     * @param sequence sequence of the messages of the tape.
     * @param status   see {@link SymbolStatus}.
     */
    default void onStatus(final int symbol, final long sequence, final byte status)
    {
    }
}

package io.millrace.engine.book;

/**
 * Hears how a book changes: each order (L3) and each price level (L2), on the thread that gave the command and before
 * the command returns. Everything is a primitive, so that nothing is allocated. A listener must not call the book with
 * a command, which checked mode refuses ({@link ListenerGuard}), and must not throw.
 * <p>
 * Both kinds of messages are numbered without gaps, each kind from 1 for each book, so that who misses one knows it.
 * A full picture comes from {@link OrderBook#forEachLevel} with {@link OrderBook#levelSequence()}, or from {@link
 * OrderBook#forEachOrder} with {@link OrderBook#orderSequence()}, between two commands: messages up to that sequence
 * are in it.
 * <p>
 * What an iceberg hides is in neither; what it shows next is a new order to a reader. Stops that have not triggered are
 * not there.
 */
public interface MarketDataListener
{
    /**
     * An order joined the end of the queue at its price.
     *
     * @param sequence of the messages of orders.
     * @param side     see {@link Side}.
     * @param orderId  the order.
     * @param price    in price steps.
     * @param size     what it shows, in lots.
     */
    void onOrderAdded(int symbol, long sequence, byte side, long orderId, long price, long size);

    /**
     * An order became smaller and keeps its place.
     *
     * @param sequence of the messages of orders.
     * @param side     see {@link Side}.
     * @param orderId  the order.
     * @param price    in price steps.
     * @param size     what it shows now, in lots.
     */
    void onOrderReduced(int symbol, long sequence, byte side, long orderId, long price, long size);

    /**
     * An order left its queue: it is filled, cancelled, moved, or goes to the end of its queue.
     *
     * @param sequence of the messages of orders.
     * @param side     see {@link Side}.
     * @param orderId  the order.
     * @param price    in price steps.
     */
    void onOrderRemoved(int symbol, long sequence, byte side, long orderId, long price);

    /**
     * A level is different from what was told last. A command that changes a level several times on end tells it once,
     * at its end or when it comes to another level.
     *
     * @param sequence of the messages of levels.
     * @param side     see {@link Side}.
     * @param price    in price steps.
     * @param volume   what its orders show, in lots; 0 when the level is gone.
     * @param orders   number of orders; 0 when the level is gone.
     */
    void onLevelChanged(int symbol, long sequence, byte side, long price, long volume, int orders);
}

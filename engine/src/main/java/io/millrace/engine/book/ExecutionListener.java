package io.millrace.engine.book;

/**
 * Hears what happens in a book, in the order in which it happens, on the thread that gave the command and before the
 * command returns. Everything is a primitive, so that nothing is allocated.
 * <p>
 * The book may be asked at each call, and is in order but for the order that is on its way: it stands in no queue and
 * no level yet, nor in the hash. An order that is being placed is not there at all. One that is being moved is counted
 * by {@link OrderBook#orderCount()} and told by {@link OrderBook#withOrder}, at its new price, with what it had filled
 * before the move; {@link OrderBook#verify()} throws because of it. A stop that has triggered and enters is like one
 * that is placed if it is a STOP, like one that is moved if it is a STOP_LIMIT; others that have triggered still wait
 * their turn. A listener must not call the book with a command, which checked mode refuses ({@link ListenerGuard}), and
 * must not throw: the command would stay half done.
 */
public interface ExecutionListener
{
    /**
     * Two orders traded.
     *
     * @param makerOrderId    the order that rested.
     * @param makerUid        its user.
     * @param makerCompleted  whether nothing of it is left; it is out of the book then.
     * @param takerOrderId    the order that came.
     * @param takerUid        its user.
     * @param takerSide       its side, see {@link Side}.
     * @param takerCompleted  whether it is filled; never when a part of it was rejected.
     * @param price           the maker's price, in price steps.
     * @param size            how much was traded, in lots.
     * @param bidReservePrice the reserve price of whichever of the two is the bid, in price steps.
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
     * An order, or a part of it, found nobody to trade with and is gone. Comes before the trades of the same order.
     *
     * @param orderId      the order.
     * @param uid          its user.
     * @param side         its side.
     * @param price        the price of the command: a limit in price steps, a budget in price steps times lots, 0 for
     *                     MARKET and STOP.
     * @param size         how much was rejected, in lots.
     * @param reservePrice the reserve price of the command, in price steps.
     */
    void onReject(int symbol, long orderId, long uid, byte side, long price, long size, long reservePrice);

    /**
     * An order became smaller without a trade: by a CANCEL, a REDUCE or a REPLACE, because it expired, or because a
     * trade of a user with itself was prevented. Then it may be the order that comes.
     *
     * @param orderId      the order.
     * @param uid          its user.
     * @param side         its side.
     * @param price        its price, in price steps; 0 for a STOP. Of the order that comes, as for a rejection.
     * @param size         by how much, in lots.
     * @param completed    whether nothing of it is left; it is out of the book then. Never when a part of it was
     *                     rejected.
     * @param reservePrice its reserve price, in price steps.
     */
    void onReduce(
        int symbol, long orderId, long uid, byte side, long price, long size, boolean completed, long reservePrice);

    /**
     * A stop has triggered and enters the book now; what comes of it follows, within the same command.
     *
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
     * Whether this listener keeps account of what the book's orders need, as an engine with users does: then they can
     * come by commands only, and {@link BookSnapshot#restoreTo} refuses the book.
     *
     * @return false unless it says otherwise.
     */
    default boolean isAccountable()
    {
        return false;
    }
}

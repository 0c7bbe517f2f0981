package io.millrace.engine.risk;

import io.millrace.engine.book.OrderConsumer;

/**
 * Receives the report of a user. The order of accounts and of positions is deterministic but has no meaning. By
 * default, all methods do nothing.
 */
public interface UserReportConsumer
{
    /**
     * Receives an account.
     * @param currency the currency.
     * @param balance  free balance, in currency units; negative when a loss of a position exceeded it.
     * @param reserved reserve of the open orders of spot symbols, in currency units.
     */
    default void onAccount(final int currency, final long balance, final long reserved)
    {
    }

    /**
     * Receives a position.
     * @param symbol       the future.
     * @param volume       lots, negative when short, 0 when only orders are open.
     * @param openPriceSum price paid for the volume, in currency units, less the proceeds of partial closes.
     * @param profit       realised since the position was opened, in currency units; it goes to the account when the
     *                     position is closed.
     * @param pendingSell  lots of open asks.
     * @param pendingBuy   lots of open bids.
     */
    default void onPosition(
        final int symbol,
        final long volume,
        final long openPriceSum,
        final long profit,
        final long pendingSell,
        final long pendingBuy)
    {
    }

    /**
     * Receives an open order, resting or untriggered.
     * @param symbol       the symbol; ascending.
     * @param orderId      its id.
     * @param type         see {@link io.millrace.engine.book.OrderType}; a STOP or a STOP_LIMIT is untriggered.
     * @param side         see {@link io.millrace.engine.book.Side}; bids first, each side by priority, then stops.
     * @param selfTrade    see {@link io.millrace.engine.book.SelfTradePolicy}.
     * @param price        its limit, in price steps; 0 for a STOP.
     * @param size         as in {@link OrderConsumer}.
     * @param filled       lots.
     * @param reservePrice in price steps.
     * @param parameter    stop price, display size or expiry time; 0 for types without a parameter.
     */
    default void onOrder(
        final int symbol,
        final long orderId,
        final byte type,
        final byte side,
        final byte selfTrade,
        final long price,
        final long size,
        final long filled,
        final long reservePrice,
        final long parameter)
    {
    }
}

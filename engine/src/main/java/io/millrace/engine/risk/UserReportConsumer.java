package io.millrace.engine.risk;

import io.millrace.engine.book.OrderConsumer;

/**
 * Is told what a user has. The order of accounts and of positions is the same for the same commands, and means nothing.
 * All methods do nothing unless they are overridden.
 */
public interface UserReportConsumer
{
    /**
     * An account.
     *
     * @param currency the currency.
     * @param balance  what can be spent, in currency units; negative when a position's loss was more than there was.
     * @param reserved reserve of the open orders of spot symbols, in currency units.
     */
    default void onAccount(final int currency, final long balance, final long reserved)
    {
    }

    /**
     * A position.
     *
     * @param symbol       the future.
     * @param volume       lots, negative when short, 0 when only orders are open.
     * @param openPriceSum what was paid for the volume, in currency units, less what partial closes have brought in.
     * @param profit       realised since the position was opened, in currency units; it goes to the account when the
     *                     position is gone.
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
     * An open order, resting or untriggered.
     *
     * @param symbol       the symbol; ascending.
     * @param orderId      its id.
     * @param type         see {@link io.millrace.engine.book.OrderType}; a STOP or a STOP_LIMIT is untriggered.
     * @param side         see {@link io.millrace.engine.book.Side}; bids first, each side by priority, then stops.
     * @param selfTrade    see {@link io.millrace.engine.book.SelfTradePolicy}.
     * @param price        its limit, in price steps; 0 of a STOP.
     * @param size         as {@link OrderConsumer} tells it.
     * @param filled       lots.
     * @param reservePrice in price steps.
     * @param parameter    stop price, display size or expiry time, 0 for types without.
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

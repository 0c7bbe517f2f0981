package io.millrace.engine.risk;

/**
 * Receives totals. By default, all methods do nothing.
 */
public interface TotalsConsumer
{
    /**
     * Receives the totals of a currency. Balances, reserves, cash and fees add up to the adjustments.
     * @param currency the currency; in the order of first use.
     * @param balances sum of all balances, in currency units.
     * @param reserved sum of all reserves.
     * @param cash     proceeds of all positions' trades that are not in an account yet: profit, less the price sums of
     *                 long positions, plus the price sums of short ones. Cash and balances wrap when only their sum is
     *                 within a long.
     * @param fees     sum of all fees earned.
     * @param adjusted sum of all balance adjustments.
     */
    default void onCurrency(
        final int currency,
        final long balances,
        final long reserved,
        final long cash,
        final long fees,
        final long adjusted)
    {
    }

    /**
     * Receives the open interest of a future.
     * @param symbol the future; in ascending order of the symbol's slot in the engine.
     * @param longs  lots of all long positions.
     * @param shorts lots of all short positions, the same number.
     */
    default void onOpenInterest(final int symbol, final long longs, final long shorts)
    {
    }
}

package io.millrace.engine.risk;

/**
 * Is told the totals of everything. All methods do nothing unless they are overridden.
 */
public interface TotalsConsumer
{
    /**
     * A currency. Balances, reserves, cash and fees add up to the adjustments.
     *
     * @param currency the currency; in the order in which they were first named.
     * @param balances sum of all balances, in currency units.
     * @param reserved sum of all reserves.
     * @param cash     sum over all positions of what their trades have brought in and not yet given to an account:
     *                 profit, less the open price sum of long positions, plus that of short ones. It wraps, as balances
     *                 does, where only the sum of both is within a long.
     * @param fees     what the fees have earned.
     * @param adjusted sum of all adjustments of balances.
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
     * The open interest of a future.
     *
     * @param symbol the future; ascending by the place of the symbol in the engine.
     * @param longs  lots of all long positions.
     * @param shorts lots of all short positions, the same number.
     */
    default void onOpenInterest(final int symbol, final long longs, final long shorts)
    {
    }
}

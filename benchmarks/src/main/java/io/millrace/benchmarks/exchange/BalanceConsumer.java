package io.millrace.benchmarks.exchange;

/**
 * Receives the balances of a user at the start.
 */
@FunctionalInterface
public interface BalanceConsumer
{
    /**
     * One account.
     *
     * @param uid      its user. All accounts of a user come one after the other.
     * @param currency its currency.
     * @param amount   in currency units.
     */
    void onBalance(long uid, int currency, long amount);
}

package io.millrace.benchmarks.exchange;

import java.io.Serializable;
import java.util.Locale;

/**
 * Result of an exchange, in few enough numbers to be asked for and compared. The same for every contender.
 *
 * @param trades  trades since the book was filled from empty, the filling included.
 * @param volume  lots traded, likewise.
 * @param rejects REJECT executions, likewise.
 * @param resting orders that rest in the end, of all symbols.
 * @param hash    over what rests in the end: for each symbol of the flow in the order of its index the levels of the
 *                bids, best first, then those of the asks, best first, each as {@link
 *                io.millrace.benchmarks.jmh.book.LevelHash} takes it, all symbols into the same one.
 */
public record ExchangeAnswer(long trades, long volume, long rejects, long resting, long hash) implements Serializable
{
    @Override
    public String toString()
    {
        return String.format(Locale.ROOT, "trades %d volume %d rejects %d resting %d books %016x",
            trades, volume, rejects, resting, hash);
    }
}

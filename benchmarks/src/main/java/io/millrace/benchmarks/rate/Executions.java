package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.flow.FieldChecksum;

import java.io.Serializable;
import java.util.Locale;

/**
 * Result of an order book for its commands, in a few numbers that can be compared.
 *
 * @param trades   trades.
 * @param rejects  rejected orders and remainders.
 * @param reduces  cancels and reductions.
 * @param refused  commands that the book refused.
 * @param checksum over all fields of all executions and results in their order; see {@link ExecutionLedger}.
 * @param resting  orders that rest in the end.
 */
public record Executions(long trades, long rejects, long reduces, long refused, long checksum, int resting)
    implements Serializable
{
    /**
     * Of a handler that matches nothing.
     */
    public static final Executions NONE = new Executions(0, 0, 0, 0, FieldChecksum.START, 0);

    @Override
    public String toString()
    {
        return String.format(Locale.ROOT, "TRADE %d REJECT %d REDUCE %d refused %d resting %d checksum %016x",
            trades, rejects, reduces, refused, resting, checksum);
    }
}

package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.flow.CommandWord;
import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.benchmarks.harness.Round;

import java.io.Serializable;
import java.util.Locale;

/**
 * Answer of a path in one round, including the events before the measurement. It is compared with the expected answer
 * of the input.
 *
 * @param checksum   over all fields of all events handled.
 * @param counts     events handled by kind of command, one number for each counter of {@link CommandWord}.
 * @param executions result of an order book for them.
 */
public record RateAnswer(long checksum, long[] counts, Executions executions) implements Serializable
{
    /**
     * Compare with what the input gives.
     *
     * @param round    the round.
     * @param leadIn   events that went ahead.
     * @param commands the input.
     * @param expected what an order book does with as many of them as were sent.
     * @return null when the answer is right, else one line that says what is wrong.
     */
    public String wrong(
        final Round round, final long leadIn, final CommandColumns commands, final Executions expected)
    {
        if (round.offered() != round.handled() + round.rejected() + round.dropped())
        {
            return "offered " + round.offered() + " != handled " + round.handled() + " + rejected " +
                round.rejected() + " + dropped " + round.dropped();
        }
        if (round.dropped() != 0)
        {
            // After a dropped event the handler sees another sequence than the file's, so all checks below would fail.
            return round.dropped() + " events were dropped by a path that must not drop";
        }
        final long sent = leadIn + round.sent();
        final long sum = commands.checksum(sent);
        if (round.handled() != round.sent() || checksum != sum)
        {
            return String.format(Locale.ROOT,
                "checksum %016x over %d handled events, but the %d published ones give %016x",
                checksum, leadIn + round.handled(), sent, sum);
        }
        final var should = CommandWord.byName(commands.counts(sent));
        final var is = CommandWord.byName(counts);
        if (!should.equals(is))
        {
            return "counts by command " + is + " instead of " + should;
        }
        return executions.equals(expected) ? null : "executions " + executions + " instead of " + expected;
    }
}

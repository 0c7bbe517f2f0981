package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.flow.CommandWord;
import io.millrace.benchmarks.flow.RecordedCommands;

import org.HdrHistogram.Histogram;

/**
 * What one round of one contender came to.
 *
 * @param plan        how it was run.
 * @param startMs     start of the timed part, in milliseconds since 1970.
 * @param elapsedNs   from the first intended time to the end of the last event, and an interval.
 * @param sent        events published, the untimed ones included.
 * @param handled     events handled, the untimed ones included.
 * @param rejected    timed events that were given up.
 * @param dropped     events that the path dropped by its own counters.
 * @param fullWaits   timed events that found the path full and waited.
 * @param intended    latencies from the intended time, in nanoseconds.
 * @param direct      latencies from the actual send, in nanoseconds.
 * @param checksum    over all fields of all events handled.
 * @param counts      events handled by kind of command.
 * @param executions  what an order book did with them.
 * @param source      what the sending thread used in the timed part.
 * @param handler     what the handling thread used in the timed part.
 * @param gcCount     garbage collections in the timed part.
 * @param steal       part of the measured CPUs' time that the host took away, 0 to 1; not a number when not known.
 * @param runnable    threads that were ready to run on the measured CPUs, on average over the timed part: the two, and
 *                    others for as long as one of the two had to wait; not a number when not known.
 * @param placement   where both threads ran, in words.
 */
public record RoundResult(
    RoundPlan plan,
    long startMs,
    long elapsedNs,
    long sent,
    long handled,
    long rejected,
    long dropped,
    long fullWaits,
    Histogram intended,
    Histogram direct,
    long checksum,
    long[] counts,
    Executions executions,
    ThreadProbe.Usage source,
    ThreadProbe.Usage handler,
    long gcCount,
    double steal,
    double runnable,
    String placement)
{
    private static final long NS_PER_MS = 1_000_000L;

    /**
     * Read an answer.
     *
     * @param plan the plan that was asked for.
     * @param line the answer.
     * @return the result.
     */
    public static RoundResult from(final RoundPlan plan, final WireLine line)
    {
        final RoundResult result = new RoundResult(
            plan,
            line.number("startMs"),
            line.number("elapsedNs"),
            line.number("sent"),
            line.number("handled"),
            line.number("rejected"),
            line.number("dropped"),
            line.number("fullWaits"),
            line.histogram("intended"),
            line.histogram("direct"),
            line.number("checksum"),
            line.longs("counts"),
            Executions.of(line.longs("executions")),
            usage(line.longs("source")),
            usage(line.longs("handler")),
            line.number("gcCount"),
            line.fraction("steal"),
            line.fraction("runnable"),
            line.text("placement"));
        result.intended.setStartTimeStamp(result.startMs);
        result.intended.setEndTimeStamp(result.startMs + result.elapsedNs / NS_PER_MS);
        return result;
    }

    private static ThreadProbe.Usage usage(final long[] values)
    {
        return new ThreadProbe.Usage(values[0], values[1], values[2]);
    }

    private static long[] values(final ThreadProbe.Usage usage)
    {
        return new long[] {usage.cpuNs(), usage.allocatedBytes(), usage.involuntarySwitches()};
    }

    /**
     * Write as an answer.
     *
     * @return the line.
     */
    public WireLine toLine()
    {
        return new WireLine("done")
            .put("startMs", startMs)
            .put("elapsedNs", elapsedNs)
            .put("sent", sent)
            .put("handled", handled)
            .put("rejected", rejected)
            .put("dropped", dropped)
            .put("fullWaits", fullWaits)
            .putHistogram("intended", intended)
            .putHistogram("direct", direct)
            .put("checksum", checksum)
            .putLongs("counts", counts)
            .putLongs("executions", executions.values())
            .putLongs("source", values(source))
            .putLongs("handler", values(handler))
            .put("gcCount", gcCount)
            .put("steal", steal)
            .put("runnable", runnable)
            .put("placement", placement);
    }

    /**
     * Events handled per second, from the first intended time to the end of the last event. The untimed ones do not
     * count.
     *
     * @return a rate.
     */
    public double achievedPerSecond()
    {
        return elapsedNs <= 0 ? 0.0 : intended.getTotalCount() * 1e9 / elapsedNs;
    }

    /**
     * Bytes allocated on both threads.
     *
     * @return bytes in the timed part.
     */
    public long allocatedBytes()
    {
        return source.allocatedBytes() + handler.allocatedBytes();
    }

    /**
     * CPU time of both threads.
     *
     * @return nanoseconds in the timed part.
     */
    public long cpuNs()
    {
        return source.cpuNs() + handler.cpuNs();
    }

    /**
     * How often one of the threads was put off its CPU.
     *
     * @return a count in the timed part.
     */
    public long involuntarySwitches()
    {
        return source.involuntarySwitches() + handler.involuntarySwitches();
    }

    /**
     * Compare with what the input gives.
     *
     * @param commands the input.
     * @param expected what an order book does with as many of them as were sent.
     * @return null when the answer is right, else one line that says what is wrong.
     */
    public String wrongAnswer(final RecordedCommands commands, final Executions expected)
    {
        final long offered = plan.leadIn() + plan.events();
        if (offered != handled + rejected + dropped)
        {
            return "offered " + offered + " != handled " + handled + " + rejected " + rejected +
                " + dropped " + dropped;
        }
        if (dropped != 0)
        {
            // A dropped event leaves the handler with another sequence than the file's, so nothing below would hold.
            return dropped + " events were dropped by a path that must not drop";
        }
        final long sum = commands.checksum(sent);
        if (handled != sent || checksum != sum)
        {
            return String.format("checksum %016x over %d handled events, but the %d published ones give %016x",
                checksum, handled, sent, sum);
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

package io.millrace.benchmarks.exchange;

import org.HdrHistogram.Histogram;

import io.millrace.benchmarks.rate.ThreadProbe;
import io.millrace.benchmarks.rate.WireLine;

/**
 * What one round of one contender came to. Only the timed commands count, not those that fill the books.
 *
 * @param perSecond commands per second asked for; 0 is flat out.
 * @param asked     commands that the round was to send.
 * @param sent      commands that it sent. Fewer than asked when the rest was given up, half a round too late.
 * @param handled   commands whose executions are done with; as many as were sent, or the round is wrong.
 * @param fullWaits commands that found no room at first and waited.
 * @param startMs   start of the timed part, in milliseconds since 1970.
 * @param elapsedNs from the time at which the first command was meant to be sent to the end of the last one.
 * @param intended  latencies from the time at which a command was meant to be sent to its result, in nanoseconds; empty
 *                  for a round flat out.
 * @param source    what the sending thread used in the timed part.
 * @param handler   what the handling thread used, or all handling threads together.
 * @param threads   how many threads were busy: the sending and the handling ones.
 * @param gcCount   garbage collections in the timed part.
 * @param steal     part of the measured CPUs' time that the host took away, 0 to 1; not a number when not known.
 * @param runnable  CPUs that the contender uses, and on average over the timed part how many more threads it would have
 *                  taken to give it those all the time: others had them. Not a number when not known.
 * @param placement where the threads ran, in words.
 * @param answer    what it came to when the last command that was sent had been handled.
 */
public record ExchangeRound(
    long perSecond,
    long asked,
    long sent,
    long handled,
    long fullWaits,
    long startMs,
    long elapsedNs,
    Histogram intended,
    ThreadProbe.Usage source,
    ThreadProbe.Usage handler,
    int threads,
    long gcCount,
    double steal,
    double runnable,
    String placement,
    ExchangeAnswer answer)
{
    private static final long NS_PER_MS = 1_000_000L;
    private static final double NS_PER_S = 1e9;

    /**
     * Read an answer.
     *
     * @param line the answer.
     * @return the round.
     */
    public static ExchangeRound from(final WireLine line)
    {
        final ExchangeRound round = new ExchangeRound(
            line.number("perSecond"),
            line.number("asked"),
            line.number("sent"),
            line.number("handled"),
            line.number("fullWaits"),
            line.number("startMs"),
            line.number("elapsedNs"),
            line.histogram("intended"),
            usage(line.longs("source")),
            usage(line.longs("handler")),
            (int)line.number("threads"),
            line.number("gcCount"),
            line.fraction("steal"),
            line.fraction("runnable"),
            line.text("placement"),
            ExchangeAnswer.of(line.longs("answer")));
        round.intended.setStartTimeStamp(round.startMs);
        round.intended.setEndTimeStamp(round.startMs + round.elapsedNs / NS_PER_MS);
        return round;
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
            .put("perSecond", perSecond)
            .put("asked", asked)
            .put("sent", sent)
            .put("handled", handled)
            .put("fullWaits", fullWaits)
            .put("startMs", startMs)
            .put("elapsedNs", elapsedNs)
            .putHistogram("intended", intended)
            .putLongs("source", values(source))
            .putLongs("handler", values(handler))
            .put("threads", threads)
            .put("gcCount", gcCount)
            .put("steal", steal)
            .put("runnable", runnable)
            .put("placement", placement)
            .putLongs("answer", answer.values());
    }

    /**
     * Commands handled per second.
     *
     * @return a rate; 0 when nothing was handled.
     */
    public double achievedPerSecond()
    {
        return elapsedNs <= 0 ? 0.0 : handled * NS_PER_S / elapsedNs;
    }

    /**
     * Bytes that the measured threads allocated for each command.
     *
     * @return bytes; 0 when nothing was handled.
     */
    public double bytesPerCommand()
    {
        return handled == 0 ? 0.0 : (double)(source.allocatedBytes() + handler.allocatedBytes()) / handled;
    }

    /**
     * CPU time of the handling threads for each command.
     *
     * @return nanoseconds; 0 when nothing was handled.
     */
    public double handlerNs()
    {
        return handled == 0 ? 0.0 : (double)handler.cpuNs() / handled;
    }
}

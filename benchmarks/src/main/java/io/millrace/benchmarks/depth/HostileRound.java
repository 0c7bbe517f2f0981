package io.millrace.benchmarks.depth;

import io.millrace.benchmarks.jmh.book.BookAnswer;
import io.millrace.benchmarks.rate.Quantile;
import io.millrace.benchmarks.rate.Verdict;
import io.millrace.benchmarks.rate.WireLine;

import org.HdrHistogram.Histogram;

/**
 * One load measured once.
 *
 * @param times     of the single commands, the clock in them.
 * @param clockNs   what reading the clock adds to each, in the middle.
 * @param wholeNs   what the one command of a sweep took, the clock after each trade in it; 0 of another load.
 * @param commands  a count.
 * @param bytes     that the thread allocated for these.
 * @param steal     part of the CPU's time that the host took away, 0 to 1; may be not a number.
 * @param runnable  threads that wanted the CPU, on average over the timed part, this one included; may be not a number.
 * @param placement where the thread ran, in words.
 * @param isRight   whether the answer is right.
 * @param answer    what it came to and should have, in words.
 */
record HostileRound(
    Histogram times,
    long clockNs,
    long wholeNs,
    long commands,
    long bytes,
    double steal,
    double runnable,
    String placement,
    boolean isRight,
    String answer)
{
    static HostileRound of(
        final HostileRun run,
        final Histogram times,
        final Histogram clock,
        final long bytes,
        final double steal,
        final double runnable,
        final String placement)
    {
        final BookAnswer answer = run.answer();
        final BookAnswer wanted = run.wanted();
        return new HostileRound(times, clock.getValueAtPercentile(50.0), run.wholeNs(), run.commands(), bytes, steal,
            runnable, placement, answer.equals(wanted), answer + " instead of " + wanted);
    }

    boolean isClean()
    {
        return !(steal > Verdict.MAX_STEAL);
    }

    /** A percentile of the single commands without the clock, nanoseconds. */
    double ns(final double percentile)
    {
        return Math.max(0, Quantile.of(times, percentile) - clockNs);
    }

    /** What the one command of a sweep took without the clock, nanoseconds; 0 of another load. */
    double sweepNs()
    {
        return Math.max(0, wholeNs - (double)clockNs * commands);
    }

    static HostileRound from(final WireLine line)
    {
        return new HostileRound(line.histogram("times"), line.number("clockNs"), line.number("wholeNs"),
            line.number("commands"), line.number("bytes"), line.fraction("steal"), line.fraction("runnable"),
            line.text("placement"), Boolean.parseBoolean(line.text("isRight")), line.text("answer"));
    }

    WireLine toLine()
    {
        return new WireLine("done").putHistogram("times", times).put("clockNs", clockNs).put("wholeNs", wholeNs)
            .put("commands", commands).put("bytes", bytes).put("steal", steal).put("runnable", runnable)
            .put("placement", placement).put("isRight", isRight).put("answer", answer);
    }
}

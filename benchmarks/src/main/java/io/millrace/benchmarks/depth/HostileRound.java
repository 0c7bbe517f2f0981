package io.millrace.benchmarks.depth;

import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.Readings;
import io.millrace.benchmarks.jmh.book.BookAnswer;
import org.HdrHistogram.Histogram;

import java.io.Serializable;

/**
 * Result of one round under one load.
 *
 * @param times     of the commands by the clock, in nanoseconds.
 * @param clockNs   what reading the clock takes of each, the median.
 * @param wholeNs   how long the one command took that was all of the round; 0 when there were many.
 * @param commands  how many there were, or trades of the one.
 * @param readings  of the thread.
 * @param placement where the thread ran.
 * @param wanted    what was to be expected.
 * @param answer    what the book came to.
 */
record HostileRound(
    Histogram times,
    long clockNs,
    long wholeNs,
    long commands,
    Readings readings,
    String placement,
    BookAnswer wanted,
    BookAnswer answer) implements Serializable
{
    double runnable()
    {
        return readings.runnable(readings.wallNs());
    }

    double bytesPerCommand()
    {
        return (double)readings.allBytes() / commands;
    }

    /** Of a command, minus the cost of reading the clock. */
    double ns(final double percentile)
    {
        return Math.max(0, Quantile.of(times, percentile) - clockNs);
    }

    /** Of the one command, minus the cost of reading the clock at each of its trades. */
    double sweepNs()
    {
        return Math.max(0, wholeNs - (double)clockNs * commands);
    }
}

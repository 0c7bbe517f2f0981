package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.harness.Measurement;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.Readings;
import io.millrace.benchmarks.harness.ThreadProbe;

import java.io.Serializable;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * One round of one book, timed on one thread.
 *
 * @param commands      that were timed.
 * @param readings      of the thread.
 * @param calibrationNs pace of the host around the round, see {@link Calibration}.
 * @param placement     where the thread ran, in words.
 * @param answer        result of the book.
 */
public record BookRound(long commands, Readings readings, double calibrationNs, String placement, BookAnswer answer)
    implements Serializable
{
    /**
     * Time a round on the calling thread.
     *
     * @param cpu         to which the thread is bound, or {@link Pinning#NONE}.
     * @param probe       of the thread.
     * @param calibration before and after the round.
     * @param commands    how many are timed.
     * @param before      the commands before these.
     * @param timed       gives the timed ones to the book.
     * @param answer      result of the book.
     * @return the round.
     */
    public static BookRound measure(
        final int cpu,
        final ThreadProbe probe,
        final Calibration calibration,
        final long commands,
        final Runnable before,
        final Runnable timed,
        final Supplier<BookAnswer> answer)
    {
        final double paceBefore = calibration.stepNs(probe);
        before.run();
        final Measurement measurement = Measurement.start(Pinning.asked(cpu), probe);
        timed.run();
        final Readings readings = measurement.end();
        final double paceAfter = calibration.stepNs(probe);
        return new BookRound(commands, readings, (paceBefore + paceAfter) / 2,
            Pinning.describe(cpu, probe.allowedCpus()), answer.get());
    }

    /** CPU time of a command, in nanoseconds. */
    public double ns()
    {
        return (double)readings.allCpuNs() / commands;
    }

    /** Bytes that the thread allocated for a command. */
    public double bytesPerCommand()
    {
        return (double)readings.allBytes() / commands;
    }

    /**
     * Threads that were ready to run on the thread's CPU.
     *
     * @return 1, and the part of the time in which others had it; not a number when not known.
     */
    public double runnable()
    {
        return readings.runnable(readings.wallNs());
    }

    /**
     * The round in a row of numbers.
     *
     * @return CPU time, wall time, bytes, calibration, steal and runnable threads, parted by commas.
     */
    public String csv()
    {
        return String.format(Locale.ROOT, "%d,%d,%d,%d,%.3f,%.4f,%.3f", commands, readings.allCpuNs(),
            readings.wallNs(), readings.allBytes(), calibrationNs, readings.steal(), runnable());
    }
}

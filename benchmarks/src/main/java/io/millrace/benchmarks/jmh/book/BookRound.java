package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.rate.Verdict;
import io.millrace.benchmarks.rate.WireLine;

/**
 * One contender measured once.
 *
 * @param commands      timed commands.
 * @param cpuNs         CPU time of the thread for these, in nanoseconds.
 * @param wallNs        time that passed.
 * @param bytes         bytes that the thread allocated for these.
 * @param calibrationNs one step of the {@link Calibration}, mean of before and after; nanoseconds.
 * @param steal         part of the CPU's time that the host took away during the round, 0 to 1; may be not a number.
 * @param runnable      threads that wanted the CPU, on average over the timed part, this one included; may be not a
 *                      number.
 * @param placement     where the thread ran, in words.
 * @param answer        what the commands came to.
 */
public record BookRound(
    long commands,
    long cpuNs,
    long wallNs,
    long bytes,
    double calibrationNs,
    double steal,
    double runnable,
    String placement,
    BookAnswer answer)
{
    /**
     * CPU time of a command.
     *
     * @return nanoseconds.
     */
    public double ns()
    {
        return (double)cpuNs / commands;
    }

    /**
     * Bytes allocated for a command.
     *
     * @return bytes.
     */
    public double bytesPerCommand()
    {
        return (double)bytes / commands;
    }

    /**
     * Whether the host left the round in peace.
     *
     * @return false when it took away more than 1 %; true when that is not known.
     */
    public boolean isClean()
    {
        return !(steal > Verdict.MAX_STEAL);
    }

    /**
     * Read an answer.
     *
     * @param line the answer.
     * @return the round.
     */
    public static BookRound from(final WireLine line)
    {
        return new BookRound(line.number("commands"), line.number("cpuNs"), line.number("wallNs"),
            line.number("bytes"), line.fraction("calibrationNs"), line.fraction("steal"),
            line.fraction("runnable"), line.text("placement"), BookAnswer.from(line));
    }

    /**
     * Write as an answer.
     *
     * @return the line.
     */
    public WireLine toLine()
    {
        return answer.putInto(new WireLine("done").put("commands", commands).put("cpuNs", cpuNs)
            .put("wallNs", wallNs).put("bytes", bytes).put("calibrationNs", calibrationNs).put("steal", steal)
            .put("runnable", runnable).put("placement", placement));
    }
}

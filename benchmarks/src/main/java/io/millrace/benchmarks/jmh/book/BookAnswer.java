package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.flow.EventHash;
import io.millrace.benchmarks.rate.WireLine;

/**
 * What a run over the commands came to. Two books that do the same have equal answers.
 *
 * @param events    how many there were.
 * @param eventHash over all of them, see {@link EventHash}.
 * @param refused   commands that the book refused.
 * @param resting   orders that rest at the end.
 * @param levelHash over all levels at the end, see {@link LevelHash}.
 */
public record BookAnswer(long events, long eventHash, long refused, long resting, long levelHash)
{
    /**
     * Write into an answer of a child process.
     *
     * @param line is added to.
     * @return the line.
     */
    public WireLine putInto(final WireLine line)
    {
        return line.put("events", events).put("eventHash", eventHash).put("refused", refused)
            .put("resting", resting).put("levelHash", levelHash);
    }

    /**
     * Read from an answer of a child process.
     *
     * @param line the answer.
     * @return what it says.
     */
    public static BookAnswer from(final WireLine line)
    {
        return new BookAnswer(line.number("events"), line.number("eventHash"), line.number("refused"),
            line.number("resting"), line.number("levelHash"));
    }

    @Override
    public String toString()
    {
        return events + " events " + Long.toHexString(eventHash) + ", " + refused + " refused, " + resting +
            " orders at rest in levels " + Long.toHexString(levelHash);
    }
}

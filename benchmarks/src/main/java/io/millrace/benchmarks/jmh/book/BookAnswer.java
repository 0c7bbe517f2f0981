package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.flow.EventHash;

import java.io.Serializable;
/**
 * Result of a run over the commands. Two books that do the same have equal answers.
 *
 * @param events    how many there were.
 * @param eventHash over all of them, see {@link EventHash}.
 * @param refused   commands that the book refused.
 * @param resting   orders that rest at the end.
 * @param levelHash over all levels at the end, see {@link LevelHash}.
 */
public record BookAnswer(long events, long eventHash, long refused, long resting, long levelHash)
    implements Serializable
{
    @Override
    public String toString()
    {
        return events + " events " + Long.toHexString(eventHash) + ", " + refused + " refused, " + resting +
            " orders at rest in levels " + Long.toHexString(levelHash);
    }
}

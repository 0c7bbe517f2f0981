package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.flow.CommandColumns;
import org.openjdk.jmh.annotations.Param;

/**
 * Cost of a command from the source to the reader of its executions, on one thread. A measured call is a lap, see
 * {@link Laps}; 16 commands are published, then executed. An operation is one command.
 * <p>
 * The reference is the least that does the same: a bare ring of commands, the book, and the same execution events
 * written to a bare array and read there. {@code ring} is without these events, {@code server} the whole path: source,
 * ring, agent, guard, matching service, executions by {@code direct()}, their reader. In {@code serverBatch} the source
 * publishes the 16 commands as one batch.
 */
public class CommandPath extends Laps
{
    /** Which path. */
    @Param({PathBook.ARRAY, PathBook.SERVER, PathBook.SERVER_BATCH, PathBook.RING})
    String contender;

    @Override
    protected BookContender open(final CommandColumns commands)
    {
        return PathBook.opened(contender, commands);
    }
}

package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.flow.CommandColumns;
import org.openjdk.jmh.annotations.Param;

/**
 * Cost of a command in the order book. A measured call is a lap: see {@link Laps}. An operation is one command.
 * <p>
 * The reference is our book; margin and spot are the same with risk; the loop only reads the commands. The race
 * ({@code -Pbook-race}) measures the same with ten times the commands, by CPU time, and by type of command.
 */
public class BookLap extends Laps
{
    /** The book under test. */
    @Param({BookContender.MILLRACE, BookContender.MARGIN, BookContender.SPOT, BookContender.LOOP})
    String contender;

    @Override
    protected BookContender open(final CommandColumns commands)
    {
        return BookContender.named(contender, commands);
    }
}

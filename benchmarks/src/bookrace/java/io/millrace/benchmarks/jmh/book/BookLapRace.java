package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.flow.CommandColumns;
import org.openjdk.jmh.annotations.Param;

/**
 * {@link BookLap} with exchange-core's direct book: {@code mvn -q compile exec:exec -Pbook-race
 * -Dreport.main="io.millrace.benchmarks.Report report-jmh" -Dreport.jmh=BookLapRace -Dreport.rounds=9}.
 */
public class BookLapRace extends Laps
{
    /** The book under test. */
    @Param({BookContender.MILLRACE, BookContender.EXCHANGE_CORE, BookContender.LOOP})
    String contender;

    @Override
    protected BookContender open(final CommandColumns commands)
    {
        return BookContender.named(contender, commands);
    }
}

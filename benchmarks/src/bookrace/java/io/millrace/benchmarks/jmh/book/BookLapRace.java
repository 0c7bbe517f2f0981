package io.millrace.benchmarks.jmh.book;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import java.util.concurrent.TimeUnit;

/**
 * {@link BookLap} with exchange-core's direct book: {@code mvn -q compile exec:exec -Pbook-race
 * -Dreport.main=io.millrace.benchmarks.JmhReport -Dreport.jmh=BookLapRace -Dreport.rounds=9}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class BookLapRace
{
    /** Which book. */
    @Param({BookContender.MILLRACE, BookContender.EXCHANGE_CORE, BookContender.LOOP})
    String contender;

    private BookLap.Laps laps;

    @Setup
    public void setUp()
    {
        laps = new BookLap.Laps(contender);
    }

    @Benchmark
    @OperationsPerInvocation(BookLap.COMMANDS)
    public long lap()
    {
        return laps.run();
    }

    @TearDown
    public void verify()
    {
        laps.verify();
    }
}

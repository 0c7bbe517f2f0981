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
 * What does a command cost in the order book? A measured call is a lap of the benchmark order flow: 1,000 orders are
 * placed, {@value #TIMED} commands follow, and what rests is cancelled. An operation is one command.
 * <p>
 * The reference is our book; margin and spot are the same with risk; the loop only reads the commands. The race ({@link
 * io.millrace.benchmarks.BookRaceReport}) measures the same with ten times the commands, by CPU time, and by type of
 * command.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class BookLap
{
    /** As many as the recordings have: in memory 5 MB, which leaves room for any contender in a small heap. */
    public static final int TIMED = 100_000;

    /** Commands of a measured call; {@code 960} orders are left to cancel, as in the recording. */
    public static final int COMMANDS = 1_000 + TIMED + 960;

    /** Which book. */
    @Param({BookContender.MILLRACE, BookContender.MARGIN, BookContender.SPOT, BookContender.LOOP})
    String contender;

    private Laps laps;

    @Setup
    public void setUp()
    {
        laps = new Laps(contender);
    }

    @Benchmark
    @OperationsPerInvocation(COMMANDS)
    public long lap()
    {
        return laps.run();
    }

    @TearDown
    public void verify()
    {
        laps.verify();
    }

    /**
     * A contender that runs laps, each from an empty book to an empty book. One thread.
     */
    static final class Laps
    {
        private final BookFlow flow = BookFlow.generated(TIMED);
        private final BookContender book;

        Laps(final String contender)
        {
            if (flow.commands().count() != COMMANDS)
            {
                throw new IllegalStateException(flow.commands().count() + " commands instead of " + COMMANDS);
            }
            book = BookContender.named(contender, flow.commands());
        }

        /** The hash over the events of the lap. */
        long run()
        {
            book.begin(false);
            book.give(0, COMMANDS);
            return book.hash.hash();
        }

        /** One more lap must come to what our book on its own comes to; the loop has nothing to answer for. */
        void verify()
        {
            if (!(book instanceof LoopFloor))
            {
                final BookAnswer answer = answer(book);
                final BookAnswer expected = answer(new MillraceBook(flow.commands()));
                if (!answer.equals(expected))
                {
                    throw new IllegalStateException("wrong answer: " + answer + " instead of " + expected);
                }
            }
        }

        private BookAnswer answer(final BookContender contender)
        {
            contender.begin(true);
            contender.give(0, flow.endTimed());
            final BookAnswer answer = contender.answer();
            contender.give(flow.endTimed(), COMMANDS);
            return answer;
        }
    }
}

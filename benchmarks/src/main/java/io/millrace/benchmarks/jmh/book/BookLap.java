package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.flow.RecordedCommands;
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
import java.util.function.Function;

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

    /**
     * What a lap comes to before the cancels: of the recording of the same commands, and its levels by our book. Not
     * worked out here, since JMH counts what a book for that would allocate.
     */
    static final BookAnswer ANSWER = new BookAnswer(18_598, 0x4F3AC1443E85DCCFL, 0, 960, 0xEA0AD8742E50C3B1L);

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
    public static final class Laps
    {
        private final BookFlow flow = BookFlow.generated(TIMED);
        private final BookContender book;

        /**
         * One contender.
         *
         * @param contender its name, see {@link BookContender#named}.
         */
        public Laps(final String contender)
        {
            this(commands -> BookContender.named(contender, commands));
        }

        /**
         * A contender that has no name there.
         *
         * @param maker makes it for the commands of a lap.
         */
        public Laps(final Function<RecordedCommands, BookContender> maker)
        {
            if (flow.commands().count() != COMMANDS)
            {
                throw new IllegalStateException(flow.commands().count() + " commands instead of " + COMMANDS);
            }
            book = maker.apply(flow.commands());
        }

        /**
         * Run a lap.
         *
         * @return the hash over its events.
         */
        public long run()
        {
            book.begin(false);
            book.give(0, COMMANDS);
            return book.hash.hash();
        }

        /**
         * One more lap must come to the answer that is known; the loop has nothing to answer for.
         *
         * @throws IllegalStateException when it does not.
         */
        public void verify()
        {
            if (!(book instanceof LoopBaseline))
            {
                final BookAnswer answer = answer(book);
                if (!answer.equals(ANSWER))
                {
                    throw new IllegalStateException("wrong answer: " + answer + " instead of " + ANSWER);
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

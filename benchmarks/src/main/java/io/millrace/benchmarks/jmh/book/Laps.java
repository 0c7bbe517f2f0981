package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.benchmarks.jmh.TimePerOperation;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A benchmark whose measured call is a lap of the benchmark order flow: 1,000 orders are placed, {@value #TIMED}
 * commands follow, and the rest is cancelled. A lap goes from an empty book to an empty book. An operation is one
 * command.
 */
public abstract class Laps extends TimePerOperation
{
    /** As many commands as the recordings have: 5 MB in memory, so that every contender fits into a small heap. */
    public static final int TIMED = 100_000;

    /** Commands of a measured call; {@code 960} orders are left to cancel, as in the recording. */
    public static final int COMMANDS = 1_000 + TIMED + 960;

    /**
     * Result of a lap before the cancels, of the recording of the same commands; and its levels in our book. Not
     * computed here, because JMH counts the memory of such a book.
     */
    static final BookAnswer ANSWER = new BookAnswer(18_598, 0x4F3AC1443E85DCCFL, 0, 960, 0xEA0AD8742E50C3B1L);

    private final BookFlow flow = BookFlow.generated(TIMED);
    private BookContender book;

    /**
     * Open the contender with an empty book.
     *
     * @param commands the commands of a lap.
     * @return the contender.
     */
    protected abstract BookContender open(CommandColumns commands);

    /**
     * Open the contender.
     */
    @Setup
    public void setUp()
    {
        if (flow.commands().count() != COMMANDS)
        {
            throw new IllegalStateException(flow.commands().count() + " commands instead of " + COMMANDS);
        }
        book = open(flow.commands());
    }

    /**
     * Run a lap.
     *
     * @return the hash over its events.
     */
    @Benchmark
    @OperationsPerInvocation(COMMANDS)
    public long lap()
    {
        book.begin(false);
        book.give(0, COMMANDS);
        return book.hash.hash();
    }

    /**
     * One more lap must give the known answer; the loop has none.
     *
     * @throws IllegalStateException when it does not.
     */
    @TearDown
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

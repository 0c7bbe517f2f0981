package io.millrace.benchmarks.suite;

import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.ThreadProbe;
import io.millrace.benchmarks.jmh.book.BookAnswer;
import io.millrace.benchmarks.jmh.book.BookRound;
import io.millrace.benchmarks.jmh.book.Calibration;
import io.millrace.benchmarks.jmh.book.LevelHash;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;

import java.io.Serializable;
import java.nio.file.Path;

/**
 * Runs one flow, each round on a new book. One thread, which it binds to a CPU.
 */
final class SuiteRunner
{
    private final SuiteFlow flow;
    private final SymbolSpec spec;
    private final int cpu;
    private final ThreadProbe probe;
    private final Calibration calibration = new Calibration();
    private OrderBook book;

    /**
     * A round.
     *
     * @param book         time and result; the hash of its answer is that of the reports.
     * @param reportCounts reports by type.
     * @param sparseLevels levels outside the window at the end.
     */
    record Round(BookRound book, long[] reportCounts, int sparseLevels) implements Serializable
    {
    }

    SuiteRunner(final Path file, final int windowTicks, final int cpu)
    {
        spec = SymbolSpec.spot(1).withWindowTicks(windowTicks);
        this.cpu = cpu;
        flow = new SuiteFlow(file);
        Pinning.pinCurrentThread(cpu);
        probe = ThreadProbe.ofCurrentThread();
    }

    /** No work between the readings and the run. */
    private static void nothing()
    {
    }

    Round round()
    {
        book = new OrderBook(spec, flow);
        // Not in the round: the book of the round before.
        System.gc();
        final BookRound round = BookRound.measure(cpu, probe, calibration, flow.messages(),
            SuiteRunner::nothing, () -> flow.run(book), this::answer);
        return new Round(round, flow.reportCounts(),
            book.sparseLevelCount(Side.BID) + book.sparseLevelCount(Side.ASK));
    }

    private BookAnswer answer()
    {
        final LevelHash levels = new LevelHash();
        book.forEachLevel(Side.BID, -1, levels);
        book.forEachLevel(Side.ASK, -1, levels);
        long reports = 0;
        for (final long count : flow.reportCounts())
        {
            reports += count;
        }
        return new BookAnswer(reports, flow.reportHash(), 0, levels.orders(), levels.hash());
    }
}

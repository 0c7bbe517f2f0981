package io.millrace.benchmarks.depth;

import io.millrace.benchmarks.flow.DepthFlow;
import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.ThreadProbe;
import io.millrace.benchmarks.jmh.book.BookContender;
import io.millrace.benchmarks.jmh.book.BookRound;
import io.millrace.benchmarks.jmh.book.Calibration;
import io.millrace.benchmarks.jmh.book.MillraceBook;

import java.io.Serializable;
import java.lang.management.ManagementFactory;

/**
 * Fills one book and runs rounds on it; the book stays as large as it is. One thread, which it binds to a CPU.
 */
final class DepthRunner
{
    // Less than a second even of a slow book: an answer that takes a minute counts as hanging.
    private static final int FILL_BATCH = 250_000;

    private final DepthCase size;
    private final DepthFlow flow;
    private final CommandColumns batch;
    private final BookContender book;
    private final int cpu;
    private final ThreadProbe probe;
    private final Calibration calibration = new Calibration();
    private final long heapBefore;
    private final long heapOpened;

    /**
     * The use of memory.
     *
     * @param arrayBytes  our book by its arrays; 0 for the other one.
     * @param openedBytes heap in use by the empty book.
     * @param fullBytes   heap in use by the filled book.
     */
    record Memory(long arrayBytes, long openedBytes, long fullBytes) implements Serializable
    {
    }

    record Round(BookRound book, long levels) implements Serializable
    {
    }

    DepthRunner(final DepthCase size, final DepthContender contender, final int cpu)
    {
        this.size = size;
        this.cpu = cpu;
        flow = size.flow();
        batch = new CommandColumns("depth flow", Math.max(size.commands(), FILL_BATCH));
        book = contender.newBook(batch);
        // There are no commands yet; this allocates everything except the book.
        book.prepare();
        Pinning.pinCurrentThread(cpu);
        probe = ThreadProbe.ofCurrentThread();
        heapBefore = heapBytes();
        book.open(size.spec(contender == DepthContender.FAR));
        heapOpened = heapBytes();
    }

    /** Heap use after a collection. */
    static long heapBytes()
    {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** Place the next orders; 0 when all rest. */
    int fill()
    {
        return place(flow, batch, book);
    }

    static int place(final DepthFlow flow, final CommandColumns batch, final BookContender book)
    {
        flow.fill(batch);
        book.prepare();
        book.begin(false);
        book.give(0, batch.count());
        if (book.refused() > 0)
        {
            throw new IllegalStateException(book.refused() + " orders refused");
        }
        return batch.count();
    }

    /** Heap use of the book, empty and full; of ours the sum over its arrays, too. */
    Memory memory()
    {
        final long arrays =
            book instanceof MillraceBook ? ArrayBytes.sum(ArrayBytes.of(((MillraceBook)book).book())) : 0;
        return new Memory(arrays, heapOpened - heapBefore, heapBytes() - heapBefore);
    }

    Round round()
    {
        flow.next(batch, size.commands());
        book.prepare();
        final BookRound round = BookRound.measure(cpu, probe, calibration, batch.count(),
            () -> book.begin(false), () -> book.give(0, batch.count()), book::answer);
        return new Round(round, book.levels().levels());
    }
}

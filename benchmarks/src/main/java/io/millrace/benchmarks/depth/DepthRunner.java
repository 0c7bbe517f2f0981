package io.millrace.benchmarks.depth;

import java.lang.management.ManagementFactory;

import io.millrace.benchmarks.flow.DepthBatch;
import io.millrace.benchmarks.flow.DepthFlow;
import io.millrace.benchmarks.jmh.book.BookAnswer;
import io.millrace.benchmarks.jmh.book.BookRound;
import io.millrace.benchmarks.jmh.book.Calibration;
import io.millrace.benchmarks.jmh.book.LevelHash;
import io.millrace.benchmarks.rate.HostFiles;
import io.millrace.benchmarks.rate.Pinning;
import io.millrace.benchmarks.rate.ThreadProbe;
import io.millrace.benchmarks.rate.WireLine;

/**
 * Fills one book and runs rounds on it; the book stays as large as it is. One thread, which it binds to a CPU.
 */
final class DepthRunner
{
    // Less than a second even of a slow book: an answer that takes a minute counts as hanging.
    private static final int FILL_BATCH = 250_000;

    private final HostFiles host;
    private final DepthCase size;
    private final DepthFlow flow;
    private final DepthBatch batch;
    private final DepthBook book;
    private final int cpu;
    private final ThreadProbe probe;
    private final Calibration calibration = new Calibration();
    private final long heapBefore;
    private final long heapOpened;
    private long levels;

    DepthRunner(final HostFiles host, final DepthCase size, final DepthContender contender, final int cpu)
    {
        this.host = host;
        this.size = size;
        this.cpu = cpu;
        flow = size.flow();
        batch = new DepthBatch(Math.max(size.commands(), FILL_BATCH));
        book = contender.newBook();
        // Nothing to give yet: whatever it needs beside the book is there now.
        book.prepare(batch);
        Pinning.pinCurrentThread(cpu);
        probe = ThreadProbe.ofCurrentThread();
        heapBefore = heapBytes();
        book.open(size.spec(contender == DepthContender.FAR));
        heapOpened = heapBytes();
    }

    /** What is in use after a collection. */
    static long heapBytes()
    {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** Place the next orders; how many orders rest then. */
    WireLine fill()
    {
        flow.fill(batch);
        book.prepare(batch);
        book.give(batch);
        if (book.refused() > 0)
        {
            throw new IllegalStateException(book.refused() + " orders refused");
        }
        return new WireLine("done").put("placed", batch.count());
    }

    /** What the book takes of the heap: as it was made, and full; of ours the sum over its arrays, too. */
    WireLine memory()
    {
        final long arrays =
            book instanceof MillraceDepth ? ArrayBytes.sum(ArrayBytes.of(((MillraceDepth)book).book())) : 0;
        return new WireLine("done").put("arrays", arrays).put("opened", heapOpened - heapBefore)
            .put("full", heapBytes() - heapBefore);
    }

    DepthRound round()
    {
        flow.next(batch, size.commands());
        book.prepare(batch);
        final HostFiles.Ticks ticks = host.ticks(Pinning.asked(cpu));
        final double before = calibration.stepNs(probe);
        final long waitedBeforeNs = probe.waitedNs();
        final long wallBeforeNs = System.nanoTime();
        final long cpuBeforeNs = probe.cpuNs();
        final long bytesBefore = probe.allocatedBytes();
        book.give(batch);
        final long bytes = probe.allocatedBytes() - bytesBefore;
        final long cpuNs = probe.cpuNs() - cpuBeforeNs;
        final long wallNs = System.nanoTime() - wallBeforeNs;
        final double runnable = probe.runnable(waitedBeforeNs, wallNs);
        final double after = calibration.stepNs(probe);
        final double steal = host.ticks(Pinning.asked(cpu)).stealSince(ticks);
        final BookAnswer answer = answer();
        return new DepthRound(new BookRound(batch.count(), cpuNs, wallNs, bytes, (before + after) / 2, steal,
            runnable, Pinning.describe(cpu, probe.allowedCpus()), answer), levels);
    }

    private BookAnswer answer()
    {
        final LevelHash hash = new LevelHash();
        levels = 0;
        book.tellLevels((side, price, volume, orders) ->
        {
            hash.onLevel(side, price, volume, orders);
            levels++;
        });
        return new BookAnswer(book.events(), book.eventHash(), book.refused(), hash.orders(), hash.hash());
    }
}

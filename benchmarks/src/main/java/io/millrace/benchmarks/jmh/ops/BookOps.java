package io.millrace.benchmarks.jmh.ops;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The workload {@code book-ops}: one benchmark for each operation, an operation being all that its name says, as a
 * thousand insertions. How many are timed together, and why, says {@link Batch}; the numbers are chosen so that the
 * books of a batch take less than 1 MB (a book of 1,000 orders takes 140 KB), unless one alone is larger. Each run's
 * answer is checked.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class BookOps
{
    private static final int MANY = 16;
    private static final int SOME = 4;
    /** Of an operation that takes no longer than reading the clock twice: as many as 1 MB of books allows. */
    private static final int TINY = 8;

    /** The operations by the names of their benchmarks. */
    static final Map<String, Kind> KINDS = Map.ofEntries(
        Map.entry("insert100", new Kind(MANY, () -> BookOperation.insert(100))),
        Map.entry("insert1000", new Kind(SOME, () -> BookOperation.insert(1_000))),
        Map.entry("insert10000", new Kind(1, () -> BookOperation.insert(10_000))),
        Map.entry("fullFill1000", new Kind(SOME, () -> BookOperation.fullFill(1_000))),
        Map.entry("multiLevelSweep", new Kind(SOME, BookOperation::sweep)),
        Map.entry("cancelAll100", new Kind(MANY, () -> BookOperation.cancelAll(100))),
        Map.entry("cancelAll1000", new Kind(SOME, () -> BookOperation.cancelAll(1_000))),
        Map.entry("cancelAll5000", new Kind(1, () -> BookOperation.cancelAll(5_000))),
        Map.entry("cancelBestLevel100", new Kind(MANY, () -> BookOperation.cancelBest(100))),
        Map.entry("cancelBestLevel500", new Kind(SOME, () -> BookOperation.cancelBest(500))),
        Map.entry("cancelBestLevel1000", new Kind(SOME, () -> BookOperation.cancelBest(1_000))),
        Map.entry("cancelMiddleOf1000", new Kind(TINY, () -> BookOperation.cancelMiddle(1_000))),
        Map.entry("mixed10000", new Kind(1, () -> BookOperation.mixed(10_000))),
        Map.entry("snapshotTake10000", new Kind(1, SnapshotOperation.Take::new)),
        Map.entry("snapshotEncode10000", new Kind(1, SnapshotOperation.Encode::new)),
        Map.entry("snapshotDecode10000", new Kind(1, SnapshotOperation.Decode::new)),
        Map.entry("snapshotRestore10000", new Kind(1, SnapshotOperation.Restore::new)),
        Map.entry("ringToReport10000", new Kind(1, () -> new RingToReport(10_000, false))),
        Map.entry("ringToReport100000", new Kind(1, () -> new RingToReport(100_000, true))),
        Map.entry("encodeOrder", new Kind(1, EncodeOrders::new)));

    /**
     * Runs the benchmark.
     *
     * @param count   operations that are timed together.
     * @param factory makes one of them.
     */
    record Kind(int count, Supplier<Operation> factory)
    {
    }

    /** 100 orders that do not meet. */
    @Benchmark
    @OperationsPerInvocation(MANY)
    public int insert100(final Batch batch)
    {
        return batch.run();
    }

    /** 1,000 orders that do not meet. */
    @Benchmark
    @OperationsPerInvocation(SOME)
    public int insert1000(final Batch batch)
    {
        return batch.run();
    }

    /** 10,000 orders that do not meet. */
    @Benchmark
    @OperationsPerInvocation(1)
    public int insert10000(final Batch batch)
    {
        return batch.run();
    }

    /** 1,000 bids that each fill an ask. */
    @Benchmark
    @OperationsPerInvocation(SOME)
    public int fullFill1000(final Batch batch)
    {
        return batch.run();
    }

    /** A bid that takes 500 asks from 50 levels. */
    @Benchmark
    @OperationsPerInvocation(SOME)
    public int multiLevelSweep(final Batch batch)
    {
        return batch.run();
    }

    /** 100 orders at a price cancelled, the oldest first. */
    @Benchmark
    @OperationsPerInvocation(MANY)
    public int cancelAll100(final Batch batch)
    {
        return batch.run();
    }

    /** 1,000 orders at a price cancelled. */
    @Benchmark
    @OperationsPerInvocation(SOME)
    public int cancelAll1000(final Batch batch)
    {
        return batch.run();
    }

    /** 5,000 orders at a price cancelled. */
    @Benchmark
    @OperationsPerInvocation(1)
    public int cancelAll5000(final Batch batch)
    {
        return batch.run();
    }

    /** 100 levels of one order cancelled, the best first. */
    @Benchmark
    @OperationsPerInvocation(MANY)
    public int cancelBestLevel100(final Batch batch)
    {
        return batch.run();
    }

    /** 500 levels cancelled. */
    @Benchmark
    @OperationsPerInvocation(SOME)
    public int cancelBestLevel500(final Batch batch)
    {
        return batch.run();
    }

    /** 1,000 levels cancelled. */
    @Benchmark
    @OperationsPerInvocation(SOME)
    public int cancelBestLevel1000(final Batch batch)
    {
        return batch.run();
    }

    /** One cancel in the middle of 1,000 orders at a price. */
    @Benchmark
    @OperationsPerInvocation(TINY)
    public int cancelMiddleOf1000(final Batch batch)
    {
        return batch.run();
    }

    /** 10,000 steps of insertions, cancels and trades. */
    @Benchmark
    @OperationsPerInvocation(1)
    public int mixed10000(final Batch batch)
    {
        return batch.run();
    }

    /** 10,000 orders copied out of a book. */
    @Benchmark
    @OperationsPerInvocation(1)
    public int snapshotTake10000(final Batch batch)
    {
        return batch.run();
    }

    /** 10,000 orders as bytes. */
    @Benchmark
    @OperationsPerInvocation(1)
    public int snapshotEncode10000(final Batch batch)
    {
        return batch.run();
    }

    /** 10,000 orders from bytes. */
    @Benchmark
    @OperationsPerInvocation(1)
    public int snapshotDecode10000(final Batch batch)
    {
        return batch.run();
    }

    /** 10,000 orders into an empty book. */
    @Benchmark
    @OperationsPerInvocation(1)
    public int snapshotRestore10000(final Batch batch)
    {
        return batch.run();
    }

    /** 10,000 orders that cross, from a ring to reports. */
    @Benchmark
    @OperationsPerInvocation(1)
    public int ringToReport10000(final Batch batch)
    {
        return batch.run();
    }

    /** 100,000 mixed orders, from a ring to reports. */
    @Benchmark
    @OperationsPerInvocation(1)
    public int ringToReport100000(final Batch batch)
    {
        return batch.run();
    }

    /** One order as bytes with its checksum. */
    @Benchmark
    @OperationsPerInvocation(EncodeOrders.ORDERS)
    public int encodeOrder(final Batch batch)
    {
        return batch.run();
    }
}

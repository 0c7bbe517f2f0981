package io.millrace.benchmarks.jmh.ops;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The workload {@code book-ops}: an operation is all that its name says, as a thousand insertions. How many are timed
 * together, and why, says {@link Batch}; the numbers are chosen so that the books of a batch take less than 1 MB (a
 * book of 1,000 orders takes 140 KB), unless one alone is larger. Each run's answer is checked.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class BookOps
{
    private static final String ENCODE = "encodeOrder";
    private static final int MANY = 16;
    private static final int SOME = 4;
    /** Of an operation that takes no longer than reading the clock twice: as many as 1 MB of books allows. */
    private static final int TINY = 8;

    /** The operations by the values of the parameter. */
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
        Map.entry(ENCODE, new Kind(1, EncodeOrders::new)));

    /**
     * Makes the operations of an invocation.
     *
     * @param count   operations that are timed together.
     * @param factory makes one of them.
     */
    record Kind(int count, Supplier<Operation> factory)
    {
    }

    /**
     * What JMH divides an invocation by. An annotation cannot say it, because it depends on the parameter.
     *
     * @param operation value of the parameter {@link Batch#operation}.
     * @return a count.
     */
    public static int perInvocation(final String operation)
    {
        return operation.equals(ENCODE) ? EncodeOrders.ORDERS : KINDS.get(operation).count;
    }

    /**
     * Run the operations.
     *
     * @param batch prepared ones.
     * @return how many there were.
     */
    @Benchmark
    public int run(final Batch batch)
    {
        return batch.run();
    }
}

package io.millrace.benchmarks.jmh.ops;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;

import java.util.concurrent.TimeUnit;

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

    /** Prepared for {@link #insert100}. */
    public static class Insert100 extends Batch
    {
        /** One batch. */
        public Insert100()
        {
            super(MANY, () -> new BookOperation.Insert(100));
        }
    }

    /** 100 orders that do not meet. */
    @Benchmark
    @OperationsPerInvocation(MANY)
    public int insert100(final Insert100 batch)
    {
        return batch.run();
    }

    /** Prepared for {@link #insert1000}. */
    public static class Insert1000 extends Batch
    {
        /** One batch. */
        public Insert1000()
        {
            super(SOME, () -> new BookOperation.Insert(1_000));
        }
    }

    /** 1,000 orders that do not meet. */
    @Benchmark
    @OperationsPerInvocation(SOME)
    public int insert1000(final Insert1000 batch)
    {
        return batch.run();
    }

    /** Prepared for {@link #insert10000}. */
    public static class Insert10000 extends Batch
    {
        /** One batch. */
        public Insert10000()
        {
            super(1, () -> new BookOperation.Insert(10_000));
        }
    }

    /** 10,000 orders that do not meet. */
    @Benchmark
    @OperationsPerInvocation(1)
    public int insert10000(final Insert10000 batch)
    {
        return batch.run();
    }

    /** Prepared for {@link #fullFill1000}. */
    public static class FullFill1000 extends Batch
    {
        /** One batch. */
        public FullFill1000()
        {
            super(SOME, () -> new BookOperation.FullFill(1_000));
        }
    }

    /** 1,000 bids that each fill an ask. */
    @Benchmark
    @OperationsPerInvocation(SOME)
    public int fullFill1000(final FullFill1000 batch)
    {
        return batch.run();
    }

    /** Prepared for {@link #multiLevelSweep}. */
    public static class MultiLevelSweep extends Batch
    {
        /** One batch. */
        public MultiLevelSweep()
        {
            super(SOME, () -> new BookOperation.Sweep());
        }
    }

    /** A bid that takes 500 asks from 50 levels. */
    @Benchmark
    @OperationsPerInvocation(SOME)
    public int multiLevelSweep(final MultiLevelSweep batch)
    {
        return batch.run();
    }

    /** Prepared for {@link #cancelAll100}. */
    public static class CancelAll100 extends Batch
    {
        /** One batch. */
        public CancelAll100()
        {
            super(MANY, () -> new BookOperation.CancelAll(100));
        }
    }

    /** 100 orders at a price cancelled, the oldest first. */
    @Benchmark
    @OperationsPerInvocation(MANY)
    public int cancelAll100(final CancelAll100 batch)
    {
        return batch.run();
    }

    /** Prepared for {@link #cancelAll1000}. */
    public static class CancelAll1000 extends Batch
    {
        /** One batch. */
        public CancelAll1000()
        {
            super(SOME, () -> new BookOperation.CancelAll(1_000));
        }
    }

    /** 1,000 orders at a price cancelled. */
    @Benchmark
    @OperationsPerInvocation(SOME)
    public int cancelAll1000(final CancelAll1000 batch)
    {
        return batch.run();
    }

    /** Prepared for {@link #cancelAll5000}. */
    public static class CancelAll5000 extends Batch
    {
        /** One batch. */
        public CancelAll5000()
        {
            super(1, () -> new BookOperation.CancelAll(5_000));
        }
    }

    /** 5,000 orders at a price cancelled. */
    @Benchmark
    @OperationsPerInvocation(1)
    public int cancelAll5000(final CancelAll5000 batch)
    {
        return batch.run();
    }

    /** Prepared for {@link #cancelBestLevel100}. */
    public static class CancelBestLevel100 extends Batch
    {
        /** One batch. */
        public CancelBestLevel100()
        {
            super(MANY, () -> new BookOperation.CancelBest(100));
        }
    }

    /** 100 levels of one order cancelled, the best first. */
    @Benchmark
    @OperationsPerInvocation(MANY)
    public int cancelBestLevel100(final CancelBestLevel100 batch)
    {
        return batch.run();
    }

    /** Prepared for {@link #cancelBestLevel500}. */
    public static class CancelBestLevel500 extends Batch
    {
        /** One batch. */
        public CancelBestLevel500()
        {
            super(SOME, () -> new BookOperation.CancelBest(500));
        }
    }

    /** 500 levels cancelled. */
    @Benchmark
    @OperationsPerInvocation(SOME)
    public int cancelBestLevel500(final CancelBestLevel500 batch)
    {
        return batch.run();
    }

    /** Prepared for {@link #cancelBestLevel1000}. */
    public static class CancelBestLevel1000 extends Batch
    {
        /** One batch. */
        public CancelBestLevel1000()
        {
            super(SOME, () -> new BookOperation.CancelBest(1_000));
        }
    }

    /** 1,000 levels cancelled. */
    @Benchmark
    @OperationsPerInvocation(SOME)
    public int cancelBestLevel1000(final CancelBestLevel1000 batch)
    {
        return batch.run();
    }

    /** Prepared for {@link #cancelMiddleOf1000}. */
    public static class CancelMiddleOf1000 extends Batch
    {
        /** One batch. */
        public CancelMiddleOf1000()
        {
            super(TINY, () -> new BookOperation.CancelMiddle(1_000));
        }
    }

    /** One cancel in the middle of 1,000 orders at a price. */
    @Benchmark
    @OperationsPerInvocation(TINY)
    public int cancelMiddleOf1000(final CancelMiddleOf1000 batch)
    {
        return batch.run();
    }

    /** Prepared for {@link #mixed10000}. */
    public static class Mixed10000 extends Batch
    {
        /** One batch. */
        public Mixed10000()
        {
            super(1, () -> new BookOperation.Mixed(10_000));
        }
    }

    /** 10,000 steps of insertions, cancels and trades. */
    @Benchmark
    @OperationsPerInvocation(1)
    public int mixed10000(final Mixed10000 batch)
    {
        return batch.run();
    }

    /** Prepared for {@link #snapshotTake10000}. */
    public static class SnapshotTake10000 extends Batch
    {
        /** One batch. */
        public SnapshotTake10000()
        {
            super(1, () -> new SnapshotOperation.Take());
        }
    }

    /** 10,000 orders copied out of a book. */
    @Benchmark
    @OperationsPerInvocation(1)
    public int snapshotTake10000(final SnapshotTake10000 batch)
    {
        return batch.run();
    }

    /** Prepared for {@link #snapshotEncode10000}. */
    public static class SnapshotEncode10000 extends Batch
    {
        /** One batch. */
        public SnapshotEncode10000()
        {
            super(1, () -> new SnapshotOperation.Encode());
        }
    }

    /** 10,000 orders as bytes. */
    @Benchmark
    @OperationsPerInvocation(1)
    public int snapshotEncode10000(final SnapshotEncode10000 batch)
    {
        return batch.run();
    }

    /** Prepared for {@link #snapshotDecode10000}. */
    public static class SnapshotDecode10000 extends Batch
    {
        /** One batch. */
        public SnapshotDecode10000()
        {
            super(1, () -> new SnapshotOperation.Decode());
        }
    }

    /** 10,000 orders from bytes. */
    @Benchmark
    @OperationsPerInvocation(1)
    public int snapshotDecode10000(final SnapshotDecode10000 batch)
    {
        return batch.run();
    }

    /** Prepared for {@link #snapshotRestore10000}. */
    public static class SnapshotRestore10000 extends Batch
    {
        /** One batch. */
        public SnapshotRestore10000()
        {
            super(1, () -> new SnapshotOperation.Restore());
        }
    }

    /** 10,000 orders into an empty book. */
    @Benchmark
    @OperationsPerInvocation(1)
    public int snapshotRestore10000(final SnapshotRestore10000 batch)
    {
        return batch.run();
    }

    /** Prepared for {@link #ringToReport10000}. */
    public static class RingToReport10000 extends Batch
    {
        /** One batch. */
        public RingToReport10000()
        {
            super(1, () -> new RingToReport(10_000, false));
        }
    }

    /** 10,000 orders that cross, from a ring to reports. */
    @Benchmark
    @OperationsPerInvocation(1)
    public int ringToReport10000(final RingToReport10000 batch)
    {
        return batch.run();
    }

    /** Prepared for {@link #ringToReport100000}. */
    public static class RingToReport100000 extends Batch
    {
        /** One batch. */
        public RingToReport100000()
        {
            super(1, () -> new RingToReport(100_000, true));
        }
    }

    /** 100,000 mixed orders, from a ring to reports. */
    @Benchmark
    @OperationsPerInvocation(1)
    public int ringToReport100000(final RingToReport100000 batch)
    {
        return batch.run();
    }

    /** Prepared for {@link #encodeOrder}. */
    public static class EncodeOrder extends Batch
    {
        /** One batch. */
        public EncodeOrder()
        {
            super(1, () -> new EncodeOrders());
        }
    }

    /** One order as bytes with its checksum. */
    @Benchmark
    @OperationsPerInvocation(EncodeOrders.ORDERS)
    public int encodeOrder(final EncodeOrder batch)
    {
        return batch.run();
    }
}

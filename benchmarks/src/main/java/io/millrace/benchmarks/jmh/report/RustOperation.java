package io.millrace.benchmarks.jmh.report;

import java.util.List;
import java.util.Locale;

/**
 * An operation of the workload {@code book-ops}, with the figures of an engine in Rust: as published, on a desktop, and
 * as measured in two runs on a virtual machine with 2 CPUs of 2.5 GHz.
 *
 * @param name      of the operation.
 * @param line      our benchmark, as {@link Line#id()}.
 * @param count     how many of the benchmark's operations this one has.
 * @param unit      of the figures.
 * @param desktop   published.
 * @param firstRun  measured.
 * @param secondRun measured.
 */
record RustOperation(
    String name, String line, int count, Unit unit, double desktop, double firstRun, double secondRun)
{
    private static final int MILLION = 1_000_000;
    private static final String SINGLY = ", one by one";
    private static final String IN_BATCHES = ", batches of 32";
    private static final String BASELINE = "bare ring: ";
    private static final String BARE = "baselineLongs";

    /** A unit of time. */
    enum Unit
    {
        /** Nanoseconds. */
        NS("ns", 1),
        /** Microseconds. */
        US("µs", 1_000),
        /** Milliseconds. */
        MS("ms", 1_000_000);

        private final String text;
        private final double ns;

        Unit(final String text, final double ns)
        {
            this.text = text;
            this.ns = ns;
        }

        /** A value in this unit, with its name. */
        String text(final double value)
        {
            return String.format(Locale.ROOT, value < 10 ? "%.2f %s" : value < 100 ? "%.1f %s" : "%.0f %s", value,
                text);
        }
    }

    /** All, in the order of the table. */
    static final List<RustOperation> ALL = List.of(
        book("insert/non_crossing/100", "insert100", 6.4, 6.0, 9.2),
        book("insert/non_crossing/1000", "insert1000", 64.2, 48.2, 95.4),
        book("insert/non_crossing/10000", "insert10000", 609, 540, 2_171),
        book("match/full_fill_1k", "fullFill1000", 61.5, 46.2, 149),
        book("match/multi_level_sweep", "multiLevelSweep", 14.7, 25.2, 48.5),
        book("cancel/cancel_all/100", "cancelAll100", 2.05, 6.2, 6.1),
        book("cancel/cancel_all/1000", "cancelAll1000", 20.8, 61.1, 81.2),
        book("cancel/cancel_all/5000", "cancelAll5000", 111, 369, 346),
        book("cancel/cancel_best_level/100", "cancelBestLevel100", 5.3, 18.3, 17.5),
        book("cancel/cancel_best_level/500", "cancelBestLevel500", 40, 107, 122),
        book("cancel/cancel_best_level/1000", "cancelBestLevel1000", 124, 211, 253),
        book("cancel/cancel_middle_of_1k", "cancelMiddleOf1000", 0.85, 0.23, 0.52),
        book("mixed_workload_10k", "mixed10000", 887, 679, 1_702),
        book("snapshot/all_resting_orders_10k", "snapshotTake10000", 55, 89, 123),
        book("snapshot/serialize_10k", "snapshotEncode10000", 71, 128, 198),
        book("snapshot/deserialize_10k", "snapshotDecode10000", 163, 191, 257),
        book("snapshot/restore_10k", "snapshotRestore10000", 1_390, 1_610, 3_880),
        new RustOperation("encode and checksum of an order", ops("encodeOrder"), 1, Unit.NS, 56, 29, 39),
        ring("1 M longs, two threads" + SINGLY, "long", "ring", 1.85, 4.6, 5.1),
        ring("1 M longs, two threads" + IN_BATCHES, "long", "ringBatch32", 1.85, 4.6, 5.1),
        ring("1 M orders of 48 bytes" + SINGLY, "order", "ring", 5.5, 42, 49),
        ring("1 M orders of 48 bytes" + IN_BATCHES, "order", "ringBatch32", 5.5, 42, 49),
        pushPop("push and pop, one thread", "ring"),
        book("ring, match, report: 10 k crossing", "ringToReport10000", 405, 942, 1_162),
        new RustOperation("ring, match, report: 100 k mixed", ops("ringToReport100000"), 1, Unit.MS, 6.4, 23.6, 22.6),
        ring(BASELINE + "1 M longs", "long", BARE, 1.85, 4.6, 5.1),
        ring(BASELINE + "1 M orders of 48 bytes", "order", BARE, 5.5, 42, 49),
        pushPop(BASELINE + "push and pop", BARE));

    private static RustOperation pushPop(final String name, final String contender)
    {
        return new RustOperation(name, "SpscPushPop.pushPop payload=long contender=" + contender, 1, Unit.NS, 2.1, 3.6,
            5.4);
    }

    /** True for the cost of a bare ring of values on this JVM: it is no operation of ours and does not count. */
    boolean isBaseline()
    {
        return name.startsWith(BASELINE);
    }

    /** The operation; two lines that do the same in two ways have one, and one figure to compare with. */
    String what()
    {
        return name.replace(SINGLY, "").replace(IN_BATCHES, "");
    }

    private static RustOperation book(
        final String name, final String method, final double desktop, final double firstRun, final double secondRun)
    {
        return new RustOperation(name, ops(method), 1, Unit.US, desktop, firstRun, secondRun);
    }

    private static String ops(final String method)
    {
        return "BookOps.run operation=" + method + " contender=millrace";
    }

    private static RustOperation ring(
        final String name,
        final String payload,
        final String contender,
        final double desktop,
        final double firstRun,
        final double secondRun)
    {
        return new RustOperation(name, "Spsc.million payload=" + payload + " thread=standing contender=" + contender,
            MILLION, Unit.MS, desktop, firstRun, secondRun);
    }

    /** The better one of the two runs on a machine like ours. */
    double better()
    {
        return Math.min(firstRun, secondRun);
    }

    /** Nanoseconds of our benchmark's operation in the unit and for the count of this one. */
    double of(final double ns)
    {
        return ns * count / unit.ns;
    }
}

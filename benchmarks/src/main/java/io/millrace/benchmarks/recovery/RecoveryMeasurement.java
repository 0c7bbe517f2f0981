package io.millrace.benchmarks.recovery;

import io.millrace.benchmarks.harness.Figure;
import io.millrace.benchmarks.harness.Options;
import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.ReportFolder;
import io.millrace.benchmarks.harness.RunHeader;
import io.millrace.benchmarks.harness.RunOptions;
import io.millrace.benchmarks.harness.Series;
import io.millrace.benchmarks.harness.TextTable;
import io.millrace.benchmarks.harness.ThreadProbe;
import io.millrace.benchmarks.harness.WrongAnswerException;
import io.millrace.engine.EngineSnapshot;
import io.millrace.engine.MatchingEngine;
import io.millrace.engine.codec.EngineSnapshotCodec;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.MatchingService;
import io.millrace.pool.ByteView;
import io.millrace.server.InVmSource;
import org.agrona.IoUtil;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Properties;
import java.util.function.Consumer;

/**
 * Measures an engine with 10,000 orders: copy and encode, decode and restore, recovery from a snapshot and 10,000
 * records, replay of many records, and how long a large engine stops for a snapshot. One thread. Replays, whole
 * recoveries and pauses are on the wall clock; copies, restores and the difference of two recoveries in CPU time of the
 * thread, so that they do not contain the disk. A figure is the median of its rounds, after as many that warm up.
 */
public final class RecoveryMeasurement
{
    private static final int TAIL = 10_000;
    private static final int COMMANDS = 1_000_000;
    private static final int MAX_COMMANDS = 10_000_000;
    private static final int ORDERS = 1_000_000;
    /** The 2.4 million commands of the pauses fill 12,000 orders, of a tenth that may be missing at the end. */
    private static final int MIN_ORDERS = 200_000;
    private static final int MAX_ORDERS = 2_000_000;
    /** Rounds of the pauses, which take 10 s each. */
    private static final int PAUSES = 3;
    /** The tail fits; recovery reads a segment to its end, in search of committed records. */
    private static final int SHORT_SEGMENT = 1 << 22;
    private static final int SEGMENT = 1 << 26;
    /** Of the short operations: enough for the compiler. */
    private static final int REPEATS = 100;
    /** Recoveries of a round: enough for the compiler, and for the median of a difference of forced files. */
    private static final int RECOVERIES = 20;

    private final ThreadProbe probe = ThreadProbe.ofCurrentThread();
    private final int rounds;
    private final int commands;
    private final int orders;
    private final Path dir;
    private final PrintStream out;
    private final RunHeader header;
    private final TextTable table = new TextTable(1, "operation", "median", "least", "greatest", "aim");

    /**
     * Reads the settings.
     *
     * @param properties {@code report.rounds}, {@code report.commands} (records to replay), {@code
     *                   report.orders} (of the engine whose snapshots are timed), {@code report.dir}.
     * @param out        for people.
     */
    public RecoveryMeasurement(final Properties properties, final PrintStream out)
    {
        final Options options = new Options(properties, "report.");
        RunOptions.refuseBudget(options);
        RunOptions.refuseRoundMs(options);
        rounds = options.number("rounds", Series.FULL_ROUNDS, 1, 99);
        commands = options.number("commands", COMMANDS, TAIL, MAX_COMMANDS);
        orders = options.number("orders", ORDERS, MIN_ORDERS, MAX_ORDERS);
        dir = options.dir(RunOptions.DIR, "recovery");
        header = new RunHeader("Recovery of an engine").rounds(rounds);
        this.out = out;
    }

    /**
     * Measures and prints.
     *
     * @throws IOException when a file cannot be read or written.
     */
    public void run() throws IOException
    {
        final ReportFolder files = new ReportFolder(dir, "table.txt");
        header.begin(out, 20);
        final Path folder = Files.createTempDirectory(Files.createDirectories(dir), "journal");
        try
        {
            snapshots(folder.resolve("snapshot"));
            recovery(folder.resolve("tail"));
            replay(folder.resolve("replay"));
            new SnapshotPause(orders, PAUSES).run(folder.resolve("pause"), table);
        }
        finally
        {
            IoUtil.delete(folder.toFile(), false);
        }
        files.finish(out, table.lines(), header);
    }

    private void snapshots(final Path directory)
    {
        try (EngineUnderTest test = new EngineUnderTest(directory, SEGMENT).launch())
        {
            test.give(0, EngineUnderTest.START);
            final MatchingEngine engine = test.matching.engine();
            WrongAnswerException.check("orders", EngineUnderTest.ORDERS, engine.book(1).orderCount());
            final EngineSnapshot snapshot = new EngineSnapshot();
            final EngineSnapshotCodec codec = new EngineSnapshotCodec();
            snapshot.take(engine);
            final int length = (int)codec.lengthBytes(snapshot);
            final ByteView bytes = new ByteView(ByteBuffer.allocateDirect(length));
            measure("extract and serialize, 10,000 orders", "126 µs", () ->
            {
                snapshot.take(engine);
                WrongAnswerException.check("length", length, codec.encode(snapshot, bytes, 0));
            });
            final EngineSnapshot read = new EngineSnapshot();
            restores(engine.timedHash(), into ->
            {
                codec.decode(bytes, 0, length, read);
                read.restoreTo(into);
            });
        }
    }

    /** Into a new engine, as a recovery does, and into one with orders, which needs new tables. */
    private void restores(final long hash, final Consumer<MatchingEngine> restore)
    {
        final double[] all = new double[2 * rounds];
        for (int i = 0; i < all.length; i++)
        {
            for (int repeat = 0; repeat < REPEATS; repeat++)
            {
                final MatchingEngine engine = newEngine();
                final long beginNs = probe.cpuNs();
                restore.accept(engine);
                all[i] += (double)(probe.cpuNs() - beginNs) / REPEATS;
                WrongAnswerException.check("hash", hash, engine.timedHash());
            }
        }
        add("deserialize and restore, new engine", "400 µs", all);
        final MatchingEngine used = newEngine();
        measure("deserialize and restore, used engine", "", () -> restore.accept(used));
        WrongAnswerException.check("hash", hash, used.timedHash());
    }

    private static MatchingEngine newEngine()
    {
        return new MatchingService("restored", EngineUnderTest.context(),
            new InVmSource<>(ExecutionEvent::new, MatchingService.MIN_EXECUTION_CAPACITY)).engine();
    }

    /** A journal with a snapshot and records behind it; recovered again and again, and its files read only. */
    private void recovery(final Path directory)
    {
        final long snapshotHash;
        final long hash;
        try (EngineUnderTest test = new EngineUnderTest(directory, SHORT_SEGMENT).launch())
        {
            test.give(0, EngineUnderTest.START);
            test.snapshot();
            snapshotHash = test.matching.engine().timedHash();
            test.give(EngineUnderTest.START, EngineUnderTest.START + TAIL);
            hash = test.matching.engine().timedHash();
        }
        final double[] all = new double[2 * rounds * RECOVERIES];
        final double[] baseline = new double[all.length];
        final double[] beyond = new double[all.length];
        for (int i = 0; i < all.length; i++)
        {
            final long readNs;
            try (EngineUnderTest test = new EngineUnderTest(directory, SHORT_SEGMENT))
            {
                final long beginNs = probe.cpuNs();
                test.readOnly(snapshotHash);
                readNs = probe.cpuNs() - beginNs;
                baseline[i] = test.journal.report().elapsedNs();
            }
            try (EngineUnderTest test = new EngineUnderTest(directory, SHORT_SEGMENT))
            {
                final long beginNs = probe.cpuNs();
                test.recover();
                beyond[i] = probe.cpuNs() - beginNs - readNs;
                WrongAnswerException.check("hash", hash, test.matching.engine().timedHash());
                WrongAnswerException.check("records", TAIL, test.journal.report().replayed());
                all[i] = test.journal.report().elapsedNs();
            }
        }
        add("recovery: snapshot and 10,000 records", "", all);
        add("its files alone, without an engine", "", baseline);
        add("difference of neighbouring rounds, CPU time", "1.40 ms", beyond);
    }

    private void replay(final Path directory)
    {
        try (EngineUnderTest test = new EngineUnderTest(directory, SEGMENT).launch())
        {
            test.give(0, commands);
        }
        final double[] rates = new double[rounds];
        for (int i = 0; i < rounds + 1; i++)
        {
            try (EngineUnderTest test = new EngineUnderTest(directory, SEGMENT))
            {
                test.recover();
                WrongAnswerException.check("records", commands, test.journal.report().replayed());
                rates[Math.max(0, i - 1)] = commands * 1e3 / test.journal.report().elapsedNs();
            }
        }
        Arrays.sort(rates);
        table.add("replay of " + commands + " records, M/s", Figure.two(Quantile.median(rates)), Figure.two(rates[0]),
            Figure.two(rates[rounds - 1]), "3.00");
    }

    private void measure(final String name, final String aim, final Runnable operation)
    {
        final double[] all = new double[2 * rounds];
        for (int i = 0; i < all.length; i++)
        {
            final long beginNs = probe.cpuNs();
            for (int repeat = 0; repeat < REPEATS; repeat++)
            {
                operation.run();
            }
            all[i] = (double)(probe.cpuNs() - beginNs) / REPEATS;
        }
        add(name, aim, all);
    }

    /** A line for the second half of the rounds: the first warms up. */
    private void add(final String name, final String aim, final double[] ns)
    {
        add(table, name, aim, Arrays.copyOfRange(ns, ns.length / 2, ns.length));
    }

    static void add(final TextTable table, final String name, final String aim, final double[] ns)
    {
        Arrays.sort(ns);
        table.add(name, Quantile.text(Quantile.median(ns)), Quantile.text(ns[0]), Quantile.text(ns[ns.length - 1]),
            aim);
    }
}

package io.millrace.benchmarks.journal;

import io.millrace.benchmarks.harness.Figure;
import io.millrace.benchmarks.harness.HiccupMeter;
import io.millrace.benchmarks.harness.Options;
import io.millrace.benchmarks.harness.Paragraphs;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.ReportFolder;
import io.millrace.benchmarks.harness.RunHeader;
import io.millrace.benchmarks.harness.RunOptions;
import io.millrace.benchmarks.harness.Series;
import io.millrace.benchmarks.harness.TextTable;
import io.millrace.benchmarks.harness.ThreadProbe;
import io.millrace.server.metrics.LatencyRecorder;
import org.HdrHistogram.Histogram;
import org.agrona.IoUtil;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.function.ToDoubleFunction;

/**
 * The journal's cost in four parts, each with interleaved rounds of the journal and of its baseline: an append, a
 * durable commit, a commit while a segment is prepared, and appends beside other logs.
 */
public final class JournalCost
{
    private static final String APPEND = "append";
    private static final String COMMIT = "commit";
    private static final String PREPARE = "prepare";
    private static final String RACE = "race";
    private static final int ROUNDS = 9;
    private static final int ROUND_MS = 300;
    /** A 99.9 % needs some thousand forces a round. */
    private static final int PREPARING_FACTOR = 8;
    private static final long HICCUPS_PER_SECOND = 100_000;

    private final RunHeader header;
    private final PrintStream out;
    private final Path dir;
    private final int rounds;
    private final int roundMs;
    private final int[] cpus;
    private final List<String> parts;
    private final Paragraphs tables = new Paragraphs();

    /**
     * A report.
     *
     * @param properties settings.
     * @param out        for people.
     */
    public JournalCost(final Properties properties, final PrintStream out)
    {
        final Options options = new Options(properties, "report.");
        RunOptions.refuseBudget(options);
        this.out = out;
        rounds = options.number("rounds", ROUNDS, 1, 99);
        roundMs = options.number("roundMs", ROUND_MS, 1, 10_000);
        parts = options.selected(List.of(APPEND, COMMIT, PREPARE, RACE));
        cpus = options.cpus(Pinning.allowed());
        dir = options.dir(RunOptions.DIR, "journal");
        header = new RunHeader("Cost of the journal").cpus(cpus[0], cpus[1]).rounds(rounds);
    }

    /**
     * Run the parts.
     *
     * @throws IOException when a file fails.
     */
    public void run() throws IOException
    {
        final ReportFolder folder = new ReportFolder(dir, "table.txt");
        header.begin(out, rounds * roundMs * (4 * CommitCost.BATCHES.length + 3 * PREPARING_FACTOR) / 1e3 + 30);
        Pinning.pinCurrentThread(cpus[0]);
        header.placement("the appending thread " +
            Pinning.describe(cpus[0], ThreadProbe.ofCurrentThread().allowedCpus()));
        if (parts.contains(APPEND))
        {
            append();
        }
        if (parts.contains(COMMIT))
        {
            commit();
        }
        if (parts.contains(PREPARE))
        {
            prepare();
        }
        if (parts.contains(RACE))
        {
            race();
        }
        folder.finish(out, tables.lines(), header);
    }

    private void add(final String title, final TextTable table)
    {
        tables.add(title, table.lines());
    }

    private void append()
    {
        try (AppendCost cost = new AppendCost())
        {
            for (int round = -3; round < rounds; round++)
            {
                cost.round(round >= 0);
            }
            final TextTable table =
                new TextTable(1, "append of a command of 40 bytes, CPU time", "ns", "least", "most");
            row(table, "copy by hand", cost.copy);
            row(table, "copy by hand and CRC32C", cost.copyAndChecksum);
            row(table, "journal: encode, CRC32C, header", cost.append);
            add("rounds of " + AppendCost.COMMANDS + " commands; control sum " + cost.sum(), table);
        }
    }

    private static void row(final TextTable table, final String name, final Series<Double> series)
    {
        final double[] sorted = series.sorted(ns -> ns);
        table.add(name, Figure.three(series.median(ns -> ns)), Figure.three(sorted[0]),
            Figure.three(sorted[sorted.length - 1]));
    }

    private void commit() throws IOException
    {
        final TextTable table = new TextTable(1, "commit of a batch of", "bare p50", "journal p50", "bare mean",
            "journal mean", "p50 to bare", "mean to bare", "commands/s");
        final Path place = fresh();
        try (CommitCost cost = new CommitCost(place, false, roundMs))
        {
            for (final int batch : CommitCost.BATCHES)
            {
                final Series<Histogram> bare = new Series<>(round -> true);
                final Series<Histogram> journal = new Series<>(round -> true);
                for (int round = 0; round < rounds; round++)
                {
                    cost.rest();
                    bare.add(cost.bare(batch));
                    journal.add(cost.journal(batch));
                }
                table.add(Integer.toString(batch), time(bare, each -> each.getValueAtPercentile(50)),
                    time(journal, each -> each.getValueAtPercentile(50)),
                    time(bare, Histogram::getMean), time(journal, Histogram::getMean),
                    Figure.two(journal.ratioTo(bare, each -> each.getValueAtPercentile(50))),
                    Figure.two(journal.ratioTo(bare, Histogram::getMean)),
                    Figure.rate(batch * 1e9 / journal.median(Histogram::getMean)));
            }
        }
        finally
        {
            IoUtil.delete(place.toFile(), false);
        }
        add("write and force, " + rounds + " rounds of " + roundMs + " ms; ratios are medians of pairs", table);
    }

    private static String time(final Series<Histogram> series, final ToDoubleFunction<Histogram> of)
    {
        return Quantile.text(series.median(of));
    }

    private void prepare() throws IOException
    {
        final double[] percentiles = {50, 90, 99, 99.9};
        final TextTable table = new TextTable(1, "commit of " + CommitCost.PREPARING_BATCH, "without", "preparing",
            "ratio", "hiccups of the host");
        final Series<Histogram> without = new Series<>(round -> true);
        final Series<Histogram> preparing = new Series<>(round -> true);
        final Histogram hiccups = LatencyRecorder.newHistogram();
        final Path place = fresh();
        try (CommitCost cost = new CommitCost(place, true, (long)PREPARING_FACTOR * roundMs))
        {
            for (int round = -1; round < rounds; round++)
            {
                final Histogram one = cost.journal(CommitCost.PREPARING_BATCH);
                final Histogram other = cost.whilePreparing(CommitCost.PREPARING_BATCH);
                if (round >= 0)
                {
                    without.add(one);
                    preparing.add(other);
                    hiccups.add(HiccupMeter.measure(HICCUPS_PER_SECOND, roundMs, cpus[1], cpus[0]));
                }
            }
        }
        finally
        {
            IoUtil.delete(place.toFile(), false);
        }
        for (final double percentile : percentiles)
        {
            table.add("p" + percentile, time(without, each -> Quantile.of(each, percentile)),
                time(preparing, each -> Quantile.of(each, percentile)),
                Figure.two(preparing.ratioTo(without, each -> Quantile.of(each, percentile))),
                Quantile.text(hiccups, percentile));
        }
        add("while a segment is prepared, " + rounds + " pairs of rounds of " + PREPARING_FACTOR * roundMs + " ms, " +
            Math.round(without.median(each -> each.getTotalCount())) + " commits each; ratios are medians",
            table);
    }

    private void race() throws IOException
    {
        final Path place = fresh();
        try
        {
            final AppendRace race = new AppendRace(place, rounds, out);
            final TextTable table = race.run();
            add(rounds + " interleaved rounds after 3 to warm up; all " + race.checked() + " records were read back",
                table);
        }
        finally
        {
            IoUtil.delete(place.toFile(), false);
        }
    }

    private Path fresh() throws IOException
    {
        final Path place = dir.resolve("disk");
        IoUtil.delete(place.toFile(), false);
        return Files.createDirectory(place);
    }
}

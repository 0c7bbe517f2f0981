package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.harness.ChildProcess;
import io.millrace.benchmarks.harness.HostBaseline;
import io.millrace.benchmarks.harness.RateTables;
import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.Rate;
import io.millrace.benchmarks.harness.RateSummary;
import io.millrace.benchmarks.harness.Round;
import io.millrace.benchmarks.harness.Rounds;
import io.millrace.benchmarks.harness.RunHeader;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ReportFilesTest
{
    private static final List<Round> GOOD = Collections.nCopies(9, Rounds.good());
    private static final List<Round> NOISY = Collections.nCopies(9, Rounds.with(0.5, 2, 1.0));

    @TempDir
    Path dir;
    private RateOptions options;
    private RunHeader header;

    @BeforeEach
    void open()
    {
        final Properties properties = new Properties();
        properties.setProperty("report.dir", dir.toString());
        options = RateOptions.from(properties, List.of(0, 1));
        header = new RunHeader("Millrace message-rate report", new HostFiles(dir.resolve("no-such-root")))
            .flags("every contender", ChildProcess.flags()).add("input: 100 commands");
        header.placement("source pinned to 0, handler NOT pinned (asked for 1, runs on 0-1)");
        header.add(new HostBaseline(26.5, 242.0));
    }

    private void write(final List<RateSummary> rates, final List<String> text) throws IOException
    {
        RateReport.write(RateReport.folder(dir), header, options, rates, text);
    }

    @Test
    void shouldWriteAFilePerRateAndPathNamedByTheRate() throws IOException
    {
        write(List.of(summary(10_000, GOOD), summary(250_000, GOOD)), List.of("the text"));

        assertEquals(new TreeSet<>(Set.of(
            "latency_10k_mps.hgrm", "latency_10k_mps.hlog", "raw_latency_10k_mps.hgrm", "raw_latency_10k_mps.hlog",
            "latency_250k_mps.hgrm", "latency_250k_mps.hlog", "raw_latency_250k_mps.hgrm", "raw_latency_250k_mps.hlog",
            "hiccup.hgrm", "run.txt", "latency.svg")), names());
        assertTrue(Files.readString(dir.resolve("run.txt")).endsWith("\nthe text\n"));
    }

    @Test
    void shouldNameTheEmptyHandlersFilesApartFromThoseOfTheHandlerUnderTest() throws IOException
    {
        Files.writeString(dir.resolve("empty_latency_5m_mps.hlog"), "old");
        RateReport.folder(dir);
        write(List.of(Rounds.withEmpty(summary(10_000, GOOD), GOOD)), List.of());

        assertEquals(new TreeSet<>(Set.of(
            "latency_10k_mps.hgrm", "latency_10k_mps.hlog", "raw_latency_10k_mps.hgrm", "raw_latency_10k_mps.hlog",
            "empty_latency_10k_mps.hgrm", "empty_latency_10k_mps.hlog", "hiccup.hgrm", "run.txt", "latency.svg")),
            names());
        assertTrue(Files.readString(dir.resolve("empty_latency_10k_mps.hgrm")).contains("# path: empty\n"));
    }

    @Test
    void shouldGiveThePathsALineEachAndTheRatioToTheEmptyHandler()
    {
        final List<RateSummary> rates = List.of(Rounds.withEmpty(
            Rounds.summary(new Rate(1_000_000), Collections.nCopies(9, Rounds.slow(300, 0.0)), GOOD),
            Collections.nCopies(9, Rounds.slow(200, 0.0))));
        for (final List<String> table : List.of(ReportTable.main(rates), ReportTable.closed(rates)))
        {
            assertTrue(table.stream().anyMatch(line -> line.startsWith("1m       empty ")), table::toString);
        }
        assertEquals(27, RateTables.rounds(rates, true).stream().filter(line -> line.endsWith(" yes")).count());
        final String ratios = ReportTable.ratios(rates).get(1);
        assertTrue(ratios.matches("1m .* 9 +1\\.50 .*ok 9/9"), ratios);
    }

    @Test
    void shouldReportTheRateOfASaturatedPath()
    {
        final List<Round> slow = Collections.nCopies(9, Rounds.with(0.0, 2, 0.7));
        final List<String> remarks = RateTables.remarks(List.of(summary(1_000_000, slow)));
        assertEquals(1, remarks.size());
        assertTrue(remarks.get(0).matches("1m server: SATURATED: (69\\.9|70\\.0) % of the rate achieved: " +
            "it carried (699,|700,)\\d{3}/s"), remarks::toString);
        final String ratios = ReportTable.ratios(List.of(summary(1_000_000, slow))).get(1);
        assertTrue(ratios.matches("1m +- +- +- +- +1\\.00 +9 .*SATURATED.*"), ratios);
    }

    @Test
    void shouldSayWhatTheRunWasOnTopOfEachFile() throws IOException
    {
        write(List.of(summary(1_000_000, GOOD)), List.of());
        final String top = Files.readString(dir.resolve("latency_1m_mps.hgrm"));
        for (final String part : List.of(
            "# path: server\n",
            "# rate asked: 1,000,000/s; achieved: 1,000,000/s\n",
            "# offered 90,000 = handled 90,000 + rejected 0 + dropped 0\n",
            "# status: ok 9/9 rounds clean\n",
            "# pinning: source pinned to 0, handler NOT pinned (asked for 1, runs on 0-1)",
            "# host baselines: cache line to the other core and back 242 ns (p50), clock reading 26.5 ns\n",
            "# JVM flags of every contender: -Xms512m",
            "# git: ", "isolated CPUs: ", "governor: ", "# load average before: ", "# input: 100 commands",
            "involuntary context switches of the measured threads: 54\n",
                "# hiccups of the host between these rounds: p99 ",
            "# unit: ns\n"))
        {
            assertTrue(top.contains(part), () -> part + " is missing in\n" + top);
        }
    }

    @Test
    void shouldWriteAnInvalidResultFromAllRoundsAndMarkIt() throws IOException
    {
        write(List.of(summary(1_000_000, NOISY)), List.of());
        final String text = Files.readString(dir.resolve("latency_1m_mps.hgrm"));
        assertTrue(text.contains("# status: INVALID 0/9 rounds clean; INVALID: 0 of 9 rounds are clean"), text);
        assertTrue(text.contains("Total count    =        90000]"), text);
    }

    @Test
    void shouldMarkAPreviewInHeaderAndTables() throws IOException
    {
        final List<Round> one = List.of(Rounds.good());
        final List<RateSummary> preview = List.of(Rounds.summary(new Rate(1_000_000), one, one));
        write(preview, List.of());
        final String text = Files.readString(dir.resolve("latency_1m_mps.hgrm"));
        assertTrue(text.contains("# status: PREVIEW 1/1 rounds clean; fewer than 9 rounds: a preview, no result"),
            text);
        for (final List<String> table : List.of(
            ReportTable.main(preview), ReportTable.closed(preview), ReportTable.ratios(preview)))
        {
            assertTrue(table.stream().anyMatch(line -> line.endsWith("PREVIEW 1/1")), table::toString);
        }
    }

    @Test
    void shouldQualifyRatios()
    {
        assertTrue(ReportTable.ratios(List.of(summary(1_000_000, GOOD))).get(1).endsWith("ok 9/9"));
        assertTrue(ReportTable.ratios(List.of(summary(1_000_000, NOISY))).get(1)
            .endsWith("server INVALID 0/9, raw ok 9/9"));
    }

    @Test
    void shouldCountNoRoundOfADiscardedAttempt()
    {
        final List<String> lines = RateTables.rounds(List.of(summary(1_000_000, NOISY)), false);
        assertEquals(18, lines.stream().filter(line -> line.endsWith(" no")).count(), lines::toString);
    }

    @Test
    void shouldLogOneIntervalPerRound() throws IOException
    {
        write(List.of(summary(1_000_000, GOOD)), List.of());
        try (HistogramLogReader reader = new HistogramLogReader(dir.resolve("latency_1m_mps.hlog").toFile()))
        {
            int rounds = 0;
            for (Histogram next = (Histogram)reader.nextIntervalHistogram(); next != null;
                next = (Histogram)reader.nextIntervalHistogram())
            {
                assertEquals(Rounds.PLAN.events(), next.getTotalCount());
                rounds++;
            }
            assertEquals(9, rounds);
        }
    }

    @Test
    void shouldTakeAwayOnlyWhatAnEarlierReportWrote() throws IOException
    {
        Files.writeString(dir.resolve("latency_5m_mps.hgrm"), "old");
        Files.writeString(dir.resolve("raw_latency_5m_mps.hlog"), "old");
        Files.writeString(dir.resolve("latency.svg"), "old");
        Files.writeString(dir.resolve("mine.txt"), "keep");
        Files.writeString(dir.resolve("latency.txt"), "keep");
        RateReport.folder(dir);
        assertEquals(new TreeSet<>(Set.of("latency.txt", "mine.txt")), names());
    }

    @Test
    void shouldPrintTablesThatFitIntoOneHundredAndFiftyColumns()
    {
        final List<RateSummary> rates = List.of(summary(10_000, GOOD), summary(10_000_000, NOISY));
        final List<String> lines = ReportTable.main(rates);
        lines.addAll(ReportTable.closed(rates));
        lines.addAll(ReportTable.ratios(rates));
        lines.addAll(RateTables.rounds(rates, true));
        lines.addAll(RateTables.remarks(rates));
        lines.forEach(line -> assertTrue(line.length() <= 150, () -> line.length() + " columns: " + line));
        assertTrue(lines.get(0).contains("p99.999"), lines.get(0));
        assertTrue(lines.stream().anyMatch(line -> line.startsWith("10m      server") && line.endsWith("INVALID 0/9")));
        assertFalse(lines.stream().anyMatch(line -> line.contains("NaN")));
    }

    private static RateSummary summary(final long perSecond, final List<Round> rounds)
    {
        return Rounds.summary(new Rate(perSecond), rounds, GOOD);
    }

    private Set<String> names() throws IOException
    {
        try (Stream<Path> all = Files.list(dir))
        {
            return all.map(file -> file.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new));
        }
    }
}

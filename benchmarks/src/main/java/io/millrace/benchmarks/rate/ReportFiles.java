package io.millrace.benchmarks.rate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.millrace.server.metrics.HgrmWriter;
import io.millrace.server.metrics.HlogWriter;
import io.millrace.server.metrics.LatencyRecorder;

import org.HdrHistogram.Histogram;

/**
 * Writes the files of a report into its folder, and takes those of an earlier report away first, so that no two are
 * mixed. One thread.
 * <pre>
 *  latency_1m_mps.hgrm       percentiles from the intended time, one per rate
 *  latency_1m_mps.hlog       the same, one interval per round
 *  raw_latency_1m_mps.*      the raw floor's
 *  empty_latency_1m_mps.*    the empty handler's, where another one is under test
 *  hiccup.hgrm               run.txt                     latency.svg
 * </pre>
 */
public final class ReportFiles
{
    private static final String OLD = "{,raw_,empty_}latency_*_mps.{hgrm,hlog}";
    private static final List<String> OLD_BESIDE = List.of("hiccup.hgrm", "run.txt", "latency.svg");

    private final Path dir;

    /**
     * Files in a folder.
     *
     * @param dir the folder, which is there.
     */
    public ReportFiles(final Path dir)
    {
        this.dir = dir;
    }

    /**
     * Take away what an earlier report wrote.
     *
     * @throws IOException when a file stays.
     */
    public void clear() throws IOException
    {
        try (DirectoryStream<Path> old = Files.newDirectoryStream(dir, OLD))
        {
            for (final Path file : old)
            {
                Files.delete(file);
            }
        }
        for (final String name : OLD_BESIDE)
        {
            Files.deleteIfExists(dir.resolve(name));
        }
    }

    /**
     * Write everything.
     *
     * @param header what the run was.
     * @param rates  what was measured.
     * @param text   what goes into {@code run.txt} below the header.
     * @throws IOException when a file cannot be written.
     */
    public void write(final RunHeader header, final List<RateSummary> rates, final List<String> text) throws IOException
    {
        final Histogram hiccups = LatencyRecorder.newHistogram();
        final LatencyPlot plot = new LatencyPlot(List.of(header.hostLine(), header.runLine()));
        for (final RateSummary rate : rates)
        {
            for (final PathSummary path : rate.paths())
            {
                write(path, prefix(path), header, rate);
            }
            hiccups.add(rate.hiccupSum());
            plot.add(rate);
        }
        final List<String> hiccupHeader = new ArrayList<>(header.lines());
        hiccupHeader.add("path: none; hiccups of the host, an open loop at 1,000,000/s with nothing behind it");
        hiccupHeader.add("unit: ns");
        HgrmWriter.write(dir.resolve("hiccup.hgrm"), hiccupHeader, hiccups);
        final List<String> run = new ArrayList<>(header.lines());
        run.add("");
        run.addAll(text);
        Files.write(dir.resolve("run.txt"), run, StandardCharsets.UTF_8);
        Files.writeString(dir.resolve("latency.svg"), plot.addHiccups(hiccups).svg(), StandardCharsets.UTF_8);
    }

    private static String prefix(final PathSummary path)
    {
        return ReportPath.SERVER.equals(path.name()) ? "" : path.name() + "_";
    }

    private void write(final PathSummary path, final String prefix, final RunHeader header, final RateSummary rate)
        throws IOException
    {
        final List<String> lines = new ArrayList<>(header.lines());
        lines.addAll(describe(path, rate));
        final String name = prefix + "latency_" + path.rate().label() + "_mps";
        HgrmWriter.write(dir.resolve(name + ".hgrm"), lines, path.intended());
        try (HlogWriter log = new HlogWriter(dir.resolve(name + ".hlog"), lines, path.rounds().get(0).startMs()))
        {
            for (final RoundResult round : path.rounds())
            {
                log.append(round.intended());
            }
        }
    }

    /**
     * What a path did at a rate, for the header of its files.
     *
     * @param path its rounds.
     * @param rate the rate they belong to.
     * @return lines.
     */
    public static List<String> describe(final PathSummary path, final RateSummary rate)
    {
        final Verdict verdict = path.verdict();
        final List<String> lines = new ArrayList<>();
        lines.add("path: " + path.name());
        lines.add(String.format(Locale.ROOT, "rate asked: %,d/s; achieved: %,.0f/s",
            path.rate().perSecond(), path.achievedPerSecond()));
        lines.add(String.format(Locale.ROOT, "offered %,d = handled %,d + rejected %,d + dropped %,d",
            path.offered(), path.handled(), path.sum(RoundResult::rejected), path.sum(RoundResult::dropped)));
        lines.add(String.format(Locale.ROOT, "waited for room in the ring: %,d", path.sum(RoundResult::fullWaits)));
        lines.add("status: " + verdict.status() + " rounds clean" +
            (verdict.valid() ? "" : "; INVALID: " + verdict.invalid() + "; figures of all rounds") +
            (verdict.isLook() ? "; fewer than " + ReportOptions.FULL_ROUNDS + " rounds: a look, no result" : "") +
            (verdict.saturated() ? "; SATURATED: below 99 % of the rate asked" : ""));
        lines.add(String.format(Locale.ROOT, "allocated: %d bytes; GC: %d; CPU: %.0f ns/event",
            path.sum(RoundResult::allocatedBytes), path.sum(RoundResult::gcCount), path.perEvent(RoundResult::cpuNs)));
        lines.add(String.format(Locale.ROOT, "involuntary context switches of the two threads: %,d",
            path.sum(RoundResult::involuntarySwitches)));
        lines.add("steal by round, %: " + String.join(" ",
            path.rounds().stream().map(round -> ReportTable.percent(round.steal())).toList()));
        final Histogram hiccups = rate.hiccupSum();
        lines.add("hiccups of the host between these rounds: p99 " + Quantile.text(Quantile.of(hiccups, 99.0)) +
            ", p99.9 " + Quantile.text(Quantile.of(hiccups, 99.9)) +
            ", p99.99 " + Quantile.text(Quantile.of(hiccups, 99.99)));
        lines.add("latency: from the intended send time to the end of handling");
        lines.add("unit: ns");
        return lines;
    }
}

package io.millrace.benchmarks.exchange;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.millrace.benchmarks.rate.PathSummary;
import io.millrace.benchmarks.rate.RateSummary;
import io.millrace.benchmarks.rate.ReportFiles;
import io.millrace.benchmarks.rate.ReportTable;
import io.millrace.server.metrics.HgrmWriter;
import io.millrace.server.metrics.LatencyRecorder;

import org.HdrHistogram.Histogram;

/**
 * Writes the files of order-latency into its folder, and takes those of an earlier run away first. One thread.
 * <pre>
 *  order_latency_1m.hgrm                  percentiles from the intended time, one file a rate
 *  exchange-core_order_latency_1m.hgrm    the other exchange's
 *  hiccup.hgrm     run.txt     latency.svg
 * </pre>
 */
final class LatencyFiles
{
    private static final String NAME = "order_latency_";
    private static final String HICCUP = "hiccup.hgrm";
    private static final String RUN = "run.txt";
    private static final String PLOT = "latency.svg";

    private final Path dir;

    LatencyFiles(final Path dir)
    {
        this.dir = dir;
    }

    void clear() throws IOException
    {
        try (DirectoryStream<Path> old = Files.newDirectoryStream(dir, "{," + ExchangeContender.RIVAL + "_}" + NAME +
            "*.hgrm"))
        {
            for (final Path file : old)
            {
                Files.delete(file);
            }
        }
        for (final String name : List.of(HICCUP, RUN, PLOT))
        {
            Files.deleteIfExists(dir.resolve(name));
        }
    }

    /**
     * @param text goes below the header.
     */
    void write(final ExchangeHeader header, final List<RateSummary> rates, final List<String> text) throws IOException
    {
        final Histogram hiccups = LatencyRecorder.newHistogram();
        for (final RateSummary rate : rates)
        {
            for (final PathSummary path : rate.paths())
            {
                final List<String> lines = new ArrayList<>(header.lines());
                lines.addAll(ReportFiles.describe(path, rate));
                HgrmWriter.write(dir.resolve(name(path)), lines, path.intended());
            }
            hiccups.add(rate.hiccupSum());
        }
        final List<String> lines = new ArrayList<>(header.lines());
        lines.add("path: none; hiccups of the host, an open loop at 1,000,000/s with nothing behind it");
        lines.add("unit: ns");
        HgrmWriter.write(dir.resolve(HICCUP), lines, hiccups);
        final List<String> run = new ArrayList<>(header.lines());
        run.add("");
        run.addAll(text);
        run.add("");
        run.add("Each round (counts: whether it is part of the table above)");
        run.addAll(ReportTable.rounds(rates));
        Files.write(dir.resolve(RUN), run, StandardCharsets.UTF_8);
        Files.writeString(dir.resolve(PLOT),
            new RatePlot(List.of(header.hostLine(), header.runLine())).svg(rates), StandardCharsets.UTF_8);
    }

    private static String name(final PathSummary path)
    {
        return (path.name().equals(ExchangeContender.OURS) ? "" : path.name() + "_") + NAME + path.rate().label() +
            ".hgrm";
    }

    /** What {@link #write} makes. */
    List<String> names(final List<RateSummary> rates)
    {
        final List<String> names = new ArrayList<>(List.of(PLOT, RUN, HICCUP));
        rates.forEach(rate -> rate.paths().forEach(path -> names.add(name(path))));
        return names;
    }
}

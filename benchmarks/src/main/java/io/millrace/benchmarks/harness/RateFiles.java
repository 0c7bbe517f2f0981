package io.millrace.benchmarks.harness;

import io.millrace.server.metrics.HgrmWriter;
import io.millrace.server.metrics.HlogWriter;
import io.millrace.server.metrics.LatencyRecorder;
import org.HdrHistogram.Histogram;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Writes the latencies of a report into files, each with the header of the run on top.
 * <pre>
 *  NAME.hgrm       percentiles from the intended time, one file for each path and rate
 *  NAME.hlog       the same, one interval per round
 *  hiccup.hgrm     hiccups of the host
 *  run.txt         the report
 * </pre>
 */
public final class RateFiles
{
    private RateFiles()
    {
    }

    /**
     * Write all files but the picture.
     *
     * @param folder   where.
     * @param header   description of the run.
     * @param rates    the measured rates.
     * @param text     lines for {@code run.txt} below the header.
     * @param namer    names the files of a path at a rate, without their endings.
     * @param withLogs whether also the intervals.
     * @return the hiccups of all rates.
     * @throws IOException when a file cannot be written.
     */
    public static Histogram write(
        final ReportFolder folder,
        final RunHeader header,
        final List<RateSummary> rates,
        final List<String> text,
        final Function<PathSummary, String> namer,
        final boolean withLogs) throws IOException
    {
        final Histogram hiccups = LatencyRecorder.newHistogram();
        for (final RateSummary rate : rates)
        {
            for (final PathSummary path : rate.paths())
            {
                final List<String> lines = with(header, RateTables.describe(path, rate));
                HgrmWriter.write(folder.file(namer.apply(path) + ".hgrm"), lines, path.intended());
                if (withLogs)
                {
                    writeLog(folder, namer.apply(path) + ".hlog", lines, path.series().rounds());
                }
            }
            hiccups.add(rate.hiccupSum());
        }
        HgrmWriter.write(folder.file("hiccup.hgrm"), with(header, List.of(
            "path: none; hiccups of the host, an open loop at 1,000,000/s with nothing behind it", "unit: ns")),
                hiccups);
        final List<String> below = new ArrayList<>(List.of(""));
        below.addAll(text);
        folder.write("run.txt", with(header, below));
        return hiccups;
    }

    private static void writeLog(
        final ReportFolder folder, final String name, final List<String> lines, final List<Round> rounds)
        throws IOException
    {
        try (HlogWriter log = new HlogWriter(folder.file(name), lines, rounds.get(0).readings().startMs()))
        {
            for (final Round round : rounds)
            {
                log.append(round.intended());
            }
        }
    }

    private static List<String> with(final RunHeader header, final List<String> more)
    {
        final List<String> lines = new ArrayList<>(header.lines());
        lines.addAll(more);
        return lines;
    }
}

package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.harness.Chart.Line;
import io.millrace.benchmarks.harness.Chart;
import io.millrace.benchmarks.harness.Chart.Stroke;
import io.millrace.benchmarks.harness.PathSummary;
import io.millrace.benchmarks.harness.RateSummary;
import io.millrace.benchmarks.harness.ReportFolder;
import io.millrace.benchmarks.harness.RunHeader;
import io.millrace.benchmarks.harness.Series;
import org.HdrHistogram.Histogram;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Draws percentiles as one picture: to the right the percentile, each label ten times rarer than the one before,
 * upwards the latency on a log axis. A line ends where fewer than ten samples lie beyond. One thread.
 */
public final class LatencyPlot
{
    private static final int WIDTH = 1_200;
    private static final int HEIGHT = 660;
    private static final int LEFT = 84;
    private static final int RIGHT = 850;
    private static final int TOP = 92;
    private static final int BOTTOM = 590;
    private static final int LEGEND_X = 874;
    private static final int LEGEND_STEP = 24;
    // The path that the report is about is drawn the thickest.
    private static final double THICK = 2.8;
    private static final double MEDIUM = 1.6;
    private static final double THIN = 0.9;
    private static final String BLACK = "#000000";

    private final Chart chart;
    private final List<Line> lines = new ArrayList<>();
    private int rates;
    private int legendLines;
    private boolean hasEmpty;

    /**
     * An empty picture.
     *
     * @param subtitles host and run, at most two lines.
     */
    public LatencyPlot(final List<String> subtitles)
    {
        chart = new Chart(WIDTH, LEFT, "Latency from the intended send time to the end of handling", subtitles);
    }

    /**
     * Draw a report into its folder.
     *
     * @param folder  where.
     * @param header  description of the run.
     * @param options its settings.
     * @param rates   the measured rates.
     * @param hiccups of the host.
     * @throws IOException when the file cannot be written.
     */
    static void write(
        final ReportFolder folder,
        final RunHeader header,
        final RateOptions options,
        final List<RateSummary> rates,
        final Histogram hiccups) throws IOException
    {
        final LatencyPlot plot = new LatencyPlot(header.subtitles("ring " + options.capacity() + ", handler " +
            options.handler() + ", " + options.run().rounds() + " rounds of " + options.run().roundMs() + " ms"));
        rates.forEach(plot::add);
        folder.write("latency.svg", plot.addHiccups(hiccups).svg());
    }

    /**
     * Add a rate: one colour, solid for the server, dashed for the raw baseline, thin for the empty handler.
     *
     * @param rate the rate.
     * @return this.
     */
    public LatencyPlot add(final RateSummary rate)
    {
        final String colour = Chart.COLOURS.get(rates++ % Chart.COLOURS.size());
        for (final PathSummary path : rate.paths())
        {
            final boolean dashed = ReportPath.RAW.equals(path.name());
            final boolean thin = ReportPath.EMPTY.equals(path.name());
            hasEmpty |= thin;
            lines.add(new Line(
                new Stroke(colour, thin ? THIN : dashed ? MEDIUM : THICK, dashed ? Stroke.DASHED : ""),
                Chart.percentiles(path.intended())));
        }
        final List<String> marks = marks(rate);
        legend(new Stroke(colour, THICK, ""),
            rate.rate().pictureLabel() + "/s" + (marks.isEmpty() ? "" : " " + marks.get(0)));
        marks.stream().skip(1).forEach(mark -> chart.text(LEGEND_X + 42, legendY() + 4, "start", 12, mark));
        return this;
    }

    /** Marks of paths that are no result; all of them have the same, or each is named. */
    private static List<String> marks(final RateSummary rate)
    {
        final Map<String, List<String>> namesByMark = new LinkedHashMap<>();
        for (final PathSummary path : rate.paths())
        {
            namesByMark.computeIfAbsent(mark(path.series()), key -> new ArrayList<>()).add(path.name());
        }
        return namesByMark.entrySet().stream().filter(entry -> !entry.getKey().isEmpty())
            .map(entry -> namesByMark.size() == 1 ?
                entry.getKey() : String.join(", ", entry.getValue()) + " " + entry.getKey()).toList();
    }

    private static String mark(final Series<?> series)
    {
        return series.isValid() && !series.isPreview() && !series.isSaturated() ? "" : series.status().split(" ")[0];
    }

    /**
     * Add the hiccups of the host.
     *
     * @param hiccups latencies in nanoseconds.
     * @return this.
     */
    public LatencyPlot addHiccups(final Histogram hiccups)
    {
        lines.add(new Line(new Stroke(Chart.GREY, MEDIUM, Stroke.DOTTED), Chart.percentiles(hiccups)));
        return this;
    }

    private int legendY()
    {
        return TOP + 10 + LEGEND_STEP * legendLines++;
    }

    private void legend(final Stroke stroke, final String text)
    {
        chart.legend(LEGEND_X, legendY(), stroke, text);
    }

    /**
     * The picture of what was added; once.
     *
     * @return an SVG document.
     */
    public String svg()
    {
        legend(new Stroke(BLACK, THICK, ""), hasEmpty ? "server with the matching handler" : "server");
        legend(new Stroke(BLACK, MEDIUM, Stroke.DASHED),
            hasEmpty ? "raw baseline: ring and book, no server" : "raw baseline: a ring, no server");
        if (hasEmpty)
        {
            legend(new Stroke(BLACK, THIN, ""), "server with the empty handler");
        }
        legend(new Stroke(Chart.GREY, MEDIUM, Stroke.DOTTED), "hiccups of the host itself");
        chart.percentiles(lines, LEFT, RIGHT, BOTTOM, TOP);
        return chart.svg(HEIGHT);
    }
}

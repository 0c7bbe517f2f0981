package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.harness.Chart.Line;
import io.millrace.benchmarks.harness.Chart;
import io.millrace.benchmarks.harness.Chart.Scale;
import io.millrace.benchmarks.harness.Chart.Stroke;
import io.millrace.benchmarks.harness.PathSummary;
import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.Rate;
import io.millrace.benchmarks.harness.RateSummary;
import org.HdrHistogram.Histogram;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Draws latencies by rate: to the right the rate asked for, upwards the latency, both on log axes. A colour for each
 * exchange; the median is solid, the 99th percentile dashed. One thread.
 */
final class RatePlot
{
    private static final int WIDTH = 1_100;
    private static final int HEIGHT = 620;
    private static final int LEFT = 84;
    private static final int RIGHT = 830;
    private static final int TOP = 92;
    private static final int BOTTOM = 540;
    private static final int LEGEND_X = 856;
    private static final int LEGEND_STEP = 26;
    private static final double WIDE = 2.4;
    private static final String HICCUP = "hiccup";
    private static final Map<String, String> COLOURS = Map.of(ExchangeContender.OURS, Chart.COLOURS.get(0),
        ExchangeContender.RIVAL, Chart.COLOURS.get(1), HICCUP, Chart.GREY);
    // A little space on both sides, also around a single rate.
    private static final double MARGIN = 1.12;
    // Labels of rates nearer to each other than this would touch.
    private static final double LABEL_GAP = 34;

    private final Chart chart;

    /**
     * @param subtitles host and run.
     */
    RatePlot(final List<String> subtitles)
    {
        chart = new Chart(WIDTH, LEFT, "order-latency: from the intended send time to the result, by rate", subtitles);
    }

    /** The picture. */
    String svg(final List<RateSummary> rates)
    {
        final Map<String, Line> lines = lines(rates);
        final double[] perSecond = rates.stream().mapToDouble(rate -> rate.rate().perSecond()).sorted().toArray();
        final Scale across = perSecond.length == 0 ? new Scale(100_000, 1_000_000, LEFT, RIGHT, true) :
            new Scale(perSecond[0] / MARGIN, perSecond[perSecond.length - 1] * MARGIN, LEFT, RIGHT, true);
        final Scale up = Line.decades(lines.values(), BOTTOM, TOP);
        final List<Double> marks = rates.stream().map(rate -> (double)rate.rate().perSecond()).toList();
        final List<Double> labelled = apart(marks, across);
        chart.axisAcross(across, TOP, BOTTOM, marks, rate -> labelled.contains(rate) ? label(rate) : "",
            "commands per second asked for");
        chart.latencyAxis(up, LEFT, RIGHT);
        int y = TOP + LEGEND_STEP / 2;
        for (final Map.Entry<String, Line> line : lines.entrySet())
        {
            final Stroke stroke = line.getValue().stroke();
            chart.line(line.getValue().points(), across, up, stroke);
            line.getValue().points().forEach(point ->
                chart.dot(across.at(point[0]), up.at(point[1]), 3, stroke.colour()));
            chart.legend(LEGEND_X, y, stroke, line.getKey());
            y += LEGEND_STEP;
        }
        return chart.svg(HEIGHT);
    }

    private static List<Double> apart(final List<Double> marks, final Scale across)
    {
        final List<Double> apart = new ArrayList<>();
        for (final double mark : marks)
        {
            if (apart.isEmpty() || across.at(mark) - across.at(apart.get(apart.size() - 1)) >= LABEL_GAP)
            {
                apart.add(mark);
            }
        }
        return apart;
    }

    private static String label(final double perSecond)
    {
        return new Rate(Math.round(perSecond)).label();
    }

    private static Map<String, Line> lines(final List<RateSummary> rates)
    {
        final Map<String, Line> lines = new LinkedHashMap<>();
        for (final RateSummary rate : rates)
        {
            for (final PathSummary path : rate.paths())
            {
                add(lines, path.name(), 50.0, "", rate, path.intended());
                add(lines, path.name(), 99.0, Stroke.DASHED, rate, path.intended());
            }
            add(lines, HICCUP, 99.0, Stroke.DOTTED, rate, rate.hiccupSum());
        }
        return lines;
    }

    private static void add(
        final Map<String, Line> lines,
        final String path,
        final double percentile,
        final String dashes,
        final RateSummary rate,
        final Histogram histogram)
    {
        final double ns = Quantile.of(histogram, percentile);
        if (ns > 0)
        {
            lines.computeIfAbsent(path + " " + Math.round(percentile) + " %", key -> new Line(
                new Stroke(COLOURS.getOrDefault(path, "#333333"), WIDE, dashes), new ArrayList<>()))
                .points().add(new double[] {rate.rate().perSecond(), ns});
        }
    }
}

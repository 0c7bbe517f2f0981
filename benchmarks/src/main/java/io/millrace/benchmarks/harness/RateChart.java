package io.millrace.benchmarks.harness;

import io.millrace.benchmarks.harness.Chart.Line;
import io.millrace.benchmarks.harness.Chart.Scale;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Draws latencies by rate: to the right the commands per second asked for, upwards the latency, both on log axes.
 * Stateless; any thread.
 */
public final class RateChart
{
    private static final int WIDTH = 1_100;
    private static final int HEIGHT = 620;
    private static final int LEFT = 84;
    private static final int RIGHT = 830;
    private static final int TOP = 92;
    private static final int BOTTOM = 540;
    private static final int LEGEND_X = 856;
    private static final int LEGEND_STEP = 26;
    /** A little space on both sides, also around a single rate. */
    private static final double MARGIN = 1.12;
    /** Labels of rates nearer to each other than this would touch. */
    private static final double LABEL_GAP = 34;

    private RateChart()
    {
    }

    /**
     * Draws a picture.
     *
     * @param title     of the picture.
     * @param subtitles host and run.
     * @param perSecond rates, each a mark to the right; in rising order.
     * @param lines     by their names in the legend; points are a rate and nanoseconds.
     * @return an SVG document.
     */
    public static String svg(
        final String title,
        final List<String> subtitles,
        final Collection<Long> perSecond,
        final Map<String, Line> lines)
    {
        final Chart chart = new Chart(WIDTH, LEFT, title, subtitles);
        final List<Double> marks = perSecond.stream().map(Long::doubleValue).toList();
        final Scale across = marks.isEmpty() ? new Scale(100_000, 1_000_000, LEFT, RIGHT, true) :
            new Scale(marks.get(0) / MARGIN, marks.get(marks.size() - 1) * MARGIN, LEFT, RIGHT, true);
        final Scale up = Line.decades(lines.values(), BOTTOM, TOP);
        final List<Double> labelled = apart(marks, across);
        chart.axisAcross(across, TOP, BOTTOM, marks, rate -> labelled.contains(rate) ? label(rate) : "",
            "commands per second asked for");
        chart.latencyAxis(up, LEFT, RIGHT);
        int y = TOP + LEGEND_STEP / 2;
        for (final Map.Entry<String, Line> line : lines.entrySet())
        {
            final Chart.Stroke stroke = line.getValue().stroke();
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
        return new Rate(Math.round(perSecond)).pictureLabel();
    }
}

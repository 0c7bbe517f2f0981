package io.millrace.benchmarks.race;

import io.millrace.benchmarks.harness.Chart;
import io.millrace.benchmarks.harness.Chart.Scale;
import io.millrace.benchmarks.harness.Chart.Stroke;
import io.millrace.benchmarks.harness.Figure;
import io.millrace.benchmarks.harness.Quantile;

import java.util.Arrays;
import java.util.List;

/**
 * Draws the race: a panel for each comparison, a row for each contender, a dot for each round that counts and a stroke
 * at the median, on a logarithmic scale. One thread.
 */
final class RacePlot
{
    private static final int WIDTH = 1_100;
    private static final int LEFT = 190;
    private static final int RIGHT = 1_060;
    private static final int TOP = 84;
    private static final int ROW = 20;
    private static final int PANEL_HEAD = 34;
    private static final int PANEL_FOOT = 40;
    private static final double MARGIN = 1.1;

    private final Chart chart;
    private int y = TOP;

    RacePlot(final List<String> subtitles)
    {
        chart = new Chart(WIDTH, 20, "Pipeline race: a dot is a round, a stroke the median", subtitles);
    }

    RacePlot add(final ComparisonResult summary)
    {
        final Comparison comparison = summary.comparison();
        final boolean more = comparison.discipline().moreIsBetter;
        final int top = y + PANEL_HEAD;
        final int bottom = top + ROW * comparison.contenders().size();
        final Scale across = scale(summary);
        chart.text(LEFT, y + 18, "start", 14, comparison.title() +
            (more ? " (to the right is better)" : " (to the left is better)") +
            (summary.invalid().isEmpty() ? "" : " INVALID"));
        chart.axisAcross(across, top, bottom, across.marks(0),
            figure -> more ? Figure.millions(figure) + " M/s" : Quantile.text(Math.rint(figure)), "");
        int row = top + ROW / 2;
        for (final String contender : comparison.contenders())
        {
            row(summary, contender, across, row);
            row += ROW;
        }
        y = bottom + PANEL_FOOT;
        return this;
    }

    private static Scale scale(final ComparisonResult summary)
    {
        final double[] figures = summary.comparison().contenders().stream()
            .flatMapToDouble(contender -> Arrays.stream(figures(summary, contender))).sorted().toArray();
        return figures.length == 0 ? new Scale(1, 10, LEFT, RIGHT, true) :
            new Scale(figures[0] / MARGIN, figures[figures.length - 1] * MARGIN, LEFT, RIGHT, true);
    }

    private static double[] figures(final ComparisonResult summary, final String contender)
    {
        return Arrays.stream(summary.rounds(contender)
            .sorted(round -> round.figure(summary.comparison().discipline()))).filter(figure -> figure > 0).toArray();
    }

    private void row(final ComparisonResult summary, final String contender, final Scale across, final int middle)
    {
        final Comparison comparison = summary.comparison();
        final String colour = comparison.ours().contains(contender) ? Chart.COLOURS.get(0) :
            comparison.rivals().contains(contender) ? Chart.COLOURS.get(1) : Chart.GREY;
        chart.text(LEFT - 10, middle + 4, "end", 12, contender);
        chart.line(LEFT, middle, RIGHT, middle, new Stroke("#f0f0f0", 1, ""));
        for (final double figure : figures(summary, contender))
        {
            chart.dot(across.at(figure), middle, 3.5, colour);
        }
        final double median = summary.figure(contender);
        if (median > 0)
        {
            chart.line(across.at(median), middle - 7, across.at(median), middle + 7, new Stroke(colour, 3, ""));
        }
    }

    String svg()
    {
        return chart.svg(y);
    }
}

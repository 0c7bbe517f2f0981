package io.millrace.benchmarks.depth;

import io.millrace.benchmarks.harness.Chart;
import io.millrace.benchmarks.harness.Chart.Scale;
import io.millrace.benchmarks.harness.Chart.Stroke;
import io.millrace.benchmarks.harness.Figure;

import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Draws the cost of a command as one picture of three panels: by the number of orders, by the number of levels, and by
 * the cost of a random load. One thread.
 */
final class DepthPlot
{
    private static final int WIDTH = 1_200;
    private static final int HEIGHT = 560;
    private static final int TOP = 110;
    private static final int BOTTOM = 440;
    private static final int FIRST_LEFT = 70;
    private static final int PANEL = 330;
    private static final int GAP = 54;
    private static final int LEGEND_Y = 514;
    private static final int MARKS = 6;
    private static final double MARGIN = 1.08;
    private static final double LOG_MARGIN = 1.5;
    private static final Stroke GRID = new Stroke("#dddddd", 1, "");
    private static final String DASHES = "5 4";

    private final Chart chart;
    private Scale up;

    /**
     * @param subtitles host and run.
     */
    DepthPlot(final List<String> subtitles)
    {
        chart = new Chart(WIDTH, 20, "CPU time of a command by the size of the book", subtitles);
    }

    /** The picture; once. */
    String svg(final List<DepthResult> results)
    {
        final double most = results.stream().mapToDouble(DepthResult::ns).max().orElse(1);
        up = new Scale(0, MARGIN * most, BOTTOM, TOP, false);
        panel(0, "orders, on as many levels up to 10,000", results, one -> one.size().orders(), true,
            results.stream().filter(DepthPlot::isByOrders).toList());
        final int orders = mostCommonOrders(results);
        panel(1, "levels, with " + Figure.rate(orders) + " orders", results, one -> one.size().levels(), true,
            results.stream().filter(one -> one.size().orders() == orders).toList());
        panel(2, "ns of a random load from as much memory", results, DepthResult::randomLoadNs, false,
            results.stream().filter(DepthResult::isFitted).toList());
        legend(results);
        return chart.svg(HEIGHT);
    }

    private static boolean isByOrders(final DepthResult one)
    {
        return one.size().levels() == Math.min(one.size().orders(), 10_000);
    }

    private static int mostCommonOrders(final List<DepthResult> results)
    {
        return results.stream().collect(Collectors.groupingBy(one -> one.size().orders(), Collectors.counting()))
            .entrySet().stream().max(Comparator.comparingLong(one -> one.getValue())).orElseThrow().getKey();
    }

    private void panel(
        final int number,
        final String title,
        final List<DepthResult> all,
        final ToDoubleFunction<DepthResult> value,
        final boolean isLog,
        final List<DepthResult> drawn)
    {
        final double least = drawn.stream().mapToDouble(value).min().orElse(1);
        final double most = drawn.stream().mapToDouble(value).max().orElse(10);
        final double left = FIRST_LEFT + number * (PANEL + GAP);
        final Scale across = new Scale(isLog ? least / LOG_MARGIN : 0, isLog ? most * LOG_MARGIN : most * MARGIN, left,
            left + PANEL, isLog);
        for (final double ns : up.marks(MARKS))
        {
            chart.line(left, up.at(ns), left + PANEL, up.at(ns), GRID);
            chart.text(left - 8, up.at(ns) + 4, "end", 12, Figure.rate(ns));
        }
        chart.text(left - 8, TOP - 16, "end", 12, "ns");
        final List<Double> marks = across.marks(MARKS).stream()
            .filter(mark -> !isLog || Math.log10(mark) == Math.rint(Math.log10(mark))).toList();
        chart.axisAcross(across, BOTTOM, BOTTOM, marks, Figure::rate, title);
        for (final DepthContender contender : DepthContender.values())
        {
            final List<DepthResult> line = drawn.stream().filter(one -> one.contender() == contender)
                .sorted(Comparator.comparingDouble(value)).toList();
            final List<double[]> points =
                line.stream().map(one -> new double[] {value.applyAsDouble(one), one.ns()}).toList();
            points.forEach(point -> chart.dot(across.at(point[0]), up.at(point[1]), 4, colour(contender)));
            final LineFit fit = DepthResult.fit(all, contender);
            if (isLog)
            {
                chart.line(points, across, up, new Stroke(colour(contender), 2, ""));
            }
            else if (line.size() > 1 && !Double.isNaN(fit.slope()))
            {
                // Between the contender's own points: beyond them, and below 0, a steep line would leave the panel.
                final List<double[]> fitted = points.stream()
                    .map(point -> new double[] {point[0], Math.max(0, fit.at(point[0]))}).toList();
                chart.line(fitted, across, up, new Stroke(colour(contender), 1, DASHES));
            }
        }
    }

    private void legend(final List<DepthResult> results)
    {
        double x = FIRST_LEFT;
        for (final DepthContender contender : DepthContender.values())
        {
            if (results.stream().anyMatch(one -> one.contender() == contender))
            {
                chart.legend(x, LEGEND_Y, new Stroke(colour(contender), 3, ""), contender.toString());
                x += 64 + 9 * contender.toString().length();
            }
        }
        chart.legend(x, LEGEND_Y, new Stroke("#444444", 1, DASHES), "a + b x load");
        chart.text(FIRST_LEFT, LEGEND_Y + 30, "start", 12,
            "Dots are medians. All panels have the same scale upwards; the right one has only the books that fit " +
            "into the window.");
    }

    private static String colour(final DepthContender contender)
    {
        return Chart.COLOURS.get(contender.ordinal());
    }
}

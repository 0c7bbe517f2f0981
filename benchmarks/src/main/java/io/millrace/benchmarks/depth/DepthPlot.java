package io.millrace.benchmarks.depth;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Draws the cost of a command as one self-contained SVG picture of three panels: by the number of orders, by the
 * number of levels, and by the cost of a random load. One thread.
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
    // Okabe and Ito's set, in the order of the contenders.
    private static final List<String> COLOURS = List.of("#0072B2", "#56B4E9", "#009E73", "#D55E00");
    private static final double[] STEPS = {1, 2, 5, 10};
    private static final int MARKS = 6;
    private static final double ROOM = 1.08;

    private final StringBuilder svg = new StringBuilder();
    private final List<String> subtitles;

    DepthPlot(final List<String> subtitles)
    {
        this.subtitles = List.copyOf(subtitles);
    }

    /** One panel: where it stands, and the ends of its axes. */
    private record Panel(int left, double first, double last, double top, boolean isLog)
    {
        double x(final double value)
        {
            final double part = isLog ?
                Math.log(value / first) / Math.log(last / first) : (value - first) / (last - first);
            return left + PANEL * part;
        }

        double y(final double ns)
        {
            return BOTTOM - (BOTTOM - TOP) * ns / top;
        }
    }

    /** The picture. */
    String svg(final List<DepthResult> results)
    {
        final double top = ROOM * results.stream().mapToDouble(DepthResult::ns).max().orElse(1);
        svg.append(String.format(Locale.ROOT, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" " +
            "width=\"%d\" height=\"%d\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">%n",
            WIDTH, HEIGHT, WIDTH, HEIGHT));
        svg.append("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
        text(20, 30, "start", 18, "CPU time of a command by the size of the book");
        for (int i = 0; i < subtitles.size(); i++)
        {
            text(20, 50 + 16 * i, "start", 12, subtitles.get(i));
        }
        // By orders as many as there are, whatever the levels but for those with ever more levels for one number.
        panel(0, "orders, on as many levels up to 10,000", top, results, one -> one.size().orders(), true,
            results.stream().filter(DepthPlot::isByOrders).toList());
        final int most = mostCommonOrders(results);
        panel(1, String.format(Locale.ROOT, "levels, with %,d orders", most), top, results,
            one -> one.size().levels(), true, results.stream().filter(one -> one.size().orders() == most).toList());
        panel(2, "ns of a random load from as much memory", top, results, DepthResult::randomLoadNs, false,
            results.stream().filter(DepthResult::isFitted).toList());
        legend(results);
        return svg.append("</svg>\n").toString();
    }

    private static boolean isByOrders(final DepthResult one)
    {
        final int levels = Math.min(one.size().orders(), 10_000);
        return one.size().levels() == levels;
    }

    private static int mostCommonOrders(final List<DepthResult> results)
    {
        return results.stream().collect(Collectors.groupingBy(one -> one.size().orders(), Collectors.counting()))
            .entrySet().stream().max(Comparator.comparingLong(one -> one.getValue())).orElseThrow().getKey();
    }

    private void panel(
        final int number,
        final String title,
        final double top,
        final List<DepthResult> all,
        final ToDoubleFunction<DepthResult> across,
        final boolean isLog,
        final List<DepthResult> drawn)
    {
        final double least = drawn.stream().mapToDouble(across).min().orElse(1);
        final double most = drawn.stream().mapToDouble(across).max().orElse(10);
        final Panel panel = new Panel(FIRST_LEFT + number * (PANEL + GAP), isLog ? least / 1.5 : 0,
            isLog ? most * 1.5 : most * ROOM, top, isLog);
        appendAxes(panel, title);
        for (final DepthContender contender : DepthContender.values())
        {
            final List<DepthResult> line = drawn.stream().filter(one -> one.contender() == contender)
                .sorted(Comparator.comparingDouble(across)).toList();
            append(panel, contender, line, across);
            final LineFit fit = DepthResult.fit(all, contender);
            if (!isLog && line.size() > 1 && !Double.isNaN(fit.slope()))
            {
                line(panel.x(0), panel.y(Math.max(0, fit.start())), panel.x(most), panel.y(fit.at(most)),
                    colour(contender), 1, "5 4");
            }
        }
    }

    private void append(
        final Panel panel,
        final DepthContender contender,
        final List<DepthResult> points,
        final ToDoubleFunction<DepthResult> across)
    {
        for (int i = 0; i < points.size(); i++)
        {
            final double x = panel.x(across.applyAsDouble(points.get(i)));
            final double y = panel.y(points.get(i).ns());
            if (i > 0 && panel.isLog)
            {
                line(panel.x(across.applyAsDouble(points.get(i - 1))), panel.y(points.get(i - 1).ns()), x, y,
                    colour(contender), 2, "");
            }
            svg.append(String.format(Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>%n", x, y,
                colour(contender)));
        }
    }

    private void appendAxes(final Panel panel, final String title)
    {
        line(panel.left, BOTTOM, panel.left + PANEL, BOTTOM, "#444444", 1, "");
        text(panel.left + PANEL / 2.0, BOTTOM + 44, "middle", 13, title);
        for (final double ns : marks(panel.top))
        {
            line(panel.left, panel.y(ns), panel.left + PANEL, panel.y(ns), "#dddddd", 1, "");
            text(panel.left - 8, panel.y(ns) + 4, "end", 12, String.format(Locale.ROOT, "%,.0f", ns));
        }
        text(panel.left - 8, TOP - 16, "end", 12, "ns");
        if (panel.isLog)
        {
            for (double value = 1; value <= panel.last; value *= 10)
            {
                if (value >= panel.first)
                {
                    line(panel.x(value), BOTTOM, panel.x(value), BOTTOM + 5, "#444444", 1, "");
                    text(panel.x(value), BOTTOM + 20, "middle", 12, String.format(Locale.ROOT, "%,.0f", value));
                }
            }
        }
        else
        {
            for (final double value : marks(panel.last))
            {
                line(panel.x(value), BOTTOM, panel.x(value), BOTTOM + 5, "#444444", 1, "");
                text(panel.x(value), BOTTOM + 20, "middle", 12, String.format(Locale.ROOT, "%,.0f", value));
            }
        }
    }

    /** Round numbers from 0 up, at most about six. */
    private static List<Double> marks(final double top)
    {
        final double decade = Math.pow(10, Math.floor(Math.log10(top / MARKS)));
        double step = decade;
        for (final double factor : STEPS)
        {
            step = top / (decade * factor) > MARKS + 1 ? step : Math.max(step, decade * factor);
            if (top / step <= MARKS + 1)
            {
                break;
            }
        }
        final List<Double> marks = new ArrayList<>();
        for (double mark = 0; mark <= top; mark += step)
        {
            marks.add(mark);
        }
        return marks;
    }

    private void legend(final List<DepthResult> results)
    {
        int x = FIRST_LEFT;
        for (final DepthContender contender : DepthContender.values())
        {
            if (results.stream().anyMatch(one -> one.contender() == contender))
            {
                line(x, LEGEND_Y, x + 30, LEGEND_Y, colour(contender), 3, "");
                text(x + 38, LEGEND_Y + 4, "start", 13, contender.toString());
                x += 60 + 9 * contender.toString().length();
            }
        }
        line(x, LEGEND_Y, x + 30, LEGEND_Y, "#444444", 1, "5 4");
        text(x + 38, LEGEND_Y + 4, "start", 13, "a + b x load");
        text(FIRST_LEFT, LEGEND_Y + 30, "start", 12,
            "Dots are medians. All panels have the same scale upwards; the right one has only the books that fit " +
                "into the window.");
    }

    private static String colour(final DepthContender contender)
    {
        return COLOURS.get(contender.ordinal());
    }

    private void line(
        final double x1,
        final double y1,
        final double x2,
        final double y2,
        final String stroke,
        final int width,
        final String dashes)
    {
        svg.append(String.format(Locale.ROOT,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%d\"%s/>%n",
            x1, y1, x2, y2, stroke, width, dashes.isEmpty() ? "" : " stroke-dasharray=\"" + dashes + "\""));
    }

    private void text(final double x, final double atY, final String anchor, final int points, final String text)
    {
        svg.append(String.format(Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\" fill=\"#222222\">%s</text>%n",
            x, atY, anchor, points, text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")));
    }
}

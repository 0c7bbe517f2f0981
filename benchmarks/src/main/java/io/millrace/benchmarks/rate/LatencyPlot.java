package io.millrace.benchmarks.rate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.HdrHistogram.Histogram;

/**
 * Draws percentiles as one self-contained SVG picture: to the right the percentile, each label ten times rarer than
 * the one before, upwards the latency on a log axis. A line ends where fewer than ten samples lie beyond. One thread.
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
    private static final int POINTS_PER_DECADE = 40;
    // Okabe and Ito's set, told apart also by eyes that do not see red and green as different. They repeat.
    private static final List<String> COLOURS = List.of(
        "#0072B2", "#009E73", "#E69F00", "#D55E00", "#CC79A7", "#56B4E9", "#8B6914", "#333333");
    private static final String GREY = "#888888";
    private static final String DASHES = "7 4";
    private static final String DOTS = "2 3";
    // What the report is about is drawn the thickest.
    private static final double THICK = 2.8;
    private static final double MEDIUM = 1.6;
    private static final double THIN = 0.9;

    private final List<String> subtitles;
    private final List<Line> lines = new ArrayList<>();
    private final List<String> legend = new ArrayList<>();
    private int colour = -1;
    private boolean hasEmpty;

    /** Points of one line: decades of 1/(1-p) to the right, decades of nanoseconds upwards. */
    private record Line(List<double[]> points, String colour, String dashes, double width)
    {
    }

    /**
     * An empty picture.
     *
     * @param subtitles host and run, at most two lines.
     */
    public LatencyPlot(final List<String> subtitles)
    {
        this.subtitles = List.copyOf(subtitles);
    }

    /**
     * Add a rate: the server as a solid line, in the same colour the raw floor dashed and the empty handler, where
     * that is a path of its own, as a thin line.
     *
     * @param rate the rate.
     * @return this.
     */
    public LatencyPlot add(final RateSummary rate)
    {
        colour++;
        final String name = COLOURS.get(colour % COLOURS.size());
        for (final PathSummary path : rate.paths())
        {
            final boolean dashed = ReportPath.RAW.equals(path.name());
            final boolean thin = ReportPath.EMPTY.equals(path.name());
            hasEmpty |= thin;
            lines.add(new Line(points(path.intended()), name, dashed ? DASHES : "",
                thin ? THIN : dashed ? MEDIUM : THICK));
        }
        final List<String> marks = marks(rate);
        legend(rate.rate().label() + "/s" + (marks.isEmpty() ? "" : " " + marks.get(0)), name, "", THICK);
        // Below each other: side by side they would not fit.
        marks.stream().skip(1).forEach(this::legend);
        return this;
    }

    /** What is no plain result: the mark alone when all paths have it, else behind the names of those that do. */
    private static List<String> marks(final RateSummary rate)
    {
        final Map<String, List<String>> namesByMark = new LinkedHashMap<>();
        for (final PathSummary path : rate.paths())
        {
            namesByMark.computeIfAbsent(mark(path), key -> new ArrayList<>()).add(path.name());
        }
        return namesByMark.entrySet().stream().filter(entry -> !entry.getKey().isEmpty())
            .map(entry -> namesByMark.size() == 1 ?
                entry.getKey() : String.join(", ", entry.getValue()) + " " + entry.getKey()).toList();
    }

    private static String mark(final PathSummary path)
    {
        if (!path.verdict().valid())
        {
            return "INVALID";
        }
        return path.verdict().isLook() ? "LOOK" : path.verdict().saturated() ? "SATURATED" : "";
    }

    /**
     * Add the hiccups of the host as a dotted grey line.
     *
     * @param hiccups latencies in nanoseconds.
     * @return this.
     */
    public LatencyPlot addHiccups(final Histogram hiccups)
    {
        lines.add(new Line(points(hiccups), GREY, DOTS, MEDIUM));
        return this;
    }

    private void legend(final String text)
    {
        legend.add(text(LEGEND_X + 42, TOP + 14 + LEGEND_STEP * legend.size(), "start", 13, text));
    }

    private void legend(final String text, final String stroke, final String dashes, final double width)
    {
        final int y = TOP + 10 + LEGEND_STEP * legend.size();
        legend.add(line(LEGEND_X, y, LEGEND_X + 34, y, stroke, width, dashes) +
            text(LEGEND_X + 42, y + 4, "start", 13, text));
    }

    private static List<double[]> points(final Histogram histogram)
    {
        final List<double[]> points = new ArrayList<>();
        if (histogram.getTotalCount() > 0)
        {
            // HdrHistogram's own steps end at the first one that reaches the greatest value; these go on.
            final double end = Math.max(0.0, Math.log10((double)histogram.getTotalCount() / Quantile.MIN_BEYOND));
            for (int i = 0; (double)i / POINTS_PER_DECADE < end; i++)
            {
                points.add(point(histogram, (double)i / POINTS_PER_DECADE));
            }
            points.add(point(histogram, end));
        }
        return points;
    }

    private static double[] point(final Histogram histogram, final double decade)
    {
        final long ns = histogram.getValueAtPercentile(100.0 - 100.0 * Math.pow(10.0, -decade));
        return new double[] {decade, Math.log10(Math.max(1, ns))};
    }

    /**
     * The picture.
     *
     * @return SVG text.
     */
    public String svg()
    {
        legend(hasEmpty ? "server with the matching handler" : "server", "#000000", "", THICK);
        legend(hasEmpty ? "raw floor: ring and book, no server" : "raw floor: a ring, no server", "#000000",
            DASHES, MEDIUM);
        if (hasEmpty)
        {
            legend("server with the empty handler", "#000000", "", THIN);
        }
        legend("hiccups of the host itself", GREY, DOTS, MEDIUM);
        final int xDecades = (int)Math.max(2, Math.ceil(max(0) - 0.05));
        final int yFirst = (int)Math.floor(min(1));
        final int yLast = Math.max(yFirst + 1, (int)Math.ceil(max(1)));
        final StringBuilder svg = new StringBuilder();
        svg.append(String.format(Locale.ROOT, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" " +
            "width=\"%d\" height=\"%d\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">%n",
            WIDTH, HEIGHT, WIDTH, HEIGHT));
        svg.append("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
        svg.append(text(LEFT, 30, "start", 18, "Latency from the intended send time to the end of handling"));
        for (int i = 0; i < subtitles.size(); i++)
        {
            svg.append(text(LEFT, 52 + 18 * i, "start", 12, subtitles.get(i)));
        }
        appendPercentileAxis(svg, xDecades);
        appendLatencyAxis(svg, yFirst, yLast);
        for (final Line line : lines)
        {
            appendLine(svg, line, xDecades, yFirst, yLast);
        }
        legend.forEach(svg::append);
        return svg.append("</svg>\n").toString();
    }

    private double min(final int axis)
    {
        return lines.stream().flatMap(line -> line.points.stream()).mapToDouble(point -> point[axis]).min().orElse(2.0);
    }

    private double max(final int axis)
    {
        return lines.stream().flatMap(line -> line.points.stream()).mapToDouble(point -> point[axis]).max().orElse(3.0);
    }

    private static void appendPercentileAxis(final StringBuilder svg, final int decades)
    {
        for (int decade = 0; decade <= decades; decade++)
        {
            final double x = x(decade, decades);
            svg.append(line(x, TOP, x, BOTTOM, "#d0d0d0", 1, ""));
            svg.append(text(x, BOTTOM + 20, "middle", 12, percentile(decade)));
        }
        svg.append(text((LEFT + RIGHT) / 2.0, BOTTOM + 46, "middle", 13,
            "percentile (each step is ten times rarer; a line ends where fewer than 10 samples lie beyond)"));
    }

    /**
     * Label of a decade of 1/(1-p): 0 %, 90 %, 99 %, 99.9 % ...
     *
     * @param decade 0 or more.
     * @return the percentile there.
     */
    static String percentile(final int decade)
    {
        final String nines = "9".repeat(Math.max(0, decade - 2));
        return decade < 3 ? List.of("0 %", "90 %", "99 %").get(decade) : "99." + nines + " %";
    }

    private static void appendLatencyAxis(final StringBuilder svg, final int first, final int last)
    {
        for (int decade = first; decade <= last; decade++)
        {
            final double y = y(decade, first, last);
            svg.append(line(LEFT, y, RIGHT, y, "#b0b0b0", 1, ""));
            svg.append(text(LEFT - 10, y + 4, "end", 12, latency(decade)));
            for (int part = 2; part < 10 && decade < last; part++)
            {
                final double between = y(decade + Math.log10(part), first, last);
                svg.append(line(LEFT, between, RIGHT, between, "#eeeeee", 1, ""));
            }
        }
        svg.append(String.format(Locale.ROOT, "<text transform=\"translate(22 %d) rotate(-90)\" " +
            "text-anchor=\"middle\" font-size=\"13\" fill=\"#222222\">latency</text>%n", (TOP + BOTTOM) / 2));
    }

    /**
     * Label of a decade of nanoseconds: 100 ns, 1 µs, 10 µs ...
     *
     * @param decade 0 or more.
     * @return the time there.
     */
    static String latency(final int decade)
    {
        final int unit = Math.min(3, decade / 3);
        return "1" + "0".repeat(decade - 3 * unit) + " " + List.of("ns", "µs", "ms", "s").get(unit);
    }

    private static void appendLine(
        final StringBuilder svg,
        final Line line,
        final int xDecades,
        final int yFirst,
        final int yLast)
    {
        if (line.points.isEmpty())
        {
            return;
        }
        svg.append("<polyline fill=\"none\" stroke=\"").append(line.colour)
            .append("\" stroke-width=\"").append(line.width).append('"')
            .append(dashes(line.dashes)).append(" points=\"");
        for (final double[] point : line.points)
        {
            svg.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(point[0], xDecades), y(point[1], yFirst, yLast)));
        }
        svg.append("\"/>\n");
    }

    private static double x(final double decade, final int decades)
    {
        return LEFT + (RIGHT - LEFT) * decade / decades;
    }

    private static double y(final double decade, final int first, final int last)
    {
        return BOTTOM - (BOTTOM - TOP) * (decade - first) / (last - first);
    }

    private static String line(
        final double x1,
        final double y1,
        final double x2,
        final double y2,
        final String stroke,
        final double width,
        final String dashes)
    {
        return String.format(Locale.ROOT,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%.1f\"%s/>%n",
            x1, y1, x2, y2, stroke, width, dashes(dashes));
    }

    private static String dashes(final String dashes)
    {
        return dashes.isEmpty() ? "" : " stroke-dasharray=\"" + dashes + "\"";
    }

    private static String text(final double x, final double y, final String anchor, final int size, final String text)
    {
        return String.format(Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\" fill=\"#222222\">%s</text>%n",
            x, y, anchor, size, text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"));
    }
}

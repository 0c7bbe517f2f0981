package io.millrace.benchmarks.exchange;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.millrace.benchmarks.rate.PathSummary;
import io.millrace.benchmarks.rate.Quantile;
import io.millrace.benchmarks.rate.Rate;
import io.millrace.benchmarks.rate.RateSummary;

import org.HdrHistogram.Histogram;

/**
 * Draws the median and the 99th percentile over the rate, both axes logarithmic, as one self-contained SVG picture. One
 * thread.
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
    // Okabe and Ito's set, told apart also by eyes that do not see red and green as different.
    private static final Map<String, String> COLOURS =
        Map.of(ExchangeContender.OURS, "#0072B2", ExchangeContender.RIVAL, "#D55E00", "hiccup", "#888888");
    private static final String DASHES = "7 4";
    private static final double HALF = 50.0;
    private static final double TOP_PERCENTILE = 99.0;
    // Labels of rates nearer to each other than this would touch.
    private static final double LABEL_GAP = 34;

    private final List<String> subtitles;
    private final StringBuilder svg = new StringBuilder();
    private double xFirst;
    private double xLast;
    private int yFirst;
    private int yLast;

    /** Points of one line: rate and nanoseconds. */
    private record Line(String name, String colour, String dashes, List<double[]> points)
    {
    }

    /**
     * @param subtitles host and run, at most two lines.
     */
    RatePlot(final List<String> subtitles)
    {
        this.subtitles = List.copyOf(subtitles);
    }

    /** The picture. */
    String svg(final List<RateSummary> rates)
    {
        final List<Line> lines = lines(rates);
        fit(rates, lines);
        svg.append(String.format(Locale.ROOT, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" " +
            "width=\"%d\" height=\"%d\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">%n",
            WIDTH, HEIGHT, WIDTH, HEIGHT));
        svg.append("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
        text(LEFT, 30, "start", 18, "order-latency: from the intended send time to the result, by rate");
        for (int i = 0; i < subtitles.size(); i++)
        {
            text(LEFT, 52 + 18 * i, "start", 12, subtitles.get(i));
        }
        rateAxis(rates);
        latencyAxis();
        int y = TOP + LEGEND_STEP / 2;
        for (final Line line : lines)
        {
            draw(line);
            stroke(LEGEND_X, y, LEGEND_X + 34, y, line.colour, 2.4, line.dashes);
            text(LEGEND_X + 42, y + 4, "start", 12, line.name);
            y += LEGEND_STEP;
        }
        return svg.append("</svg>\n").toString();
    }

    private static List<Line> lines(final List<RateSummary> rates)
    {
        final Map<String, Line> lines = new LinkedHashMap<>();
        for (final RateSummary rate : rates)
        {
            for (final PathSummary path : rate.paths())
            {
                add(lines, path.name(), HALF, "", rate, path.intended());
                add(lines, path.name(), TOP_PERCENTILE, DASHES, rate, path.intended());
            }
            add(lines, "hiccup", TOP_PERCENTILE, "2 3", rate, rate.hiccupSum());
        }
        return new ArrayList<>(lines.values());
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
        final String name = path + " " + Math.round(percentile) + " %";
        final String colour = COLOURS.getOrDefault(path, "#333333");
        if (ns > 0)
        {
            lines.computeIfAbsent(name, key -> new Line(name, colour, dashes, new ArrayList<>()))
                .points.add(new double[] {rate.rate().perSecond(), ns});
        }
    }

    private void fit(final List<RateSummary> rates, final List<Line> lines)
    {
        final double least = rates.stream().mapToLong(rate -> rate.rate().perSecond()).min().orElse(100_000);
        final double greatest = rates.stream().mapToLong(rate -> rate.rate().perSecond()).max().orElse(1_000_000);
        // A little room on both sides, also around a single rate.
        xFirst = Math.log10(least) - 0.05;
        xLast = Math.log10(greatest) + 0.05;
        final double[] ns = lines.stream().flatMap(line -> line.points.stream()).mapToDouble(point -> point[1]).sorted()
            .toArray();
        yFirst = ns.length == 0 ? 2 : (int)Math.floor(Math.log10(ns[0]));
        yLast = ns.length == 0 ? 3 : Math.max(yFirst + 1, (int)Math.ceil(Math.log10(ns[ns.length - 1])));
    }

    private double x(final double perSecond)
    {
        return LEFT + (RIGHT - LEFT) * (Math.log10(perSecond) - xFirst) / (xLast - xFirst);
    }

    private double y(final double ns)
    {
        return BOTTOM - (BOTTOM - TOP) * (Math.log10(ns) - yFirst) / (yLast - yFirst);
    }

    private void rateAxis(final List<RateSummary> rates)
    {
        double labelled = Double.NEGATIVE_INFINITY;
        for (final RateSummary summary : rates)
        {
            final Rate rate = summary.rate();
            final double x = x(rate.perSecond());
            stroke(x, TOP, x, BOTTOM, "#e4e4e4", 1, "");
            if (x - labelled >= LABEL_GAP)
            {
                labelled = x;
                text(x, BOTTOM + 20, "middle", 12, rate.label());
            }
        }
        text((LEFT + RIGHT) / 2.0, BOTTOM + 46, "middle", 13, "commands per second asked for");
    }

    private void latencyAxis()
    {
        final List<String> units = List.of("ns", "µs", "ms", "s");
        for (int decade = yFirst; decade <= yLast; decade++)
        {
            final double y = y(Math.pow(10, decade));
            final int unit = Math.min(3, decade / 3);
            stroke(LEFT, y, RIGHT, y, "#b0b0b0", 1, "");
            text(LEFT - 10, y + 4, "end", 12, "1" + "0".repeat(decade - 3 * unit) + " " + units.get(unit));
        }
        svg.append(String.format(Locale.ROOT, "<text transform=\"translate(22 %d) rotate(-90)\" " +
            "text-anchor=\"middle\" font-size=\"13\" fill=\"#222222\">latency</text>%n", (TOP + BOTTOM) / 2));
    }

    private void draw(final Line line)
    {
        svg.append("<polyline fill=\"none\" stroke=\"").append(line.colour).append("\" stroke-width=\"2.4\"")
            .append(dashes(line.dashes)).append(" points=\"");
        line.points.forEach(point ->
            svg.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(point[0]), y(point[1]))));
        svg.append("\"/>\n");
        line.points.forEach(point -> svg.append(String.format(Locale.ROOT,
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>%n", x(point[0]), y(point[1]), line.colour)));
    }

    private void stroke(
        final double x1,
        final double y1,
        final double x2,
        final double y2,
        final String colour,
        final double width,
        final String dashes)
    {
        svg.append(String.format(Locale.ROOT,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%.1f\"%s/>%n",
            x1, y1, x2, y2, colour, width, dashes(dashes)));
    }

    private static String dashes(final String dashes)
    {
        return dashes.isEmpty() ? "" : " stroke-dasharray=\"" + dashes + "\"";
    }

    private void text(final double x, final double y, final String anchor, final int size, final String text)
    {
        svg.append(String.format(Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\" fill=\"#222222\">%s</text>%n",
            x, y, anchor, size, text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")));
    }
}

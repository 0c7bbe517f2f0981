package io.millrace.benchmarks.harness;

import org.HdrHistogram.Histogram;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.IntStream;

/**
 * Draws a picture, an SVG that needs no other file: a title, panels with axes, lines, dots, texts and a
 * legend. Coordinates are pixels from the upper left corner. One thread.
 */
public final class Chart
{
    /**
     * Colours that differ in brightness as well, for those who see few colours.
     */
    public static final List<String> COLOURS = List.of(
        "#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#56B4E9", "#8B6914", "#333333");

    /**
     * For lines that are not contenders.
     */
    public static final String GREY = "#888888";

    private static final String AXIS = "#b0b0b0";
    private static final String GRID = "#d8d8d8";
    private static final String FINE_GRID = "#eeeeee";
    private static final int POINTS_PER_DECADE = 40;
    private static final List<String> UNITS = List.of("ns", "µs", "ms", "s");

    private final StringBuilder body = new StringBuilder();
    private final int width;

    /**
     * Style of a line.
     *
     * @param colour as in {@code #0072B2}.
     * @param width  in pixels.
     * @param dashes lengths of dash and gap; empty for a solid line.
     */
    public record Stroke(String colour, double width, String dashes)
    {
        /**
         * Dashes of a line.
         */
        public static final String DASHED = "7 4";

        /**
         * Dots of a line.
         */
        public static final String DOTTED = "2 3";

        private String attributes()
        {
            return String.format(Locale.ROOT, "stroke=\"%s\" stroke-width=\"%.1f\"%s", colour, width,
                dashes.isEmpty() ? "" : " stroke-dasharray=\"" + dashes + "\"");
        }
    }

    /**
     * A line of a picture.
     *
     * @param stroke its look.
     * @param points their places to the right and upwards.
     */
    public record Line(Stroke stroke, List<double[]> points)
    {
        /**
         * A scale upwards for lines of latencies.
         *
         * @param lines  the lines.
         * @param bottom of the picture.
         * @param top    of the picture.
         * @return whole decades that hold all points.
         */
        public static Scale decades(final Collection<Line> lines, final double bottom, final double top)
        {
            return Scale.decades(lines.stream().flatMap(line -> line.points.stream())
                .mapToDouble(point -> point[1]).toArray(), bottom, top);
        }
    }

    /**
     * Turns values into pixels.
     *
     * @param first value at {@code from}.
     * @param last  value at {@code to}.
     * @param from  pixels.
     * @param to    pixels.
     * @param isLog whether a step is a factor.
     */
    public record Scale(double first, double last, double from, double to, boolean isLog)
    {
        /** A logarithmic scale below this ratio may have no 1, 2 or 5 of a decade, or one. */
        private static final double NARROW = 5;
        private static final int MARKS = 5;

        /**
         * A scale of whole decades that holds all values.
         *
         * @param values some; those that are not above 0 do not count.
         * @param from   pixels of the least.
         * @param to     pixels of the greatest.
         * @return at least one decade.
         */
        public static Scale decades(final double[] values, final double from, final double to)
        {
            double least = Double.POSITIVE_INFINITY;
            double greatest = 0;
            for (final double value : values)
            {
                least = value > 0 ? Math.min(least, value) : least;
                greatest = Math.max(greatest, value);
            }
            final int first = greatest == 0 ? 2 : (int)Math.floor(Math.log10(least));
            final int last = greatest == 0 ? 3 : Math.max(first + 1, (int)Math.ceil(Math.log10(greatest)));
            return new Scale(Math.pow(10, first), Math.pow(10, last), from, to, true);
        }

        /**
         * Place of a value.
         *
         * @param value the value.
         * @return pixels.
         */
        public double at(final double value)
        {
            final double part =
                isLog ? Math.log(value / first) / Math.log(last / first) : (value - first) / (last - first);
            return from + (to - from) * part;
        }

        /**
         * Round values on the scale: 1, 2 or 5 times a power of ten; on a narrow one multiples of such a value.
         *
         * @param most how many there may be on a linear scale; a logarithmic one has all, or about five if narrow.
         * @return the values.
         */
        public List<Double> marks(final int most)
        {
            final List<Double> marks = new ArrayList<>();
            if (isLog && last > NARROW * first)
            {
                for (double decade = Math.pow(10, Math.floor(Math.log10(first))); decade <= last; decade *= 10)
                {
                    for (final double mark : new double[] {decade, 2 * decade, 5 * decade})
                    {
                        if (mark >= first && mark <= last)
                        {
                            marks.add(mark);
                        }
                    }
                }
                return marks;
            }
            final int count = isLog ? MARKS : most;
            final double decade = Math.pow(10, Math.floor(Math.log10((last - first) / count)));
            final double steps = (last - first) / count / decade;
            final double step = decade * (steps <= 1 ? 1 : steps <= 2 ? 2 : steps <= 5 ? 5 : 10);
            for (double mark = Math.ceil(first / step) * step; mark <= last; mark += step)
            {
                marks.add(mark);
            }
            return marks;
        }
    }

    /**
     * A picture with nothing but its title.
     *
     * @param width     in pixels.
     * @param left      where the title begins.
     * @param title     of the picture.
     * @param subtitles smaller, below it.
     */
    public Chart(final int width, final double left, final String title, final List<String> subtitles)
    {
        this.width = width;
        text(left, 30, "start", 18, title);
        for (int i = 0; i < subtitles.size(); i++)
        {
            text(left, 52 + 18 * i, "start", 12, subtitles.get(i));
        }
    }

    /**
     * The picture.
     *
     * @param height in pixels.
     * @return an SVG document.
     */
    public String svg(final int height)
    {
        return String.format(Locale.ROOT, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" " +
            "width=\"%d\" height=\"%d\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">%n" +
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>%n", width, height, width, height) +
            body + "</svg>\n";
    }

    /**
     * A text.
     *
     * @param x      pixels.
     * @param y      pixels of its base line.
     * @param anchor which of its ends is at x: start, middle or end.
     * @param size   of the font.
     * @param text   the text.
     */
    public void text(final double x, final double y, final String anchor, final int size, final String text)
    {
        body.append(String.format(Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\" fill=\"#222222\">%s</text>%n",
            x, y, anchor, size, text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")));
    }

    /**
     * A straight line.
     *
     * @param x1     pixels.
     * @param y1     pixels.
     * @param x2     pixels.
     * @param y2     pixels.
     * @param stroke how it is drawn.
     */
    public void line(final double x1, final double y1, final double x2, final double y2, final Stroke stroke)
    {
        body.append(String.format(Locale.ROOT, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>%n",
            x1, y1, x2, y2, stroke.attributes()));
    }

    /**
     * A line through points; nothing without any.
     *
     * @param points values x, y.
     * @param across maps x to pixels.
     * @param up     maps y to pixels.
     * @param stroke how it is drawn.
     */
    public void line(final List<double[]> points, final Scale across, final Scale up, final Stroke stroke)
    {
        if (!points.isEmpty())
        {
            body.append("<polyline fill=\"none\" ").append(stroke.attributes()).append(" points=\"");
            points.forEach(point ->
                body.append(String.format(Locale.ROOT, "%.1f,%.1f ", across.at(point[0]), up.at(point[1]))));
            body.append("\"/>\n");
        }
    }

    /**
     * A dot.
     *
     * @param x      pixels.
     * @param y      pixels.
     * @param radius pixels.
     * @param colour as in {@code #0072B2}; dots below it shine through.
     */
    public void dot(final double x, final double y, final double radius, final String colour)
    {
        body.append(String.format(Locale.ROOT,
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\" fill-opacity=\"0.6\"/>%n", x, y, radius, colour));
    }

    /**
     * A line of the legend: a sample and its name.
     *
     * @param x      pixels where the sample begins.
     * @param y      pixels of the sample.
     * @param stroke of the sample.
     * @param name   its meaning.
     */
    public void legend(final double x, final double y, final Stroke stroke, final String name)
    {
        line(x, y, x + 34, y, stroke);
        text(x + 42, y + 4, "start", 12, name);
    }

    /**
     * An axis from left to right with a line of the grid at each mark.
     *
     * @param scale  left to right.
     * @param top    pixels where the grid begins.
     * @param bottom pixels where it ends.
     * @param marks  values with a line.
     * @param labels their texts; an empty one is not written.
     * @param title  below them.
     */
    public void axisAcross(
        final Scale scale,
        final double top,
        final double bottom,
        final List<Double> marks,
        final DoubleFunction<String> labels,
        final String title)
    {
        for (final double mark : marks)
        {
            line(scale.at(mark), top, scale.at(mark), bottom, new Stroke(GRID, 1, ""));
            if (!labels.apply(mark).isEmpty())
            {
                text(scale.at(mark), bottom + 20, "middle", 12, labels.apply(mark));
            }
        }
        text((scale.from() + scale.to()) / 2, bottom + 46, "middle", 13, title);
    }

    /**
     * An axis upwards of latencies in nanoseconds by decades.
     *
     * @param scale upwards, of whole decades.
     * @param left  pixels where the grid begins.
     * @param right pixels where it ends.
     */
    public void latencyAxis(final Scale scale, final double left, final double right)
    {
        for (int decade = (int)Math.round(Math.log10(scale.first())); decade <= Math.log10(scale.last()) +
            0.5; decade++)
        {
            final double ns = Math.pow(10, decade);
            line(left, scale.at(ns), right, scale.at(ns), new Stroke(AXIS, 1, ""));
            text(left - 10, scale.at(ns) + 4, "end", 12, latency(decade));
            for (int part = 2; part < 10 && part * ns < scale.last(); part++)
            {
                line(left, scale.at(part * ns), right, scale.at(part * ns), new Stroke(FINE_GRID, 1, ""));
            }
        }
        body.append(String.format(Locale.ROOT, "<text transform=\"translate(%.0f %.0f) rotate(-90)\" " +
            "text-anchor=\"middle\" font-size=\"13\" fill=\"#222222\">latency</text>%n", left - 62,
            (scale.from() + scale.to()) / 2));
    }

    /**
     * Points of a line of percentiles: decades of rarity to the right, nanoseconds upwards.
     *
     * @param histogram latencies in nanoseconds.
     * @return the points; the last one has {@link Quantile#MIN_BEYOND} samples beyond it.
     */
    public static List<double[]> percentiles(final Histogram histogram)
    {
        final List<double[]> points = new ArrayList<>();
        if (histogram.getTotalCount() > 0)
        {
            final double end = Math.max(0.0, Math.log10((double)histogram.getTotalCount() / Quantile.MIN_BEYOND));
            for (int i = 0; (double)i / POINTS_PER_DECADE < end; i++)
            {
                points.add(percentile(histogram, (double)i / POINTS_PER_DECADE));
            }
            points.add(percentile(histogram, end));
        }
        return points;
    }

    private static double[] percentile(final Histogram histogram, final double decade)
    {
        final long ns = histogram.getValueAtPercentile(100.0 - 100.0 * Math.pow(10.0, -decade));
        return new double[] {decade, Math.max(1, ns)};
    }

    /**
     * Lines of percentiles with their axes.
     *
     * @param lines  with points of {@link #percentiles(Histogram)}.
     * @param left   pixels where the grid begins.
     * @param right  pixels where it ends.
     * @param bottom of the picture.
     * @param top    of the picture.
     */
    public void percentiles(
        final List<Line> lines, final double left, final double right, final double bottom, final double top)
    {
        final int last = (int)Math.max(2, Math.ceil(lines.stream().flatMap(line -> line.points().stream())
            .mapToDouble(point -> point[0]).max().orElse(3) - 0.05));
        final Scale across = new Scale(0, last, left, right, false);
        final Scale up = Line.decades(lines, bottom, top);
        axisAcross(across, top, bottom, IntStream.rangeClosed(0, last).mapToObj(decade -> (double)decade).toList(),
            decade -> percentile((int)decade),
            "percentile (each step is ten times rarer; a line ends where fewer than 10 samples lie beyond)");
        latencyAxis(up, left, right);
        lines.forEach(line -> line(line.points(), across, up, line.stroke()));
    }

    static String percentile(final int decade)
    {
        final String nines = "9".repeat(Math.max(0, decade - 2));
        return decade < 3 ? List.of("0 %", "90 %", "99 %").get(decade) : "99." + nines + " %";
    }

    /**
     * A latency of a whole decade.
     *
     * @param decade power of ten of nanoseconds.
     * @return such as {@code 10 µs}.
     */
    public static String latency(final int decade)
    {
        final int unit = Math.min(UNITS.size() - 1, decade / 3);
        return "1" + "0".repeat(decade - 3 * unit) + " " + UNITS.get(unit);
    }
}

package io.millrace.benchmarks.race;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.millrace.benchmarks.rate.Quantile;

/**
 * Draws all heats as one self-contained SVG picture: a panel for each heat, a line in it for each contender, a dot for
 * each round that counts and a stroke at their median. Each panel has a log axis of its own. One thread.
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
    // Okabe and Ito's set, told apart also by eyes that do not see red and green as different.
    private static final String OURS = "#0072B2";
    private static final String RIVAL = "#D55E00";
    private static final String FLOOR = "#888888";
    private static final double[] MARKS = {1, 2, 5};
    /** Room at both ends of an axis: a tenth. */
    private static final double ROOM = 1.1;

    private final StringBuilder svg = new StringBuilder();
    private final List<String> subtitles;
    private int y = TOP;

    RacePlot(final List<String> subtitles)
    {
        this.subtitles = List.copyOf(subtitles);
    }

    /** The ends of a panel's axis, in figures. */
    private record Axis(double first, double last)
    {
        double x(final double figure)
        {
            return LEFT + (RIGHT - LEFT) * Math.log(figure / first) / Math.log(last / first);
        }

        /** Round figures; the least and the greatest of the panel when fewer than two round ones lie between. */
        List<Double> marks()
        {
            final List<Double> round = new ArrayList<>();
            for (int decade = (int)Math.floor(Math.log10(first)); decade <= Math.log10(last); decade++)
            {
                for (final double mark : MARKS)
                {
                    final double figure = mark * Math.pow(10, decade);
                    if (figure >= first && figure <= last)
                    {
                        round.add(figure);
                    }
                }
            }
            return round.size() < 2 ? List.of(first * ROOM, last / ROOM) : round;
        }
    }

    /** Add a panel below those that are there. */
    RacePlot add(final HeatSummary summary)
    {
        final Axis axis = axis(summary);
        text(LEFT, y + 18, "start", 14, summary.heat().title() +
            (summary.heat().discipline().moreIsBetter() ? " (to the right is better)" : " (to the left is better)") +
            (summary.valid() ? "" : " INVALID"));
        final int top = y + PANEL_HEAD;
        final int bottom = top + ROW * summary.heat().contenders().size();
        appendAxis(summary, axis, top, bottom);
        int row = top;
        for (final String contender : summary.heat().contenders())
        {
            appendRow(summary, contender, axis, row + ROW / 2);
            row += ROW;
        }
        y = bottom + PANEL_FOOT;
        return this;
    }

    private static Axis axis(final HeatSummary summary)
    {
        double least = Double.POSITIVE_INFINITY;
        double greatest = 0;
        for (final String contender : summary.heat().contenders())
        {
            for (final RaceResult round : summary.kept(contender))
            {
                final double figure = round.figure(summary.heat().discipline());
                if (figure > 0)
                {
                    least = Math.min(least, figure);
                    greatest = Math.max(greatest, figure);
                }
            }
        }
        // With no figure at all, an axis that can be drawn.
        return greatest == 0 ? new Axis(1, 10) : new Axis(least / ROOM, greatest * ROOM);
    }

    private void appendAxis(final HeatSummary summary, final Axis axis, final int top, final int bottom)
    {
        for (final double figure : axis.marks())
        {
            line(axis.x(figure), top, axis.x(figure), bottom, "#d8d8d8", 1);
            text(axis.x(figure), bottom + 15, "middle", 11, summary.heat().discipline().moreIsBetter() ?
                RaceTable.millions(figure) + " M/s" : nanoseconds(figure));
        }
    }

    private static String nanoseconds(final double figure)
    {
        return Quantile.text(Math.rint(figure));
    }

    private void appendRow(final HeatSummary summary, final String contender, final Axis axis, final int middle)
    {
        final String colour = summary.heat().ours().contains(contender) ? OURS :
            summary.heat().rivals().contains(contender) ? RIVAL : FLOOR;
        text(LEFT - 10, middle + 4, "end", 12, contender);
        line(LEFT, middle, RIGHT, middle, "#f0f0f0", 1);
        for (final RaceResult round : summary.kept(contender))
        {
            final double figure = round.figure(summary.heat().discipline());
            if (figure > 0)
            {
                svg.append(String.format(Locale.ROOT,
                    "<circle cx=\"%.1f\" cy=\"%d\" r=\"3.5\" fill=\"%s\" fill-opacity=\"0.45\"/>%n",
                    axis.x(figure), middle, colour));
            }
        }
        final double median = summary.figure(contender);
        if (median > 0)
        {
            line(axis.x(median), middle - 7, axis.x(median), middle + 7, colour, 3);
        }
    }

    /** The picture. */
    String svg()
    {
        final String panels = svg.toString();
        svg.setLength(0);
        svg.append(String.format(Locale.ROOT, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" " +
            "width=\"%d\" height=\"%d\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">%n",
            WIDTH, y, WIDTH, y));
        svg.append("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
        text(20, 30, "start", 18, "The race: a dot is a round, a stroke the median");
        for (int i = 0; i < subtitles.size(); i++)
        {
            text(20, 50 + 16 * i, "start", 12, subtitles.get(i));
        }
        return svg.append(panels).append("</svg>\n").toString();
    }

    private void line(
        final double x1, final double y1, final double x2, final double y2, final String stroke, final int width)
    {
        svg.append(String.format(Locale.ROOT,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%d\"/>%n",
            x1, y1, x2, y2, stroke, width));
    }

    private void text(final double x, final double atY, final String anchor, final int size, final String text)
    {
        svg.append(String.format(Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\" fill=\"#222222\">%s</text>%n",
            x, atY, anchor, size, text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")));
    }
}

package io.millrace.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Draws a {@link FlowGraph}: column 0 has the sources, column 1 the pipelines, then the stages by the number of stages
 * before them. Lines between flows run in the gaps between columns and rows.
 */
final class FlowPicture
{
    private static final int MARGIN = 32;
    private static final int BOX_WIDTH = 210;
    private static final int BOX_HEIGHT = 58;
    private static final int COLUMN = BOX_WIDTH + 70;
    private static final int ROW = BOX_HEIGHT + 14;
    /** Between two flows: the name of the flow, and lines that lead to it. */
    private static final int FLOW_GAP = 64;
    private static final int LINE_GAP = 7;
    private static final int TITLE_OFFSET = 10;
    private static final int LETTERS = 25;
    private static final int FIRST_STAGE_COLUMN = 2;
    /** Light enough for black text. One for each agent, again from the first if there are more. */
    private static final List<String> COLOURS = List.of("#cfe2f3", "#d9ead3", "#fff2cc", "#f4cccc", "#d9d2e9",
        "#fce5cd", "#d0e0e3", "#ead1dc");
    private static final String OF_PUBLISHER = "#ffffff";
    private static final String OF_PIPELINE = "#eeeeee";

    private final Map<String, String> colours = new HashMap<>();
    private final List<String> agents = new ArrayList<>();
    /** Where a stage is, by its name, unique in the server; right side and middle. */
    private final Map<String, int[]> stages = new HashMap<>();
    private final StringBuilder lines = new StringBuilder();
    private final StringBuilder boxes = new StringBuilder();
    private int right;
    private int bottom = MARGIN;
    private int between;

    FlowPicture(final FlowGraph graph)
    {
        final List<int[]> sources = new ArrayList<>();
        for (final FlowGraph.Line flow : graph.lines())
        {
            sources.add(draw(flow));
        }
        for (int i = 0; i < sources.size(); i++)
        {
            for (final String publisher : graph.lines().get(i).publishers)
            {
                if (stages.containsKey(publisher))
                {
                    connect(stages.get(publisher), sources.get(i));
                }
            }
        }
        legend();
    }

    /** Returns the left side and the top of the source. */
    private int[] draw(final FlowGraph.Line flow)
    {
        final int top = bottom + FLOW_GAP;
        text(boxes, MARGIN, top - TITLE_OFFSET, "flow " + flow.name, "font-weight=\"bold\" font-size=\"15\"");
        box(0, top, colour(flow.source.agent), flow.source.name, flow.source.type, flow.source.agent);
        box(1, top, OF_PIPELINE, flow.pipeline, flow.policy, "");
        arrow(0, top, 1, top);
        final Map<String, Integer> columns = new HashMap<>();
        final Map<Integer, Integer> rows = new HashMap<>();
        bottom = top + ROW;
        for (final FlowGraph.Part stage : flow.stages)
        {
            final int column = columnOf(stage, flow, columns);
            final int y = top + rows.merge(column, 1, Integer::sum) * ROW - ROW;
            box(column, y, colour(stage.agent), stage.name, stage.type, stage.agent);
            stages.put(stage.name, new int[]{column, y});
            bottom = Math.max(bottom, y + ROW);
            if (stage.after.isEmpty())
            {
                arrow(1, top, column, y);
            }
        }
        for (final FlowGraph.Part stage : flow.stages)
        {
            for (final String before : stage.after)
            {
                final int[] from = stages.get(before);
                final int[] to = stages.get(stage.name);
                if (from != null)
                {
                    arrow(from[0], from[1], to[0], to[1]);
                }
            }
        }
        return new int[]{MARGIN, top};
    }

    private static int columnOf(
        final FlowGraph.Part stage, final FlowGraph.Line flow, final Map<String, Integer> columns)
    {
        final Integer known = columns.get(stage.name);
        if (known != null)
        {
            return known;
        }
        int column = FIRST_STAGE_COLUMN;
        for (final FlowGraph.Part before : flow.stages)
        {
            if (stage.after.contains(before.name))
            {
                column = Math.max(column, columnOf(before, flow, columns) + 1);
            }
        }
        columns.put(stage.name, column);
        return column;
    }

    private String colour(final String agent)
    {
        if (agent.isEmpty())
        {
            return OF_PUBLISHER;
        }
        return colours.computeIfAbsent(agent, name ->
        {
            agents.add(name);
            return COLOURS.get((agents.size() - 1) % COLOURS.size());
        });
    }

    private static int left(final int column)
    {
        return MARGIN + column * COLUMN;
    }

    private void box(
        final int column, final int y, final String fill, final String name, final String type, final String agent)
    {
        final int x = left(column);
        right = Math.max(right, x + COLUMN);
        boxes.append("<g><title>").append(escape(name + " " + type)).append("</title><rect x=\"").append(x)
            .append("\" y=\"").append(y).append("\" width=\"").append(BOX_WIDTH).append("\" height=\"")
            .append(BOX_HEIGHT).append("\" rx=\"6\" fill=\"").append(fill).append("\" stroke=\"#555555\"/>\n");
        text(boxes, x + 10, y + 19, shorten(name), "font-weight=\"bold\" font-size=\"13\"");
        text(boxes, x + 10, y + 35, shorten(type), "font-size=\"12\"");
        text(boxes, x + 10, y + 50, agent.isEmpty() ? "" : shorten("agent " + agent),
            "font-size=\"11\" fill=\"#444444\"");
        boxes.append("</g>\n");
    }

    private void arrow(final int fromColumn, final int fromY, final int toColumn, final int toY)
    {
        final int x1 = left(fromColumn) + BOX_WIDTH;
        final int y1 = fromY + BOX_HEIGHT / 2;
        final int x2 = left(toColumn);
        final int y2 = toY + BOX_HEIGHT / 2;
        // Turns in the gap before the target, so that it passes no box of the columns between.
        final int gap = x2 - (COLUMN - BOX_WIDTH);
        path("M" + x1 + " " + y1 + " H" + Math.max(x1, gap) + " C" + (x2 - LINE_GAP) + " " + y1 + " " +
            (gap + LINE_GAP) + " " + y2 + " " + x2 + " " + y2, "");
    }

    /** From a stage to the source of the flow that it publishes into. */
    private void connect(final int[] stage, final int[] source)
    {
        between++;
        final int x1 = left(stage[0]) + BOX_WIDTH;
        final int y1 = stage[1] + BOX_HEIGHT / 2 + LINE_GAP;
        final int x = x1 + between % 8 * LINE_GAP + LINE_GAP;
        final int y = source[1] - TITLE_OFFSET * 3 - between % 4 * LINE_GAP;
        path("M" + x1 + " " + y1 + " H" + x + " V" + y + " H" + source[0] / 2 + " V" + (source[1] + BOX_HEIGHT / 2) +
            " H" + source[0], " stroke-dasharray=\"5 3\"");
    }

    private void path(final String points, final String style)
    {
        lines.append("<path d=\"").append(points)
            .append("\" fill=\"none\" stroke=\"#333333\" marker-end=\"url(#end)\"").append(style).append("/>\n");
    }

    private void legend()
    {
        int x = MARGIN;
        bottom += MARGIN;
        for (final String agent : agents)
        {
            boxes.append("<rect x=\"").append(x).append("\" y=\"").append(bottom)
                .append("\" width=\"14\" height=\"14\" fill=\"").append(colours.get(agent))
                .append("\" stroke=\"#555555\"/>\n");
            text(boxes, x + 20, bottom + 12, "agent " + agent, "font-size=\"12\"");
            x += BOX_WIDTH;
            right = Math.max(right, x);
        }
        bottom += MARGIN * 2;
    }

    private static void text(
        final StringBuilder to, final int x, final int y, final String text, final String style)
    {
        to.append("<text x=\"").append(x).append("\" y=\"").append(y).append("\" ").append(style).append('>')
            .append(escape(text)).append("</text>\n");
    }

    private static String shorten(final String text)
    {
        return text.length() <= LETTERS ? text : text.substring(0, LETTERS - 1) + "…";
    }

    private static String escape(final String text)
    {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }

    @Override
    public String toString()
    {
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + right + "\" height=\"" + bottom +
            "\" viewBox=\"0 0 " + right + " " + bottom + "\" font-family=\"sans-serif\">\n" +
            "<defs><marker id=\"end\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" " +
            "orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\" fill=\"#333333\"/></marker></defs>\n" +
            "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n" + lines + boxes + "</svg>\n";
    }
}

package io.millrace.server;

import io.millrace.pool.BasePoolAware;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The flows of a server at one moment: sources, pipelines, stages in their order, and the agents that run them. A
 * stage that publishes into another flow is seen if it is a {@link Feed}, or if its handler has asked its
 * {@link HandlerContext} for the publishing end. Immutable.
 */
public final class FlowGraph
{
    /** A source or a stage. */
    static final class Part
    {
        /** Name of the stage, class of the source. */
        final String name;
        /** Class of the handler, or of the source's events. */
        final String type;
        /** Empty: the publisher's thread. */
        final String agent;
        /** Stages of the flow that it follows. */
        final List<String> after;

        Part(final String name, final String type, final StageAgent host, final List<String> after)
        {
            this.name = name;
            this.type = type;
            agent = host == null ? "" : host.roleName();
            this.after = after;
        }
    }

    /** One flow. */
    static final class Line
    {
        final String name;
        final Part source;
        final String pipeline;
        final String policy;
        final List<Part> stages = new ArrayList<>();
        /** Stages of other flows that publish into it, sorted. */
        final List<String> publishers;

        <E extends BasePoolAware> Line(final RunningFlow<E> flow, final List<RunningFlow<?>> flows)
        {
            name = flow.name();
            final String event = flow.eventType().getSimpleName();
            final SourceWork<E> polled = flow.sourceWork();
            source = polled == null ?
                new Part(flow.feeds().isEmpty() ? "InVmSource" : "feeds", event, null, List.of()) :
                new Part(typeOf(polled.source()), event, polled.host(), List.of());
            pipeline = flow.pipeline().describe().replace("(0)", "");
            policy = flow.backPressure().name();
            for (final Flow.Stage<E> stage : flow.definitions())
            {
                stages.add(new Part(
                    stage.name, typeOf(flow.handlerOf(stage.name)), flow.hostOf(stage.name), stage.after));
            }
            final Set<String> stagesBefore = new TreeSet<>(flow.publishers().stages());
            flow.feeds().forEach(
                feed -> flows.forEach(each -> stagesBefore.addAll(stagesWith(feed.feed(), each))));
            publishers = new ArrayList<>(stagesBefore);
        }
    }

    private final List<Line> lines;

    FlowGraph(final List<RunningFlow<?>> flows)
    {
        lines = flows.stream().map(flow -> new Line(flow, flows)).collect(Collectors.toUnmodifiableList());
    }

    private static <E extends BasePoolAware> List<String> stagesWith(final Object handler, final RunningFlow<E> flow)
    {
        return flow.definitions().stream().map(stage -> stage.name)
            .filter(stage -> flow.handlerOf(stage) == handler).collect(Collectors.toList());
    }

    /** A lambda has no name: that of its class before the dollar sign. */
    private static String typeOf(final Object part)
    {
        if (part == null)
        {
            return "";
        }
        final String name = part.getClass().getName().replaceAll("/.*", "").replaceAll("^.*\\.", "");
        final int lambda = name.indexOf("$$Lambda");
        return lambda < 0 ? name.replaceAll("^.*\\$(?=[A-Za-z])", "") : name.substring(0, lambda) + " lambda";
    }

    List<Line> lines()
    {
        return lines;
    }

    /**
     * A picture: a row for each flow, a colour for each agent. It needs no other file.
     *
     * @return an SVG document.
     */
    public String toSvg()
    {
        return new FlowPicture(this).toString();
    }

    /** @return the same as text: a line for each flow, followed by one for each stage. */
    @Override
    public String toString()
    {
        final StringBuilder text = new StringBuilder();
        for (final Line line : lines)
        {
            text.append("flow ").append(line.name).append(": ").append(line.source.name).append(" of ")
                .append(line.source.type).append(on(line.source)).append(" through ").append(line.pipeline)
                .append(", ").append(line.policy).append('\n');
            if (!line.publishers.isEmpty())
            {
                text.append("  published by ").append(String.join(", ", line.publishers)).append('\n');
            }
            for (final Part stage : line.stages)
            {
                text.append("  stage ").append(stage.name).append(": ").append(stage.type)
                    .append(stage.agent.isEmpty() ? " on the publisher's thread" : on(stage))
                    .append(stage.after.isEmpty() ? "" : " after " + String.join(", ", stage.after)).append('\n');
            }
        }
        return text.toString();
    }

    private static String on(final Part part)
    {
        return part.agent.isEmpty() ? "" : " on agent " + part.agent;
    }
}

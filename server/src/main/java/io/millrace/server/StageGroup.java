package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.pipeline.EventHandler;
import io.millrace.server.pipeline.ThrottledHandler;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Fused stages of one flow: the same agent calls them event by event, without a queue between them.
 * <p>
 * A stage joins a group if the group's agent hosts it, and if each stage that it follows is in the group or before the
 * whole group. A handler that {@linkplain EventHandler#completesAtEndOfBatch() completes at the end of a batch} is
 * alone in its group. A stage that follows it on the same agent sees the batch afterwards, and no other handler of the
 * agent can wait for capacity in the middle of the batch. A {@link ThrottledHandler} is alone too.
 */
final class StageGroup<E extends BasePoolAware>
{
    private final AgentSpec agent;
    private final List<Flow.Stage<E>> stages = new ArrayList<>();
    private final Set<String> after;
    private final boolean alone;

    private StageGroup(final AgentSpec agent, final Flow.Stage<E> first, final boolean alone)
    {
        this.agent = agent;
        this.alone = alone;
        after = new LinkedHashSet<>(first.after);
    }

    static <E extends BasePoolAware> List<StageGroup<E>> of(
        final Flow<E> flow,
        final Placement placement,
        final Function<Flow.Stage<E>, EventHandler<? super E>> handlerOf)
    {
        final List<StageGroup<E>> groups = new ArrayList<>();
        for (final Flow.Stage<E> stage : flow.stages())
        {
            final AgentSpec agent = placement.agentOf(stage.name);
            final EventHandler<? super E> handler = handlerOf.apply(stage);
            final boolean alone = handler.completesAtEndOfBatch() || handler instanceof ThrottledHandler;
            StageGroup<E> joined = null;
            for (final StageGroup<E> group : groups)
            {
                joined = joined == null && !alone && group.agent == agent && group.takes(stage) ? group : joined;
            }
            if (joined == null)
            {
                joined = new StageGroup<>(agent, stage, alone);
                groups.add(joined);
            }
            joined.stages.add(stage);
        }
        final Pipelines.Kind kind = flow.pipeline().kind;
        if (groups.size() > 1 && (kind == Pipelines.Kind.SPSC || kind == Pipelines.Kind.CONFLATING))
        {
            throw tooManyGroups(flow, groups);
        }
        return groups;
    }

    private static <E extends BasePoolAware> IllegalArgumentException tooManyGroups(
        final Flow<E> flow, final List<StageGroup<E>> groups)
    {
        final List<String> places = groups.stream()
            .map(group -> group.name() + " on agent '" + group.agent.name() + "'").collect(Collectors.toList());
        final boolean oneAgent = groups.stream().map(group -> group.agent).distinct().count() == 1;
        return new IllegalArgumentException("flow '" + flow.name() + "' through " + flow.pipeline() +
            " has one subscription, but its stages are " + places + ", which " + (oneAgent ?
            "cannot be fused: the handler of one completes at the end of a batch or is throttled. Go" :
            "need one each: place them on one agent, or go") + " through a ring or a disruptor");
    }

    private boolean takes(final Flow.Stage<E> stage)
    {
        final Set<String> outside = new LinkedHashSet<>(stage.after);
        final boolean followsMember =
            outside.removeIf(name -> stages.stream().anyMatch(member -> member.name.equals(name)));
        // A stage without stages before it must not wait for those that this group follows.
        return !alone && after.containsAll(outside) && (followsMember || after.equals(outside));
    }

    AgentSpec agent()
    {
        return agent;
    }

    List<Flow.Stage<E>> stages()
    {
        return stages;
    }

    Set<String> after()
    {
        return after;
    }

    String name()
    {
        return stages.stream().map(stage -> stage.name).collect(Collectors.joining("+"));
    }
}

package io.millrace.benchmarks.cost;

import io.millrace.benchmarks.harness.ServerUnderTest;
import io.millrace.benchmarks.jmh.Check;
import io.millrace.server.Feed;
import io.millrace.server.Flow;
import io.millrace.server.agent.GatheringIdleStrategy;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Records the settings of an option and launches the server. One thread.
 */
final class ServerOpening
{
    private final OptionSetup setup;
    private final int batch;
    private final CostPath.Agent agent;
    private final Supplier<CostEvent> events;
    private final Server.Context context = new Server.Context();
    private final List<CostPath.SourceFeed> feeds = new ArrayList<>();
    private final List<CostHandlers.Second> seconds = new ArrayList<>();
    private final List<String> hosted = new ArrayList<>();
    private final CostPath.Tap tap = new CostPath.Tap();
    private final Feed<CostEvent> feed = new Feed<>("costs", 2, event -> 1);

    ServerOpening(final OptionSetup setup, final int batch, final CostPath.Agent agent)
    {
        this.setup = setup;
        this.batch = batch;
        this.agent = agent;
        events = CostEvent.ofSize(setup.eventBytes);
    }

    CostPath open()
    {
        context.threadingMode(agent.idle() == null ? ThreadingMode.INVOKER : ThreadingMode.DEDICATED);
        context.stallTimeoutNs(setup.stallTimeoutNs).onError(setup.errorPolicy);
        for (int i = 0; i < setup.busyFlows; i++)
        {
            flow(i, true);
        }
        for (int i = 0; i < setup.idleFlows; i++)
        {
            flow(setup.busyFlows + i, false);
        }
        if (!hosted.isEmpty())
        {
            context.agent(CostPath.AGENT, spec ->
            {
                spec.hosts(hosted.toArray(new String[0]));
                if (setup.isMeasured)
                {
                    spec.measured();
                }
                if (agent.idle() != null)
                {
                    spec.idle(setup.gathers ? new GatheringIdleStrategy(agent.idle()) : agent.idle());
                }
                ServerUnderTest.pin(spec, agent.cpu());
            });
        }
        return new CostPath(Server.launch(context), setup, feeds, seconds, tap);
    }

    private void flow(final int number, final boolean busy)
    {
        final Check check = new Check(batch / setup.busyFlows, CostEvent.fields(setup.eventBytes));
        final CostHandlers.Checking handler = CostHandlers.Checking.of(setup.work, check);
        final InVmSource<CostEvent> source = setup.sharedSource ?
            InVmSource.shared(events, OptionSetup.CAPACITY) : new InVmSource<>(events, OptionSetup.CAPACITY);
        handler.sourceMade();
        context.flow(CostPath.FLOW + number, flow ->
        {
            final Flow<CostEvent> from =
                setup.polled ? flow.from(events, OptionSetup.CAPACITY, tap) : flow.from(source);
            if (setup.histogram)
            {
                from.latency(event -> event.stampNs);
            }
            return stages(from.through(setup.pipeline).onFull(setup.policy), number, handler);
        });
        if (setup.second == OptionSetup.Second.ROUTED)
        {
            routed(number);
        }
        if (setup.polled)
        {
            hosted.add(CostPath.FLOW + number + "-source");
        }
        if (busy)
        {
            feeds.add(new CostPath.SourceFeed(
                handler, source, setup.histogram || setup.work == OptionSetup.Work.LATENCY));
        }
    }

    private Flow<CostEvent> stages(
        final Flow<CostEvent> flow, final int number, final CostHandlers.Checking handler)
    {
        flow.to(CostPath.STAGE + number, handler);
        if (setup.hosted)
        {
            hosted.add(CostPath.STAGE + number);
        }
        second(flow, number);
        return flow;
    }

    private void second(final Flow<CostEvent> flow, final int number)
    {
        final String name = CostPath.SECOND + number;
        final CostHandlers.Second second = new CostHandlers.Second();
        switch (setup.second)
        {
            case FUSED ->
            {
                flow.to(name, second, CostPath.STAGE + number);
                hosted.add(name);
                seconds.add(second);
            }
            case APART ->
            {
                flow.to(name, second);
                context.agent(name, spec -> spec.hosts(name));
                seconds.add(second);
            }
            case ROUTED ->
            {
                flow.to("feed" + number, feed, CostPath.STAGE + number);
                hosted.add("feed" + number);
            }
            case RECORDED ->
            {
                setup.recording = CostRecording.newFolder();
                flow.to(name, CostRecording.sink(setup.recording), CostPath.STAGE + number);
                hosted.add(name);
            }
            default ->
            {
                // One stage.
            }
        }
    }

    /** The flow behind the feed, which must be declared after the feed's flow. */
    private void routed(final int number)
    {
        final String name = CostPath.SECOND + number;
        final CostHandlers.Second second = new CostHandlers.Second();
        context.flow("routed" + number, flow -> flow.from(events, OptionSetup.CAPACITY,
            feed.<CostEvent>subscribe(1, (from, into) -> into.fill(from.id))).to(name, second));
        hosted.add(name);
        seconds.add(second);
    }
}

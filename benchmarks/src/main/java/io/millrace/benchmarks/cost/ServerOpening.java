package io.millrace.benchmarks.cost;

import io.millrace.benchmarks.harness.ServerUnderTest;
import io.millrace.benchmarks.jmh.Check;
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
    private static final String SECOND = "second";

    private final OptionSetup setup;
    private final int batch;
    private final ServerPath.Agent agent;
    private final Supplier<CostEvent> events;
    private final Server.Context context = new Server.Context();
    private final List<CostPath.Feed> feeds = new ArrayList<>();
    private final List<CostHandlers.Second> seconds = new ArrayList<>();
    private final List<String> hosted = new ArrayList<>();
    private final ServerPath.Tap tap = new ServerPath.Tap();

    ServerOpening(final OptionSetup setup, final int batch, final ServerPath.Agent agent)
    {
        this.setup = setup;
        this.batch = batch;
        this.agent = agent;
        events = CostEvent.ofSize(setup.eventBytes);
    }

    ServerPath open()
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
            context.agent(ServerPath.AGENT, spec ->
            {
                spec.hosts(hosted.toArray(new String[0]));
                if (agent.idle() != null)
                {
                    spec.idle(setup.gathers ? new GatheringIdleStrategy(agent.idle()) : agent.idle());
                }
                ServerUnderTest.pin(spec, agent.cpu());
            });
        }
        return new ServerPath(Server.launch(context), setup, feeds, seconds, tap);
    }

    private void flow(final int number, final boolean busy)
    {
        final Check check = new Check(batch / setup.busyFlows, CostEvent.fields(setup.eventBytes));
        final CostHandlers.Checking handler = CostHandlers.Checking.of(setup.work, check);
        final boolean polled = setup.path == OptionSetup.Path.POLLED;
        final InVmSource<CostEvent> source = setup.sharedSource ?
            InVmSource.shared(events, OptionSetup.CAPACITY) : new InVmSource<>(events, OptionSetup.CAPACITY);
        handler.sourceMade();
        context.flow(ServerPath.FLOW + number, flow ->
        {
            final Flow<CostEvent> from = polled ? flow.from(events, OptionSetup.CAPACITY, tap) : flow.from(source);
            return stages(from.through(setup.pipeline).onFull(setup.policy), number, handler);
        });
        if (polled)
        {
            hosted.add(ServerPath.FLOW + number + "-source");
        }
        if (busy)
        {
            feeds.add(polled ? new ServerPath.TapFeed(handler) :
                new ServerPath.SourceFeed(handler, source, setup.work == OptionSetup.Work.LATENCY));
        }
    }

    private Flow<CostEvent> stages(
        final Flow<CostEvent> flow, final int number, final CostHandlers.Checking handler)
    {
        flow.to(ServerPath.STAGE + number, handler);
        if (setup.hosted)
        {
            hosted.add(ServerPath.STAGE + number);
        }
        if (setup.stages > 1)
        {
            final CostHandlers.Second second = new CostHandlers.Second();
            seconds.add(second);
            flow.to(SECOND + number, second, ServerPath.STAGE + number);
            hosted.add(SECOND + number);
        }
        return flow;
    }
}

package io.millrace.benchmarks.cost;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import io.millrace.benchmarks.jmh.Check;
import io.millrace.benchmarks.rate.Pinning;
import io.millrace.server.EventPublication;
import io.millrace.server.EventSource;
import io.millrace.server.Flow;
import io.millrace.server.GatheringIdleStrategy;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;

import org.agrona.concurrent.IdleStrategy;

/**
 * A whole server with what an option asks for: one agent that hosts everything.
 */
final class ServerPath extends CostPath
{
    private static final String AGENT = "work";
    private static final String FLOW = "flow";
    private static final String STAGE = "handle";
    private static final String SECOND = "second";
    private static final List<String> LOSSES = List.of("dropped", "displaced", "undelivered");

    private final Server server;
    private final List<CostHandlers.Second> seconds;
    private final Tap tap;

    private ServerPath(
        final Server server,
        final OptionSetup setup,
        final List<Feed> feeds,
        final List<CostHandlers.Second> seconds,
        final Tap tap)
    {
        super(feeds, setup.publishBatch);
        this.server = server;
        this.seconds = seconds;
        this.tap = tap;
        feeds.stream().filter(feed -> feed instanceof SourceFeed).forEach(feed -> ((SourceFeed)feed).server = server);
    }

    /** How the one agent runs; without an idle strategy it has no thread. */
    record Agent(IdleStrategy idle, int cpu)
    {
        static final Agent NONE = new Agent(null, Pinning.NONE);
    }

    static ServerPath open(final OptionSetup setup, final int batch, final Agent agent)
    {
        return new Opening(setup, batch, agent).open();
    }

    /** Writes the context down. */
    private static final class Opening
    {
        private final OptionSetup setup;
        private final int batch;
        private final Agent agent;
        private final Supplier<CostEvent> events;
        private final Server.Context context = new Server.Context();
        private final List<Feed> feeds = new ArrayList<>();
        private final List<CostHandlers.Second> seconds = new ArrayList<>();
        private final List<String> hosted = new ArrayList<>();
        private final Tap tap = new Tap();

        Opening(final OptionSetup setup, final int batch, final Agent agent)
        {
            this.setup = setup;
            this.batch = batch;
            this.agent = agent;
            events = CostEvent.ofSize(setup.eventBytes);
        }

        ServerPath open()
        {
            context.threadingMode(agent.idle == null ? ThreadingMode.INVOKER : ThreadingMode.DEDICATED);
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
                context.agent(AGENT, spec ->
                {
                    spec.hosts(hosted.toArray(new String[0]));
                    if (agent.idle != null)
                    {
                        spec.idle(setup.gathers ? new GatheringIdleStrategy(agent.idle) : agent.idle);
                    }
                    if (agent.cpu != Pinning.NONE)
                    {
                        spec.cpu(agent.cpu);
                    }
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
            context.flow(FLOW + number, flow ->
            {
                final Flow<CostEvent> from = polled ? flow.from(events, OptionSetup.CAPACITY, tap) : flow.from(source);
                return stages(from.through(setup.pipeline).onFull(setup.policy), number, handler);
            });
            if (polled)
            {
                hosted.add(FLOW + number + "-source");
            }
            if (busy)
            {
                feeds.add(polled ? new TapFeed(handler) :
                    new SourceFeed(handler, source, setup.work == OptionSetup.Work.LATENCY));
            }
        }

        private Flow<CostEvent> stages(
            final Flow<CostEvent> flow, final int number, final CostHandlers.Checking handler)
        {
            // The stages of a direct flow run on the publishing thread, on no agent.
            final boolean queued = !setup.pipeline.toString().startsWith("DIRECT");
            flow.to(STAGE + number, handler);
            if (queued)
            {
                hosted.add(STAGE + number);
            }
            if (setup.stages > 1)
            {
                final CostHandlers.Second second = new CostHandlers.Second();
                seconds.add(second);
                flow.to(SECOND + number, second, STAGE + number);
                hosted.add(SECOND + number);
            }
            return flow;
        }
    }

    /** Publishes as an application does. */
    private static final class SourceFeed extends Feed
    {
        private final InVmSource<CostEvent> source;
        private Server server;

        SourceFeed(final CostHandlers.Checking handler, final InVmSource<CostEvent> source, final boolean stamps)
        {
            super(handler, stamps);
            this.source = source;
        }

        @Override
        CostEvent claim()
        {
            return source.claim();
        }

        @Override
        boolean offer(final CostEvent event)
        {
            return source.publish(event);
        }

        @Override
        void publishBatch(final int count, final IdleStrategy waiting)
        {
            long sequence = source.claim(count);
            while (sequence < 0)
            {
                checkOpen();
                waiting.idle();
                sequence = source.claim(count);
            }
            final long firstId = published();
            for (int i = 0; i < count; i++)
            {
                source.event(sequence + i).fill(firstId + i);
            }
            if (!source.publish(sequence, count))
            {
                throw new IllegalStateException("a batch was refused although there was room");
            }
            publishedElsewhere(count);
        }

        @Override
        void checkOpen()
        {
            if (server.failure() != null)
            {
                throw new IllegalStateException("the server failed", server.failure());
            }
        }
    }

    /** A source that gives as many events as it was told to. The agent's thread, which is the benchmark's own. */
    private static final class Tap implements EventSource<CostEvent>
    {
        private long next;
        private int left;

        @Override
        public int poll(final EventPublication<CostEvent> out)
        {
            final int count = left;
            left = 0;
            for (int i = 0; i < count; i++)
            {
                final CostEvent event = out.claim();
                event.fill(next++);
                if (!out.offer(event))
                {
                    throw new IllegalStateException("event " + (next - 1) + " was refused although there was room");
                }
            }
            return count;
        }
    }

    /** Stands for the polled source among the feeds. */
    private static final class TapFeed extends Feed
    {
        TapFeed(final CostHandlers.Checking handler)
        {
            super(handler, false);
        }

        @Override
        CostEvent claim()
        {
            throw new UnsupportedOperationException("the agent publishes");
        }

        @Override
        boolean offer(final CostEvent event)
        {
            throw new UnsupportedOperationException("the agent publishes");
        }

        @Override
        void checkOpen()
        {
        }
    }

    @Override
    void publish(final int count, final IdleStrategy waiting)
    {
        if (first() instanceof TapFeed)
        {
            tap.left += count;
            first().publishedElsewhere(count);
        }
        else
        {
            super.publish(count, waiting);
        }
    }

    @Override
    int handle()
    {
        return server.invoke();
    }

    @Override
    long cycles()
    {
        return server.counters().value(AGENT + ".cycles");
    }

    /** A counter of the first flow. */
    long counter(final String name)
    {
        return server.counters().value(FLOW + "0." + name);
    }

    /** End the server without a look at what came through. A second call does nothing. */
    void end()
    {
        server.close();
        if (server.failure() != null)
        {
            throw new IllegalStateException("the server failed", server.failure());
        }
    }

    @Override
    public void close()
    {
        end();
        super.close();
        for (int i = 0; i < feeds().size(); i++)
        {
            final long published = feeds().get(i).published();
            if (!seconds.isEmpty())
            {
                seconds.get(i).verify(published);
            }
            count(FLOW + i + ".published", published);
            count(STAGE + i + ".handled", published);
            for (final String loss : LOSSES)
            {
                count(FLOW + i + "." + loss, 0);
            }
        }
    }

    private void count(final String counter, final long should)
    {
        CostHandlers.verifyCount(counter, server.counters().value(counter), should);
    }
}

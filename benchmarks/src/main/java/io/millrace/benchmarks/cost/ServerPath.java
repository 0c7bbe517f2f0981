package io.millrace.benchmarks.cost;

import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.ServerUnderTest;
import io.millrace.server.EventPublication;
import io.millrace.server.EventSource;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import org.agrona.concurrent.IdleStrategy;

import java.nio.file.Path;
import java.util.List;

/**
 * A whole server with the settings of an option: one agent that hosts everything.
 */
final class ServerPath extends CostPath
{
    static final String AGENT = "work";
    static final String FLOW = "flow";
    static final String STAGE = "handle";
    static final String SECOND = "second";
    private static final List<String> LOSSES = List.of("dropped", "displaced", "undelivered");

    private final Server server;
    private final List<CostHandlers.Second> seconds;
    private final Tap tap;
    private final boolean measuresLatency;
    /** Folder of the recording; null for none. */
    private final Path recording;

    ServerPath(
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
        measuresLatency = setup.histogram;
        recording = setup.recording;
        feeds.stream().filter(feed -> feed instanceof SourceFeed).forEach(feed -> ((SourceFeed)feed).server = server);
    }

    /** Settings of the one agent; without an idle strategy it has no thread. */
    record Agent(IdleStrategy idle, int cpu)
    {
        static final Agent NONE = new Agent(null, Pinning.NONE);
    }

    static ServerPath open(final OptionSetup setup, final int batch, final Agent agent)
    {
        return new ServerOpening(setup, batch, agent).open();
    }

    /** Publishes as an application does. */
    static final class SourceFeed extends Feed
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
                throw new IllegalStateException("a batch was refused although there was capacity");
            }
            publishedElsewhere(count);
        }

        @Override
        void checkOpen()
        {
            ServerUnderTest.check(server);
        }
    }

    /** A source that returns as many events as requested. Used by the agent's thread, which is the benchmark's. */
    static final class Tap implements EventSource<CostEvent>
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
                    throw new IllegalStateException("event " + (next - 1) + " was refused although there was capacity");
                }
            }
            return count;
        }
    }

    /** Stands for the polled source among the feeds. */
    static final class TapFeed extends Feed
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

    /** End the server without checking the events. A second call does nothing. */
    void end()
    {
        ServerUnderTest.close(server);
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
            if (recording != null)
            {
                count(SECOND + i + ".written", published);
                CostRecording.delete(recording);
            }
            if (measuresLatency)
            {
                CostHandlers.verifyCount(
                    "recorded", server.latency(FLOW + i).takeInterval(null).getTotalCount(), published);
            }
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

package io.millrace.benchmarks.cost;

import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.ServerUnderTest;
import io.millrace.benchmarks.harness.ThreadProbe;
import io.millrace.server.EventPublication;
import io.millrace.server.EventSource;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import org.agrona.IoUtil;
import org.agrona.concurrent.IdleStrategy;

import java.nio.file.Path;
import java.util.List;

/**
 * A whole server with the settings of an option, open for one round: one agent that hosts everything. One thread
 * publishes; on one thread, the same one handles.
 */
final class CostPath implements AutoCloseable
{
    static final String AGENT = "work";
    static final String FLOW = "flow";
    static final String STAGE = "handle";
    static final String SECOND = "second";
    private static final List<String> LOSSES = List.of("dropped", "displaced", "undelivered");

    /** The first feed, and the second one if there are two; events go to them alternately. */
    final SourceFeed first;
    private final SourceFeed second;
    private final List<SourceFeed> feeds;
    private final Server server;
    private final List<CostHandlers.Second> seconds;
    private final Tap tap;
    /** Events that are published at once; more than 1 only of a single feed. */
    private final int publishBatch;
    private final boolean polled;
    private final boolean measuresLatency;
    /** Folder of the recording; null for none. */
    private final Path recording;

    CostPath(
        final Server server,
        final OptionSetup setup,
        final List<SourceFeed> feeds,
        final List<CostHandlers.Second> seconds,
        final Tap tap)
    {
        this.server = server;
        this.feeds = feeds;
        this.seconds = seconds;
        this.tap = tap;
        first = feeds.get(0);
        second = feeds.size() > 1 ? feeds.get(1) : null;
        publishBatch = setup.publishBatch;
        polled = setup.polled;
        measuresLatency = setup.histogram;
        recording = setup.recording;
        feeds.forEach(feed -> feed.server = server);
    }

    /** Settings of the one agent; without an idle strategy it has no thread. */
    record Agent(IdleStrategy idle, int cpu)
    {
        static final Agent NONE = new Agent(null, Pinning.NONE);
    }

    static CostPath open(final OptionSetup setup, final int batch, final Agent agent)
    {
        return new ServerOpening(setup, batch, agent).open();
    }

    /** One source with the handler at its other end. Publishes as an application does. */
    static final class SourceFeed
    {
        final CostHandlers.Checking handler;
        private final InVmSource<CostEvent> source;
        private final boolean stamps;
        private Server server;
        private long published;

        SourceFeed(final CostHandlers.Checking handler, final InVmSource<CostEvent> source, final boolean stamps)
        {
            this.handler = handler;
            this.source = source;
            this.stamps = stamps;
        }

        CostEvent claim()
        {
            return source.claim();
        }

        boolean offer(final CostEvent event)
        {
            return source.publish(event);
        }

        /** Claim, fill and publish several at once. */
        private void publishBatch(final int count, final IdleStrategy waiting)
        {
            long sequence = source.claim(count);
            while (sequence < 0)
            {
                ServerUnderTest.check(server);
                waiting.idle();
                sequence = source.claim(count);
            }
            for (int i = 0; i < count; i++)
            {
                source.event(sequence + i).fill(published + i);
            }
            if (!source.publish(sequence, count))
            {
                throw new IllegalStateException("a batch was refused although there was capacity");
            }
            published += count;
        }

        private void publish(final IdleStrategy waiting)
        {
            final CostEvent event = claim();
            send(event != null ? event : claimLate(waiting));
        }

        private CostEvent claimLate(final IdleStrategy waiting)
        {
            while (true)
            {
                ServerUnderTest.check(server);
                waiting.idle();
                final CostEvent event = claim();
                if (event != null)
                {
                    return event;
                }
            }
        }

        private void send(final CostEvent event)
        {
            event.fill(published);
            if (stamps)
            {
                event.stampNs = System.nanoTime();
            }
            if (!offer(event))
            {
                throw new IllegalStateException("event " + published + " was refused although there was capacity");
            }
            published++;
        }

        private boolean isHandled()
        {
            return handler.check.isReached(published);
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

    /**
     * Publish events, waiting for capacity.
     *
     * @param count how many: a multiple of the batch, and of two where there are two feeds.
     */
    void publish(final int count, final IdleStrategy waiting)
    {
        if (polled)
        {
            tap.left += count;
            first.published += count;
        }
        else if (publishBatch > 1)
        {
            for (int i = 0; i < count; i += publishBatch)
            {
                first.publishBatch(publishBatch, waiting);
            }
        }
        else if (second == null)
        {
            for (int i = 0; i < count; i++)
            {
                first.publish(waiting);
            }
        }
        else
        {
            for (int i = 0; i < count; i += 2)
            {
                first.publish(waiting);
                second.publish(waiting);
            }
        }
    }

    /** Checks whether all published events are handled; known once for each whole batch. */
    boolean isHandled()
    {
        return first.isHandled() && (second == null || second.isHandled());
    }

    void awaitHandled(final IdleStrategy waiting)
    {
        while (!isHandled())
        {
            ServerUnderTest.check(server);
            waiting.idle();
        }
    }

    ThreadProbe handlingThread()
    {
        return first.handler.thread();
    }

    /** Handles the published events, on the calling thread. */
    int handle()
    {
        return server.invoke();
    }

    /** Number of duty cycles of the agent. */
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

    /** End the server, then see whether every event came through once, in order and unchanged. */
    @Override
    public void close()
    {
        end();
        feeds.forEach(feed -> feed.handler.verify(feed.published));
        for (int i = 0; i < feeds.size(); i++)
        {
            final long published = feeds.get(i).published;
            if (!seconds.isEmpty())
            {
                seconds.get(i).verify(published);
            }
            count(FLOW + i + ".published", published);
            count(STAGE + i + ".handled", published);
            if (recording != null)
            {
                count(SECOND + i + ".written", published);
                IoUtil.delete(recording.toFile(), false);
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

package io.millrace.benchmarks.jmh;

import io.millrace.benchmarks.harness.ServerUnderTest;
import io.millrace.server.agent.GatheringIdleStrategy;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import io.millrace.server.pipeline.EventHandler;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;

import java.util.function.Supplier;

/**
 * The whole server as an application uses it: events claimed from an in-VM source, the ring, a handler on an agent
 * that busy-spins. It brings its consuming thread. All other settings are the defaults.
 */
class ServerContender extends Contender
{
    private static final String STAGE = "check";

    final InVmSource<PooledEvent> source;
    private Server server;

    ServerContender(final Check check, final Supplier<PooledEvent> events)
    {
        super(check);
        source = new InVmSource<>(events, CAPACITY);
    }

    @Override
    public void startConsumer(final int cpu, final Runnable onStart)
    {
        final EventHandler<PooledEvent> handler = new CheckHandler(check, onStart);
        server = Server.launch(new Server.Context()
            .flow("path", flow -> flow.from(source).through(Pipelines.ring()).to(STAGE, handler))
            .threadingMode(ThreadingMode.DEDICATED)
            .errorHandler(this::failed)
            .agent(STAGE, agent -> ServerUnderTest.pin(agent.idle(isYielding() ? new BackoffIdleStrategy() :
                new GatheringIdleStrategy(new BusySpinIdleStrategy(), GATHER_SPINS)), cpu)));
    }

    @Override
    public void endConsumer()
    {
        ServerUnderTest.close(server);
    }

    @Override
    public boolean offer(final long id)
    {
        final PooledEvent event = source.claim();
        if (event == null)
        {
            return false;
        }
        event.fill(id);
        if (!source.publish(event))
        {
            throw refused();
        }
        return true;
    }

    final IllegalStateException refused()
    {
        return new IllegalStateException("the server refused an event although it had capacity", server.failure());
    }

    @Override
    int poll()
    {
        throw new UnsupportedOperationException("the server has its own thread");
    }

    @Override
    public void verifyBalance()
    {
        final long free = server.counters().value("path.pool.available");
        if (free != CAPACITY)
        {
            throw new IllegalStateException("wrong answer: " + free + " of " + CAPACITY + " events are free");
        }
    }

    /** Claims and publishes several events at once. */
    static final class Batch extends ServerContender
    {
        private final int size;

        Batch(final Check check, final Supplier<PooledEvent> events, final int size)
        {
            super(check, events);
            this.size = size;
        }

        @Override
        public void publish(final long firstId, final int count)
        {
            final long end = firstId + count;
            long id = firstId;
            while (id < end)
            {
                final int batch = (int)Math.min(size, end - id);
                final long first = source.claim(batch);
                if (first < 0)
                {
                    pause();
                    continue;
                }
                for (int i = 0; i < batch; i++)
                {
                    source.event(first + i).fill(id++);
                }
                if (!source.publish(first, batch))
                {
                    throw refused();
                }
            }
        }
    }

    private static final class CheckHandler implements EventHandler<PooledEvent>
    {
        private final Check check;
        private final Runnable onStart;

        CheckHandler(final Check check, final Runnable onStart)
        {
            this.check = check;
            this.onStart = onStart;
        }

        @Override
        public void onStart()
        {
            onStart.run();
        }

        @Override
        public void onEvent(final PooledEvent event, final long sequence, final boolean endOfBatch)
        {
            check.accept(event, sequence);
        }
    }
}

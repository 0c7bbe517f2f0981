package io.millrace.gateway;

import io.millrace.server.EventSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** Runs a source on the thread of the test, and keeps what it publishes. */
public final class Receiver implements AutoCloseable
{
    /** For what hangs, not for what is slow. */
    private static final long LIMIT_NS = 120_000_000_000L;

    private final List<BboEvent> events = new ArrayList<>();
    private final Server server;
    private long count;
    private boolean keeps = true;

    public Receiver(final EventSource<BboEvent> source)
    {
        this(source, 1_024);
    }

    public Receiver(final EventSource<BboEvent> source, final int capacity)
    {
        server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .flow("quotes", f -> f.from(BboEvent::new, capacity, source).through(Pipelines.ring())
                .to("keep", (event, sequence, endOfBatch) -> onEvent(event))));
    }

    private void onEvent(final BboEvent event)
    {
        count++;
        if (keeps)
        {
            events.add(new BboEvent().copyOf(event));
        }
    }

    /** Only count from now on. */
    public Receiver countOnly()
    {
        keeps = false;
        return this;
    }

    /** Polls until something holds; fails after two minutes without it. */
    public void until(final String what, final BooleanSupplier condition)
    {
        final long endNs = System.nanoTime() + LIMIT_NS;
        while (!condition.getAsBoolean())
        {
            if (server.invoke() == 0)
            {
                Thread.yield();
                assertTrue(System.nanoTime() - endNs < 0, () -> what + "\n" + server.counters());
            }
        }
        drain();
    }

    /** Polls until there is nothing to do: what the source has taken is handled. */
    public void drain()
    {
        int done;
        do
        {
            done = server.invoke();
        }
        while (done != 0);
    }

    /** One duty cycle. */
    public int invoke()
    {
        return server.invoke();
    }

    public long counter(final String name)
    {
        return server.counters().value("quotes-source." + name);
    }

    public List<BboEvent> events()
    {
        return events;
    }

    public long count()
    {
        return count;
    }

    @Override
    public void close()
    {
        server.close();
    }
}

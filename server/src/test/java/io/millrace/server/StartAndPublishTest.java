package io.millrace.server;

import io.millrace.server.pipeline.EventHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Handlers that publish when they start, and the threads that handle in INVOKER mode.
 */
class StartAndPublishTest
{
    private static final int CAPACITY = 8;

    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());

    /** Publishes in its start as many of 20 events as it can. */
    private static final class Eager extends BatchHandler
    {
        private final InVmSource<Tick> out;
        private final AtomicInteger accepted;

        Eager(final InVmSource<Tick> out, final AtomicInteger accepted)
        {
            this.out = out;
            this.accepted = accepted;
        }

        @Override
        public void onStart()
        {
            for (int i = 0; i < 20; i++)
            {
                final Tick event = out.claim();
                if (event != null && out.publish(event))
                {
                    accepted.incrementAndGet();
                }
            }
            out.handOver();
        }
    }

    private Server.Context context(final ThreadingMode mode)
    {
        return new Server.Context().name("eager").threadingMode(mode).errorHandler(errors::add).stallTimeoutNs(0);
    }

    private Server launched(final Server.Context context) throws InterruptedException
    {
        final AtomicReference<Server> server = new AtomicReference<>();
        final Thread launcher = new Thread(() -> server.set(Server.launch(context)), "launcher");
        launcher.start();
        Await.ended(launcher);
        return server.get();
    }

    @ParameterizedTest
    @EnumSource(names = "INVOKER", mode = EnumSource.Mode.EXCLUDE)
    void shouldNotWaitInTheStartForAStageThatHasNotStarted(final ThreadingMode mode) throws Exception
    {
        final InVmSource<Tick> late = new InVmSource<>(Tick::new, CAPACITY);
        final AtomicInteger accepted = new AtomicInteger();
        final Server server = launched(context(mode)
            .flow("early", f -> f.from(new InVmSource<>(Tick::new, CAPACITY)).to("a", new Eager(late, accepted)))
            .flow("late", f -> f.from(late).onFull(BackPressure.BLOCK).to("b", Tick.IGNORED)));
        assertEquals(CAPACITY, accepted.get());
        assertEquals(20 - CAPACITY, server.counters().value("late.rejected"));
        assertEquals(0, server.counters().value("late.blocked"));
        server.close();
        assertEquals(CAPACITY, server.counters().value("b.handled"));
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldWaitInTheStartForAStageThatHasStarted() throws Exception
    {
        final InVmSource<Tick> early = new InVmSource<>(Tick::new, CAPACITY);
        final AtomicInteger accepted = new AtomicInteger();
        final Server server = launched(context(ThreadingMode.DEDICATED)
            .flow("early", f -> f.from(early).onFull(BackPressure.BLOCK).to("a", Tick.IGNORED))
            .flow("late", f -> f.from(new InVmSource<>(Tick::new, CAPACITY)).to("b", new Eager(early, accepted))));
        assertEquals(20, accepted.get());
        server.close();
        assertEquals(20, server.counters().value("a.handled"));
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldNotWaitInTheStartForAStageBehindOneNotStarted() throws Exception
    {
        final InVmSource<Tick> first = new InVmSource<>(Tick::new, CAPACITY);
        final InVmSource<Tick> second = new InVmSource<>(Tick::new, CAPACITY);
        final InVmSource<Tick> third = new InVmSource<>(Tick::new, CAPACITY);
        final AtomicInteger accepted = new AtomicInteger();
        try (Server server = launched(context(ThreadingMode.DEDICATED)
            .flow("first", f -> f.from(first).onFull(BackPressure.BLOCK).to("a", forwardingTwice(second)))
            .flow("second", f -> f.from(second).onFull(BackPressure.BLOCK).to("b", forwardingTwice(third)))
            .flow("third", f -> f.from(third).onFull(BackPressure.BLOCK).to("c", new Eager(first, accepted)))))
        {
            assertTrue(accepted.get() >= CAPACITY, "accepted " + accepted);
            Await.until("all is handled", () -> server.counters().value("a.handled") == accepted.get() &&
                server.counters().value("c.handled") == 4 * accepted.get());
            assertEquals(20 - accepted.get(), server.counters().value("first.rejected"));
            assertEquals(0, server.counters().value("second.rejected") + server.counters().value("third.rejected"));
        }
        assertEquals(List.of(), errors);
    }

    private static EventHandler<Tick> forwardingTwice(final InVmSource<Tick> out)
    {
        return (event, sequence, end) ->
        {
            for (int i = 0; i < 2; i++)
            {
                assertTrue(out.publish(out.claim()));
            }
        };
    }

    @Test
    void shouldRecogniseTheInvokingThread() throws Exception
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, CAPACITY);
        final List<Boolean> inside = Collections.synchronizedList(new ArrayList<>());
        try (Server server = Server.launch(context(ThreadingMode.INVOKER).flow("f",
            f -> f.from(source).to("a", (event, sequence, end) -> inside.add(source.isHandledByCaller())))))
        {
            assertTrue(source.isHandledByCaller(), "nobody else has invoked so far");
            source.publish(source.claim());
            final Thread invoker = new Thread(server::invoke, "invoker");
            invoker.start();
            Await.ended(invoker);
            assertEquals(List.of(true), inside);
            assertFalse(source.isHandledByCaller(), "the other thread invokes");
        }
    }
}

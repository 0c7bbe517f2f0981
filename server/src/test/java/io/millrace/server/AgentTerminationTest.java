package io.millrace.server;

import org.agrona.concurrent.AgentTerminationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The server's own agents end with Agrona's AgentTerminationException. Thrown by the user's code, it is an ordinary
 * failure: counted, reported, and handled by the policy.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AgentTerminationTest
{
    private final AgentTerminationException thrown = new AgentTerminationException("planned");
    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());
    private final LoggedSource numbers = new LoggedSource(log, 100);
    private volatile boolean failed;

    private final EventSource<Tick> source = new EventSource<>()
    {
        @Override
        public int poll(final EventPublication<Tick> out)
        {
            if (!failed && numbers.accepted() >= 40)
            {
                failed = true;
                throw thrown;
            }
            return numbers.poll(out);
        }

        @Override
        public boolean isExhausted()
        {
            return numbers.isExhausted();
        }

        @Override
        public void onClose()
        {
            numbers.onClose();
        }
    };

    private Server.Context context()
    {
        return new Server.Context().name("ending").errorHandler(errors::add).stallTimeoutNs(0);
    }

    private List<Throwable> causes()
    {
        return List.copyOf(errors).stream().map(Throwable::getCause).collect(Collectors.toList());
    }

    @Test
    void shouldStopTheServerWhenASourceThrowsIt() throws Exception
    {
        final Server server = Server.launch(context()
            .flow("ticks", f -> f.from(Tick::new, 64, source).to("a", Tick.IGNORED)));
        Await.closed(server);
        assertSame(thrown, server.failure().getCause());
        assertEquals(List.of(thrown), causes());
        assertEquals(40, server.counters().value("a.handled"));
        assertEquals(1, server.counters().value("ticks-source.errors"));
    }

    @Test
    void shouldPollASourceAgainThatThrewIt() throws Exception
    {
        try (Server server = Server.launch(context().onError(ErrorPolicy.SKIP_AND_RECORD)
            .flow("ticks", f -> f.from(Tick::new, 64, source).to("a", Tick.IGNORED))))
        {
            assertTrue(server.awaitExhausted(Await.LONG_NS));
            assertEquals(100, server.counters().value("a.handled"));
            assertEquals(1, server.counters().value("ticks-source.errors"));
            assertEquals(List.of(thrown), causes());
            assertNull(server.failure());
        }
    }

    @Test
    void shouldEndAndReportTheAgentOfASourceThatThrewIt()
    {
        final Server server = Server.launch(context().onError(ErrorPolicy.STOP_AGENT)
            .flow("ticks", f -> f.from(Tick::new, 64, source).to("a", Tick.IGNORED)));
        Await.until("the source is closed",
            () -> List.copyOf(log).stream().anyMatch(line -> line.startsWith("source close")));
        server.close();
        assertEquals(40, server.counters().value("a.handled"));
        assertEquals(List.of(thrown), causes());
        assertNull(server.failure());
    }

    @Test
    void shouldSkipTheEventOfAHandlerThatThrewIt()
    {
        for (final Pipelines.Spec<Tick> pipeline : List.of(Pipelines.<Tick>ring(), Pipelines.<Tick>direct()))
        {
            final List<Throwable> dead = new ArrayList<>();
            final InVmSource<Tick> events = new InVmSource<>(Tick::new, 16);
            final Server server = Server.launch(context().onError(ErrorPolicy.SKIP_AND_RECORD)
                .threadingMode(ThreadingMode.INVOKER).deadLetters((stage, sequence, event, cause) -> dead.add(cause))
                .flow("ticks", f -> f.from(events).through(pipeline).to("a", (event, sequence, end) ->
                {
                    if (sequence == 3)
                    {
                        throw thrown;
                    }
                })));
            for (int i = 0; i < 10; i++)
            {
                assertTrue(events.publish(events.claim()));
            }
            server.invoke();
            server.close();
            assertEquals(List.of(thrown), dead);
            assertEquals(10, server.counters().value("a.handled"));
        }
        assertEquals(List.of(), errors);
    }

    /** Code on the agent's thread that is neither handler nor source: here the release of an event. */
    @Test
    void shouldStopTheServerWhenTheReleaseOfAnEventThrowsIt() throws Exception
    {
        final class Hooked extends io.millrace.pool.BasePoolAware
        {
            @Override
            protected void onRelease()
            {
                if (Thread.currentThread().getName().equals("ending-a"))
                {
                    throw thrown;
                }
            }
        }

        final InVmSource<Hooked> events = new InVmSource<>(Hooked::new, 16);
        final Server server = Server.launch(context()
            .flow("ticks", f -> f.from(events).through(Pipelines.spsc(16)).to("a", (event, sequence, end) ->
            {
            })));
        assertTrue(events.publish(events.claim()));
        Await.closed(server);
        assertSame(thrown, server.failure().getCause());
    }

    @Test
    void shouldReportTheFailureOfAnIdleStrategy() throws Exception
    {
        final Server server = Server.launch(context().agent("a", a -> a.idle(new ThrowingIdle(thrown)))
            .flow("ticks", f -> f.from(new InVmSource<>(Tick::new, 16)).to("a", new LoggedHandler("a", log))));
        Await.closed(server);
        assertSame(thrown, server.failure().getCause());
        assertEquals(1, log.stream().filter(line -> line.startsWith("a close")).count(), log.toString());
    }

    @Test
    void shouldFailTheLaunchAndCloseTheRestWhenAServiceThrowsIt()
    {
        final Service starting = new LoggedService("starting", log)
        {
            @Override
            public void onStart(final ServiceContext context)
            {
                throw thrown;
            }
        };
        final Service closing = new LoggedService("closing", log)
        {
            @Override
            public void close()
            {
                super.close();
                throw thrown;
            }
        };
        assertThrows(IllegalStateException.class, () -> Server.launch(context()
            .service(new LoggedService("first", log)).service(closing).service(starting)
            .flow("ticks", f -> f.from(new InVmSource<>(Tick::new, 16)).to("a", Tick.IGNORED))));
        final String thread = Thread.currentThread().getName();
        assertEquals(List.of("first start " + thread, "closing start " + thread, "closing close ending-close",
            "first close ending-close"), log);
        assertEquals(List.of(thrown), causes());
    }
}

package io.millrace.server;

import io.millrace.server.agent.GatheringIdleStrategy;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ContextTest
{
    private static Server.Context context(final InVmSource<Tick> source)
    {
        return new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .flow("f", f -> f.from(source).to("a", Tick.ignored()));
    }

    private static InVmSource<Tick> source()
    {
        return new InVmSource<>(Tick::new, 16);
    }

    @Test
    void shouldNotChangeAfterItWasConcluded()
    {
        final AtomicReference<Flow<Tick>> flow = new AtomicReference<>();
        final AtomicReference<AgentSpec> agent = new AtomicReference<>();
        final Server.Context context = new Server.Context()
            .flow("f", f ->
            {
                flow.set(f.from(source()).to("a", Tick.ignored()));
                return flow.get();
            })
            .agent("a", agent::set);
        assertEquals(context, context.conclude().conclude());
        assertThrows(IllegalStateException.class, () -> context.name("later"));
        assertThrows(IllegalStateException.class, () -> context.drainTimeoutNs(1));
        assertThrows(IllegalStateException.class, () -> flow.get().to("b", Tick.ignored()));
        assertThrows(IllegalStateException.class, () -> flow.get().through(Pipelines.spsc(8)));
        assertThrows(IllegalStateException.class, () -> agent.get().pollLimit(1));
        assertThrows(IllegalStateException.class, () -> agent.get().hosts("b"));
    }

    @Test
    void shouldAcceptACorrectionAfterARefusal()
    {
        final InVmSource<Tick> source = source();
        final Server.Context context = context(source);
        assertThrows(IllegalArgumentException.class, () -> context.agent("a", a -> a.pollLimit(0)));
        context.flow("g", f -> f.from(Tick::new, 8, new LoggedSource(new ArrayList<>(), 1)));
        assertThrows(IllegalArgumentException.class, context::conclude);
        final Server.Context corrected = context(source).agent("a", a -> a.pollLimit(3));
        try (Server server = Server.launch(corrected))
        {
            for (int i = 0; i < 10; i++)
            {
                source.publish(source.claim());
            }
            assertEquals(3, server.invoke());
        }
    }

    private static Server.Context twoAgents(final IdleStrategy one, final IdleStrategy other)
    {
        return context(source()).flow("g", f -> f.from(source()).to("b", Tick.ignored()))
            .agent("one", a -> a.hosts("a").idle(one)).agent("other", a -> a.hosts("b").idle(other));
    }

    @Test
    void shouldRefuseOneIdleStrategyWithStateForTwoAgents()
    {
        for (final Supplier<IdleStrategy> kind : List.<Supplier<IdleStrategy>>of(
            BackoffIdleStrategy::new, () -> new GatheringIdleStrategy(new BusySpinIdleStrategy())))
        {
            final IdleStrategy shared = kind.get();
            assertEquals("agents 'one' and 'other' have the same idle strategy, a " + shared.getClass().getName() +
                ", which has state: give each agent an object of its own",
                assertThrows(IllegalArgumentException.class, twoAgents(shared, shared)::conclude).getMessage());
            twoAgents(shared, kind.get()).conclude();
        }
        twoAgents(BusySpinIdleStrategy.INSTANCE, BusySpinIdleStrategy.INSTANCE).conclude();
    }

    @Test
    void shouldRefuseASecondSourceInAFlow()
    {
        assertEquals("flow 'f' has a source already: define one more flow for one more source",
            assertThrows(IllegalStateException.class, () -> new Server.Context().flow("f", f ->
            {
                f.from(source()).to("a", Tick.ignored());
                return f.from(Tick::new, 8, new LoggedSource(new ArrayList<>(), 1)).to("b", Tick.ignored());
            })).getMessage());
    }

    @Test
    void shouldCreateOneServer()
    {
        final Server.Context context = context(source());
        Server.launch(context).close();
        assertThrows(IllegalStateException.class, () -> Server.launch(context));
    }

    @Test
    void shouldRefuseASourceThatAnotherServerTookSinceItWasConcluded()
    {
        final InVmSource<Tick> contested = source();
        final InVmSource<Tick> own = source();
        final List<String> log = new ArrayList<>();
        final Server.Context late = new Server.Context().service(new LoggedService("s", log))
            .flow("own", f -> f.from(own).to("b", Tick.ignored()))
            .flow("contested", f -> f.from(contested).to("a", Tick.ignored())).conclude();
        try (Server server = Server.launch(context(contested)))
        {
            assertThrows(IllegalArgumentException.class, () -> Server.launch(late));
            assertEquals(List.of(), log);
            contested.publish(contested.claim());
            assertEquals(1, server.invoke());
        }
        Server.launch(context(own)).close();
    }

    @Test
    void shouldAcceptTheLongestNames() throws Exception
    {
        final String longest = "x".repeat(32);
        try (Server server = Server.launch(new Server.Context().name(longest)
            .flow(longest, f -> f.from(Tick::new, 8, new LoggedSource(new ArrayList<>(), 100))
                .to(longest, Tick.ignored()))))
        {
            assertTrue(server.awaitExhausted(Await.LONG_NS));
            assertEquals(100, server.counters().value(longest + ".handled"));
            assertTrue(Await.threadsOf(longest).contains(longest + "-" + longest + "-source"));
        }
    }

    @Test
    void shouldSayWhatIsNull()
    {
        final Server.Context context = new Server.Context();
        shouldBeNull("definition of flow 'f'", () -> context.flow("f", null));
        shouldBeNull("the definition of flow 'f' returned null instead of the flow",
            () -> context.flow("f", f -> null));
        shouldBeNull("handler of stage 'a'", () -> context.flow("f", f -> f.from(source()).to("a", null)));
        shouldBeNull("stage 'a' follows a stage whose name is null",
            () -> context.flow("f", f -> f.from(source()).to("a", Tick.ignored(), (String)null)));
        shouldBeNull("definition of agent 'a'", () -> context.agent("a", null));
        shouldBeNull("agent 'a' hosts a stage whose name is null",
            () -> context.agent("a", agent -> agent.hosts((String)null)));
        final String thrown = assertThrows(IllegalStateException.class, () -> Server.launch(new Server.Context()
            .idle(() -> null).flow("f", f -> f.from(source()).to("a", Tick.ignored())))).getMessage();
        assertTrue(thrown.endsWith("could not start: no idle strategy was returned for agent 'a'"), thrown);
    }

    private static void shouldBeNull(final String message, final Executable call)
    {
        assertEquals(message, assertThrows(NullPointerException.class, call).getMessage());
    }

    @Test
    void shouldRefuseToPublishNull()
    {
        for (final BackPressure policy : List.of(BackPressure.FAIL, BackPressure.DROP_NEWEST))
        {
            final InVmSource<Tick> source = source();
            try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
                .flow("f", f -> f.from(source).through(Pipelines.spsc(8)).onFull(policy).to("a", Tick.ignored()))))
            {
                assertThrows(NullPointerException.class, () -> source.publish(null));
                assertEquals(0, server.counters().value("f.dropped"));
            }
        }
    }

    @Test
    void shouldReportThatASourceIsNotLaunchedYet()
    {
        final InVmSource<Tick> source = source();
        assertThrows(IllegalStateException.class, source::claim);
        assertThrows(IllegalStateException.class, () -> source.publish(new Tick()));
        assertEquals(16, source.capacity());
        // Checked mode reports the event in flight to the error handler when the server closes.
        final List<Throwable> errors = new ArrayList<>();
        final Server server = Server.launch(context(source).errorHandler(errors::add).stallTimeoutNs(0));
        final Tick event = source.claim();
        server.close();
        assertNull(source.claim());
        assertFalse(source.publish(event), "published after the close");
        event.release();
        assertEquals(2, server.counters().value("f.rejected"));
    }

    @Test
    void shouldInvokeInInvokerModeOnlyAndAwaitInTheOthersOnly()
    {
        try (Server server = Server.launch(context(source())))
        {
            assertThrows(IllegalStateException.class, () -> server.awaitExhausted(1));
        }
        final InVmSource<Tick> source = source();
        final List<Throwable> refused = new ArrayList<>();
        final AtomicReference<Server> self = new AtomicReference<>();
        try (Server server = Server.launch(new Server.Context()
            .flow("f", f -> f.from(source).to("a", (event, sequence, end) -> refused.add(
                assertThrows(IllegalStateException.class, () -> self.get().awaitExhausted(1)))))))
        {
            self.set(server);
            assertThrows(IllegalStateException.class, server::invoke);
            source.publish(source.claim());
        }
        assertEquals(1, refused.size());
    }

    @Test
    void shouldNotInvokeInsideAHandler()
    {
        final InVmSource<Tick> source = source();
        final AtomicReference<Server> self = new AtomicReference<>();
        final List<Throwable> refused = new ArrayList<>();
        final List<String> log = new ArrayList<>();
        final LoggedHandler handler = new LoggedHandler("a", log)
        {
            @Override
            public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
            {
                super.onEvent(event, sequence, endOfBatch);
                refused.add(assertThrows(IllegalStateException.class, () -> self.get().invoke()));
                self.get().close();
            }
        };
        final Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .flow("f", f -> f.from(source).to("a", handler)));
        self.set(server);
        for (int i = 0; i < 5; i++)
        {
            source.publish(source.claim());
        }
        // The close takes place at the end of the invocation, and once.
        assertEquals(5, server.invoke());
        assertEquals(5, refused.size());
        assertEquals("a close " + Thread.currentThread().getName() + " after 5", log.get(log.size() - 1));
        assertNull(source.claim());
        assertEquals(2, log.size());
    }

    @Test
    void shouldCloseInInvokerModeFromAnotherThread() throws Exception
    {
        for (int round = 0; round < 50; round++)
        {
            final InVmSource<Tick> source = source();
            final List<String> log = new ArrayList<>();
            final List<Throwable> errors = new ArrayList<>();
            // Checked mode reports the event in the publisher's hands to the error handler.
            final Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
                .errorHandler(errors::add).stallTimeoutNs(0)
                .flow("f", f -> f.from(source).to("a", new LoggedHandler("a", log))));
            final Thread closer = new Thread(server::close, "closer");
            closer.start();
            long accepted = 0;
            for (Tick event = source.claim(); event != null; event = source.claim())
            {
                if (source.publish(event))
                {
                    accepted++;
                }
                else
                {
                    event.release();
                }
                server.invoke();
            }
            Await.ended(closer);
            assertEquals(0, server.invoke());
            assertEquals(accepted,
                server.counters().value("a.handled") + server.counters().value("f.undelivered"));
            assertEquals(2, log.size(), log.toString());
        }
    }
}

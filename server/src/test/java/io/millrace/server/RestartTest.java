package io.millrace.server;

import io.millrace.pool.PoolCheck;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The life of a server: created, started, stopped and started again. */
class RestartTest
{
    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());
    private final InVmSource<Tick> source = new InVmSource<>(Tick::new, 64);
    private volatile long handled;

    private Server.Context context(final ThreadingMode mode)
    {
        // With the thread of the detector, and no stall on a busy machine.
        return new Server.Context().name("restart").threadingMode(mode).errorHandler(errors::add)
            .stallTimeoutNs(Await.LONG_NS).onState((from, to) -> log.add(from + ">" + to))
            .flow("f", f -> f.from(source).to("a", (event, sequence, end) -> handled++));
    }

    @AfterEach
    void shouldLeaveNoThread()
    {
        Await.noThreadOf("restart");
        assertEquals(List.of(), errors);
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldNotWaitForItselfWhenAListenerCloses(final ThreadingMode mode) throws Exception
    {
        final AtomicReference<Server> server = new AtomicReference<>();
        server.set(Server.launch(context(mode).onState((from, to) ->
        {
            if (to == ServerState.STOPPING || to == ServerState.STOPPED)
            {
                server.get().close();
            }
        })));
        final Thread closer = new Thread(server.get()::close);
        closer.start();
        Await.ended(closer);
        assertEquals(ServerState.CLOSED, server.get().state());
    }

    private static void await(final Server server, final ThreadingMode mode, final BooleanSupplier is)
    {
        Await.until("handled", () ->
        {
            if (mode == ThreadingMode.INVOKER)
            {
                server.invoke();
            }
            return is.getAsBoolean();
        });
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldStopAndStartAgain(final ThreadingMode mode)
    {
        final List<String> services = new ArrayList<>();
        final Server server = Server.create(context(mode).service(new LoggedService("s", services)));
        assertEquals(ServerState.NEW, server.state());
        assertTrue(server.counters().names().contains("f.published"), "a binder asks early");
        assertThrows(IllegalStateException.class, source::claim);
        for (int round = 1; round <= 3; round++)
        {
            server.start();
            assertEquals(ServerState.RUNNING, server.state());
            assertEquals(Health.Status.UP, server.health().status());
            handled = 0;
            for (int i = 0; i < 100; i++)
            {
                Tick event = source.claim();
                while (event == null)
                {
                    await(server, mode, () -> true);
                    event = source.claim();
                }
                source.publish(event);
            }
            await(server, mode, () -> handled == 100);
            assertEquals(100, server.counters().value("f.published"), "counters start at 0");
            assertThrows(IllegalStateException.class, server::start);
            server.stop();
            server.stop();
            assertEquals(ServerState.STOPPED, server.state());
            assertEquals(Health.Status.DOWN, server.health().status());
            assertNull(source.claim());
            assertEquals(2 * round, services.size());
        }
        server.close();
        assertEquals(ServerState.CLOSED, server.state());
        assertThrows(IllegalStateException.class, server::start);
        assertEquals(List.of("NEW>STARTING", "STARTING>RUNNING", "RUNNING>STOPPING", "STOPPING>STOPPED",
            "STOPPED>STARTING"), log.subList(0, 5));
    }

    @Test
    void shouldForgetChangesAndAllowThemAgain()
    {
        final InVmSource<Tick> other = new InVmSource<>(Tick::new, 64);
        final Server server = Server.create(context(ThreadingMode.INVOKER)
            .flow("g", f -> f.from(other).to("b", Tick.ignored())));
        server.start();
        server.counters().add("own", "of the application", () -> 1);
        final Set<String> defined = server.counters().names();
        for (int round = 0; round < 3; round++)
        {
            assertEquals(defined, server.counters().names());
            server.control().removeFlow("g");
            assertFalse(server.counters().names().contains("g.published"));
            server.control().addFlow("g", f -> f.from(other).to("b", Tick.ignored()));
            server.control().addFlow("h", f -> f.from(Tick::new, 16, out -> 0).to("c", Tick.ignored()));
            server.control().addStage("f", "d", "shared", Tick.ignored());
            server.stop();
            assertTrue(server.counters().names().containsAll(
                List.of("h.published", "h-source.errors", "c.handled", "d.handled")), "read after the stop");
            server.start();
        }
        server.close();
    }

    @Test
    void shouldForgetTheSubscriptionsOfAFeedThatIsAddedAgain()
    {
        final Feed<Tick> feed = new Feed<>("feed");
        final Server server = Server.create(context(ThreadingMode.INVOKER));
        for (int round = 0; round < 3; round++)
        {
            server.start();
            server.control().addStage("f", "out", "shared", feed);
            assertEquals(List.of(), feed.subscribers());
            server.control().addFlow("g", f -> f.from(Tick::new, 16, feed.subscribe((from, into) ->
            {
            })).to("b", Tick.ignored()));
            source.publish(source.claim());
            await(server, ThreadingMode.INVOKER, () -> server.counters().value("b.handled") == 1);
            server.stop();
        }
        server.close();
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldBeDegradedByAServiceWhoseProblemThrows(final ThreadingMode mode)
    {
        final Server server = Server.launch(context(mode).service(new LoggedService("s", log)
        {
            @Override
            public String problem()
            {
                throw new IllegalStateException("on purpose");
            }
        }));
        assertEquals("DEGRADED: service 's': its health is not known: java.lang.IllegalStateException: on purpose",
            server.health().toString());
        server.close();
    }

    @Test
    void shouldStartAgainAfterAFailure()
    {
        final boolean[] poison = {true};
        final Server server = Server.launch(new Server.Context().name("restart").errorHandler(errors::add)
            .stallTimeoutNs(Await.LONG_NS).flow("f", f -> f.from(source).to("a", (event, sequence, end) ->
            {
                if (poison[0])
                {
                    throw new IllegalArgumentException("poison");
                }
                handled++;
            })));
        source.publish(source.claim());
        Await.until("failed", () -> server.state() == ServerState.FAILED);
        assertEquals("[the server is FAILED: server 'restart': stage 'a' failed on event 0, agent 'a' has ended: " +
            "server 'restart': stage 'a' failed on event 0: java.lang.IllegalArgumentException: poison]",
            server.health().reasons().toString());
        assertEquals(AgentState.FAILED, server.agents().get("a"));
        poison[0] = false;
        server.start();
        assertNull(server.failure());
        source.publish(source.claim());
        Await.until("handled", () -> handled == 1);
        server.close();
        assertEquals(1, errors.size());
        errors.clear();
    }

    @Test
    void shouldStartAfterAStartThatFailed()
    {
        final boolean[] refuses = {true};
        final Server server = Server.create(context(ThreadingMode.DEDICATED).service(new Service()
        {
            @Override
            public String name()
            {
                return "s";
            }

            @Override
            public void onStart(final ServiceContext offered)
            {
                if (refuses[0])
                {
                    throw new IllegalStateException("no port");
                }
            }
        }));
        assertThrows(IllegalStateException.class, server::start);
        assertEquals(ServerState.FAILED, server.state());
        refuses[0] = false;
        server.start();
        server.close();
    }

    @Test
    void shouldStopWhenAPartAsksForItDuringTheStart() throws InterruptedException
    {
        final AtomicReference<Server> started = new AtomicReference<>();
        final Server server = Server.create(new Server.Context().name("restart").errorHandler(errors::add)
            .stallTimeoutNs(Await.LONG_NS).flow("f", f -> f.from(source).to("a", new LoggedHandler("a", log)
            {
                @Override
                public void onStart()
                {
                    super.onStart();
                    started.get().stop();
                }
            })));
        started.set(server);
        server.start();
        Await.until("stopped", () -> server.state() == ServerState.STOPPED);
        server.close();
        assertEquals(2, log.size(), log.toString());
    }

    @Test
    void shouldCloseAServerThatNeverStarted() throws InterruptedException
    {
        final Server server = Server.create(context(ThreadingMode.DEDICATED));
        server.close();
        assertEquals(ServerState.CLOSED, server.state());
        assertTrue(server.awaitClose(1));
        // Its source is free.
        Server.launch(new Server.Context().name("restart").flow("g", f -> f.from(source).to("b", Tick.ignored())))
            .close();
    }

    @Test
    void shouldTakeThreadsOfAFactoryAndMakeThemDaemons()
    {
        final List<Thread> made = Collections.synchronizedList(new ArrayList<>());
        final Server server = Server.launch(context(ThreadingMode.DEDICATED).daemon(true).threadFactory(body ->
        {
            final Thread thread = new Thread(body);
            made.add(thread);
            return thread;
        }));
        assertEquals(List.of("restart-a", "restart-stall-detector", "restart-stop"),
            made.stream().map(Thread::getName).sorted().collect(Collectors.toList()));
        made.forEach(thread -> assertTrue(thread.isDaemon(), thread.getName()));
        Await.threadsOf("restart", List.of("restart-a", "restart-stall-detector", "restart-stop"));
        server.close();
    }

    @Test
    void shouldShowAnAgentThatEndedAndAPausedPartAndAServiceWithAProblem()
    {
        final InVmSource<Tick> other = new InVmSource<>(Tick::new, 64);
        final String[] problem = new String[1];
        try (Server server = Server.launch(context(ThreadingMode.DEDICATED).onError(ErrorPolicy.STOP_AGENT)
            .service(new LoggedService("s", new ArrayList<>())
            {
                @Override
                public String problem()
                {
                    return problem[0];
                }
            })
            .flow("g", f -> f.from(other).to("b", (event, sequence, end) ->
            {
                throw new IllegalArgumentException("poison");
            }))))
        {
            assertEquals("UP", server.health().toString());
            problem[0] = "the disk is nearly full";
            server.control().pause("a");
            assertEquals("DEGRADED: 'a' is paused; service 's': the disk is nearly full", server.health().toString());
            // As the text of an exception: an operator's check reads lines.
            problem[0] = "lost:\n\tone\r\n\u2028two\n";
            assertEquals(List.of("'a' is paused", "service 's': lost: one two"), server.health().reasons());
            other.publish(other.claim());
            Await.until("ended", () -> server.agents().get("b") == AgentState.FAILED);
            assertEquals(AgentState.RUNNING, server.agents().get("a"));
            assertEquals(Health.Status.DOWN, server.health().status());
            assertTrue(server.health().reasons().get(0).startsWith("agent 'b' has ended"), server.health().toString());
            assertTrue(server.health().reasons().get(0).endsWith("poison"), server.health().toString());
        }
        assertEquals(1, errors.size());
        errors.clear();
    }

    private void cycles(final ThreadingMode mode, final int count)
    {
        final Server server = Server.create(context(mode).stallTimeoutNs(0));
        for (int i = 0; i < count; i++)
        {
            server.start();
            source.publish(source.claim());
            server.stop();
            log.clear();
        }
        assertEquals(count, handled);
        server.close();
    }

    /** With the next test 2,000 in normal mode; a cycle takes about 3 ms, most of it asleep. */
    @Test
    @Tag("slow")
    void shouldStartAndStopWithoutALeakedThread()
    {
        cycles(ThreadingMode.INVOKER, PoolCheck.ENABLED ? 200 : 1_900);
        Await.noThreadOf("restart");
    }

    @Test
    @Tag("slow")
    void shouldStartAndStopThreadsWithoutALeakedThread()
    {
        cycles(ThreadingMode.DEDICATED, 100);
    }

    /** 50,000 times with all events of the stress tests; a cycle takes about 3 ms. */
    @Tag("stress")
    @ParameterizedTest
    @EnumSource(value = ThreadingMode.class, names = {"INVOKER", "SHARED"})
    void shouldStartAndStopThousandsOfTimes(final ThreadingMode mode)
    {
        cycles(mode, (int)(Long.getLong("stress.events", 100_000_000) / (PoolCheck.ENABLED ? 200_000 : 2_000)));
    }
}

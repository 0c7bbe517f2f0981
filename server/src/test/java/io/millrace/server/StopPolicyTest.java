package io.millrace.server;

import io.millrace.server.pipeline.EventHandler;
import org.agrona.concurrent.AgentTerminationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * P3, P9: STOP_SERVER and STOP_AGENT; threads that end.
 */
class StopPolicyTest
{
    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());

    static Stream<Throwable> thrown()
    {
        return Stream.of(new IllegalArgumentException("poison"), new Exception("checked poison"),
            new AssertionError("poison"), new StackOverflowError("poison"), new OutOfMemoryError("poison"),
            new AgentTerminationException("poison"), new InterruptedException("poison"));
    }

    /** A stage that writes at the end of a batch, like a journal. */
    private static final class Journal implements EventHandler<Tick>
    {
        private final long failsAt;
        private final Throwable thrown;

        Journal(final long failsAt, final Throwable thrown)
        {
            this.failsAt = failsAt;
            this.thrown = thrown;
        }

        @Override
        public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
        {
            if (event.value == failsAt)
            {
                Sneaky.raise(thrown);
            }
        }

        @Override
        public boolean completesAtEndOfBatch()
        {
            return true;
        }
    }

    @ParameterizedTest
    @MethodSource("thrown")
    void shouldStopTheServerBeforeALaterStageReceivesTheEvent(final Throwable thrown) throws Exception
    {
        for (final Pipelines.Spec<Tick> pipeline : List.of(Pipelines.<Tick>ring(), Pipelines.<Tick>disruptor(64)))
        {
            final AtomicLong highest = new AtomicLong(-1);
            final InVmSource<Tick> source = new InVmSource<>(Tick::new, 64);
            final Server server = Server.launch(new Server.Context().name("fatal")
                .errorHandler(errors::add).stallTimeoutNs(0)
                .flow("ticks", f -> f.from(source).through(pipeline).onFull(BackPressure.BLOCK)
                    .to("journal", new Journal(1_000, thrown))
                    .to("match", (event, sequence, end) -> highest.set(event.value), "journal")));
            final long accepted = publishUntilRefused(source);
            Await.closed(server);
            assertTrue(highest.get() < 1_000, "matched although not journaled: " + highest);
            assertTrue(server.failure().getMessage().contains("server 'fatal': stage 'journal' failed on event 1000"));
            assertSame(thrown, server.failure().getCause());
            final Counters counters = server.counters();
            assertEquals(1_001, counters.value("journal.handled"));
            assertEquals(1, counters.value("journal.errors"));
            assertEquals(accepted, counters.value("match.handled") + counters.value("ticks.undelivered"));
            assertEquals(64, counters.value("ticks.pool.available"));
            Await.until("no thread", () -> Await.threadsOf("fatal").isEmpty());
        }
    }

    @ParameterizedTest
    @MethodSource("thrown")
    void shouldStopTheServerInInvokerModeAtTheEndOfTheInvocation(final Throwable thrown)
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 64);
        final List<String> log = new ArrayList<>();
        final Server server = Server.launch(new Server.Context().name("invoked")
            .errorHandler(errors::add).stallTimeoutNs(0)
            .threadingMode(ThreadingMode.INVOKER).service(new LoggedService("s", log))
            .flow("ticks", f -> f.from(source).to("journal", new Journal(3, thrown))
                .to("match", new LoggedHandler("match", log), "journal")));
        for (int i = 0; i < 10; i++)
        {
            Tick.publish(source, i);
        }
        server.invoke();
        assertSame(thrown, server.failure().getCause());
        assertNull(source.claim());
        assertEquals(0, server.invoke());
        final String thread = Thread.currentThread().getName();
        assertEquals(List.of("s start " + thread, "match start " + thread,
            "match close " + thread + " after 0", "s close " + thread), log);
        assertEquals(10, server.counters().value("ticks.undelivered"));
    }

    @Test
    void shouldStopTheServerWhenASourceFails() throws Exception
    {
        final LoggedSource numbers = new LoggedSource(new ArrayList<>(), 100);
        final EventSource<Tick> source = out ->
        {
            final int done = numbers.poll(out);
            if (numbers.isExhausted() && done == 0)
            {
                throw new AssertionError("no more");
            }
            return done;
        };
        final Server server = Server.launch(new Server.Context().name("source")
            .errorHandler(errors::add).stallTimeoutNs(0)
            .flow("ticks", f -> f.from(Tick::new, 64, source).to("a", Tick.IGNORED)));
        Await.closed(server);
        assertTrue(server.failure().getMessage().contains("source 'ticks-source' failed"), server.failure().toString());
        assertEquals(100, server.counters().value("a.handled"));
        assertEquals(1, server.counters().value("ticks-source.errors"));
        assertEquals(1, errors.size());
    }

    @Test
    void shouldStopTheServerAlthoughTheErrorHandlerThrows() throws Exception
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 64);
        final Server server = Server.launch(new Server.Context().name("deaf").errorHandler(error ->
        {
            throw new AssertionError("on purpose");
        }).flow("ticks", f -> f.from(source).to("a", new Journal(0, new IllegalStateException("poison")))));
        source.publish(source.claim());
        Await.closed(server);
        assertEquals("poison", server.failure().getCause().getMessage());
        assertTrue(server.counters().value("server.errors") >= 2);
    }

    @Test
    void shouldKeepOtherAgentsRunningWhenOneIsStopped() throws Exception
    {
        final InVmSource<Tick> doomed = new InVmSource<>(Tick::new, 16);
        final InVmSource<Tick> other = new InVmSource<>(Tick::new, 16);
        final List<String> log = Collections.synchronizedList(new ArrayList<>());
        final Server server = Server.launch(new Server.Context().name("rest")
            .errorHandler(errors::add).stallTimeoutNs(0)
            .agent("a", a -> a.onError(ErrorPolicy.STOP_AGENT))
            .flow("doomed", f -> f.from(doomed).to("a", new LoggedHandler("a", log)
            {
                @Override
                public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
                {
                    super.onEvent(event, sequence, endOfBatch);
                    throw new IllegalStateException("poison");
                }
            }))
            .flow("other", f -> f.from(other).to("b", Tick.IGNORED)));
        doomed.publish(doomed.claim());
        Await.until("the agent has ended", () -> Await.threadsOf("rest").stream().noneMatch("rest-a"::equals));
        assertEquals(List.of("a start rest-a", "a close rest-a after 1"), log);
        assertNull(server.failure());
        // The stage has passed the event that failed; then the ring fills up and stays full.
        final long accepted = publishUntilRefused(doomed);
        assertTrue(accepted == 15 || accepted == 16, accepted + " accepted");
        for (int i = 0; i < 10; i++)
        {
            other.publish(other.claim());
        }
        server.close();
        assertEquals(10, server.counters().value("b.handled"));
        assertEquals(1, server.counters().value("a.handled"));
        assertEquals(accepted, server.counters().value("doomed.undelivered"));
        assertEquals(16, server.counters().value("doomed.pool.available"));
        assertNull(server.failure());
        assertEquals(2, errors.size(), "the failure, and that deliveries were undone");
    }

    @Test
    void shouldStopTheServerWhenAnAgentsThreadIsInterrupted() throws Exception
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
        final Server server = Server.launch(new Server.Context().name("poked")
            .errorHandler(errors::add).stallTimeoutNs(0)
            .flow("ticks", f -> f.from(source).to("a", (event, sequence, end) -> Thread.currentThread().interrupt())));
        source.publish(source.claim());
        Await.closed(server);
        assertTrue(server.failure().getMessage().contains("agent 'a' ended without being stopped"));
    }

    @Test
    void shouldStopTheServerWhenAnythingExceptAHandlerEndsAnAgent() throws Exception
    {
        for (final Throwable thrown : List.of(
            new IllegalStateException("idle"), new AssertionError("idle"), new AgentTerminationException("idle")))
        {
            final List<String> log = Collections.synchronizedList(new ArrayList<>());
            final Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
            Thread.setDefaultUncaughtExceptionHandler((thread, ex) -> log.add("uncaught"));
            try
            {
                final Server server = Server.launch(new Server.Context().name("idle")
                    .errorHandler(errors::add).stallTimeoutNs(0)
                    .agent("a", a -> a.idle(new ThrowingIdle(thrown)))
                    .flow("ticks", f -> f.from(new InVmSource<>(Tick::new, 16)).to("a", new LoggedHandler("a", log))));
                Await.closed(server);
                assertSame(thrown, server.failure().getCause());
                assertEquals(1, log.stream().filter(line -> line.startsWith("a close")).count(), log.toString());
            }
            finally
            {
                Thread.setDefaultUncaughtExceptionHandler(before);
            }
        }
    }

    @Test
    void shouldNotCallAnInlineHandlerAgainThatFailed()
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
        final AtomicLong calls = new AtomicLong();
        final Server server = Server.launch(new Server.Context().name("inline")
            .errorHandler(errors::add).stallTimeoutNs(0)
            .threadingMode(ThreadingMode.INVOKER)
            .flow("ticks", f -> f.from(source).through(Pipelines.direct()).to("a", (event, sequence, end) ->
            {
                calls.incrementAndGet();
                throw new IllegalStateException("poison");
            })));
        final Tick event = source.claim();
        try
        {
            source.publish(event);
        }
        catch (final AgentTerminationException ex)
        {
            assertEquals("poison", ex.getCause().getMessage());
        }
        assertNull(source.claim());
        server.invoke();
        assertEquals(1, calls.get());
        assertEquals("poison", server.failure().getCause().getMessage());
        assertEquals(16, server.counters().value("ticks.pool.available"));
    }

    private static long publishUntilRefused(final InVmSource<Tick> source)
    {
        long accepted = 0;
        for (Tick event = source.claim(); event != null; event = source.claim())
        {
            event.value = accepted;
            if (source.publish(event))
            {
                accepted++;
            }
            else
            {
                event.release();
            }
        }
        return accepted;
    }
}

package io.millrace.server;

import io.millrace.server.pipeline.EventGate;
import io.millrace.server.pipeline.EventHandler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A gate keeps events from the stages that follow it until its condition holds.
 */
class GateTest
{
    private static final int EVENTS = 1_000;

    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final List<Long> passed = Collections.synchronizedList(new ArrayList<>());
    private final AtomicLong open = new AtomicLong(-1);
    private final InVmSource<Tick> source = new InVmSource<>(Tick::new, 64);

    private Server.Context context(final String kind, final EventGate<Tick> gate)
    {
        return new Server.Context().name("gated")
            .errorHandler(errors::add).stallTimeoutNs(0).flow("f", f -> f.from(source)
            .through("ring".equals(kind) ? Pipelines.ring() : Pipelines.disruptor(64)).onFull(BackPressure.BLOCK)
            .to("gate", gate).to("answers", (event, sequence, endOfBatch) -> passed.add(event.value), "gate"));
    }

    private void publish(final long from, final long to)
    {
        for (long value = from; value < to; value++)
        {
            final Tick event = source.claim();
            event.value = value;
            source.publish(event);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ring", "disruptor"})
    void shouldPassEventsInOrderWhenTheGateOpens(final String kind)
    {
        try (Server server = Server.launch(context(kind, (event, sequence) -> event.value <= open.get())))
        {
            for (int from = 0; from < EVENTS; from += 50)
            {
                publish(from, from + 50);
                final int next = from + 50;
                assertTrue(passed.size() <= from, "the gate leaks");
                open.set(next - 1);
                Await.until("passed", () -> passed.size() == next);
            }
            assertEquals(EVENTS, server.counters().value("gate.handled"));
        }
        for (int i = 0; i < EVENTS; i++)
        {
            assertEquals(i, passed.get(i));
        }
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldStopTheServerAndLetNothingPassWhenTheGateThrows() throws Exception
    {
        final IllegalStateException planned = new IllegalStateException("planned");
        final Server server = Server.launch(context("ring", (event, sequence) ->
        {
            if (event.value < 10)
            {
                // Not before all are published: a server that has stopped takes none.
                return open.get() >= 0;
            }
            throw planned;
        }));
        publish(0, 20);
        open.set(0);
        Await.closed(server);
        assertSame(planned, server.failure().getCause());
        assertTrue(passed.size() <= 10, passed::toString);
        assertEquals(64, server.counters().value("f.pool.available"));
    }

    /** The terminal stages give the events back. */
    @Test
    @Tag("checked")
    void shouldPassEventsWithoutAStageThatFollowsTheGate()
    {
        final EventGate<Tick> gate = (event, sequence) -> event.value <= open.get();
        final EventGate<Tick> late = (event, sequence) -> event.value <= open.get();
        try (Server server = Server.launch(context("ring", gate)))
        {
            publish(0, 10);
            server.control().removeStage("answers");
            server.control().addStage("f", "late", "late", late);
            open.set(EVENTS);
            publish(10, 60);
            Await.until("passed", () -> server.counters().value("gate.handled") == 60 &&
                server.counters().value("late.handled") == 50);
            Await.until("free", () -> server.counters().value("f.pool.available") == 64);
        }
        assertEquals(List.of(), errors);
    }

    /** Only the publisher's thread can open the gate, so it must not wait. */
    @Test
    void shouldRefuseAPublisherThatTheGateWaitsFor()
    {
        final Thread opener = Thread.currentThread();
        try (Server server = Server.launch(context("ring", new EventGate<>()
        {
            @Override
            public boolean isOpen(final Tick event, final long sequence)
            {
                return event.value <= open.get();
            }

            @Override
            public boolean waitsForCaller()
            {
                return Thread.currentThread() == opener;
            }
        })))
        {
            publish(0, 64);
            assertNull(source.claim());
            assertTrue(server.counters().value("f.rejected") > 0);
            open.set(63);
            Await.until("passed", () -> passed.size() == 64);
        }
        assertEquals(List.of(), errors);
    }

    @ParameterizedTest
    @ValueSource(strings = {"STOP_SERVER", "SKIP_AND_RECORD"})
    void shouldCallAHandlerThatHasNoEvent(final String policy) throws Exception
    {
        final AtomicLong idle = new AtomicLong();
        final IllegalStateException planned = new IllegalStateException("planned");
        final EventHandler<Tick> handler = new EventHandler<>()
        {
            @Override
            public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
            {
                passed.add(event.value);
            }

            @Override
            public void onIdle()
            {
                if (idle.incrementAndGet() == 100)
                {
                    throw planned;
                }
            }
        };
        final Server server = Server.launch(new Server.Context().name("idle")
            .errorHandler(errors::add).stallTimeoutNs(0)
            .onError(ErrorPolicy.valueOf(policy))
            .flow("f", f -> f.from(source).to("a", handler).to("b", Tick.ignored(), "a")));
        Await.until("idle", () -> idle.get() >= 100);
        if ("STOP_SERVER".equals(policy))
        {
            Await.closed(server);
            assertSame(planned, server.failure().getCause());
        }
        else
        {
            publish(0, 3);
            Await.until("handled", () -> passed.size() == 3);
            server.close();
            assertNull(server.failure());
        }
        assertEquals(1, errors.size());
        assertEquals(1, server.counters().value("a.errors"));
    }
}

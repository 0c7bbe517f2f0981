package io.millrace.server;

import io.millrace.pool.testkit.AllocationWindows;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What a server shows: counters with kind, unit and tags, latencies, busy ratio, causes of stalls. */
class MeasureTest
{
    private static final int MAX_WINDOWS = 6;
    /** Longer than a busy machine keeps an agent off its core. */
    private static final long STALL_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final InVmSource<Tick> source = new InVmSource<>(Tick::new, 1_024);

    private static void publish(final InVmSource<Tick> into, final long key, final long value)
    {
        final Tick event = into.claim();
        event.key = key;
        event.value = value;
        into.publish(event);
    }

    @Test
    void shouldDescribeEachCounterBeforeTheStart()
    {
        final Server server = Server.create(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .flow("f", f -> f.from(source).to("a", Tick.ignored())));
        for (final Counter counter : server.counters().all())
        {
            assertFalse(counter.description().isBlank(), counter.name());
            assertTrue(counter.name().startsWith("server.") || !counter.unit().isBlank(), counter.name());
            assertTrue(counter.name().startsWith("server.") || counter.tags().size() == 1, counter.name());
        }
        final Counter available = server.counters().all().stream()
            .filter(counter -> counter.name().equals("f.pool.available")).findFirst().orElseThrow();
        assertEquals(Counter.Kind.GAUGE, available.kind());
        assertEquals(Map.of("flow", "f"), available.tags());
        assertEquals("events", available.unit());
        server.counters().tagged("venue", "X").gauge("book.depth", "orders", "orders in the book", () -> 7);
        assertEquals(7, server.counters().value("book.depth"));
        assertThrows(IllegalArgumentException.class, () -> server.counters().tagged("venue"));
        server.start();
        publish(source, 0, 0);
        server.invoke();
        assertEquals(1, server.counters().value("a.handled"));
        server.stop();
        server.start();
        assertEquals(0, server.counters().value("a.handled"));
        assertEquals(7, server.counters().value("book.depth"), "an application's counter stays");
        server.close();
    }

    @Test
    void shouldCountEachPublishedEventOfAConflatingFlow()
    {
        final InVmSource<Tick> quotes = new InVmSource<>(Tick::new, 16);
        try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .flow("q", f -> f.from(quotes).through(Pipelines.<Tick>conflating(4, event -> event.key))
                .to("a", Tick.ignored()))))
        {
            for (int i = 0; i < 5; i++)
            {
                publish(quotes, 1, i);
            }
            assertEquals(5, server.counters().value("q.published"));
            assertEquals(4, server.counters().value("q.displaced"));
            server.invoke();
            assertEquals(1, server.counters().value("a.handled"));
        }
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldRecordTheLatencyOfAFlow(final ThreadingMode mode)
    {
        final CachedNanoClock clock = new CachedNanoClock();
        clock.update(1_000);
        final Server server = Server.launch(new Server.Context().threadingMode(mode).clock(clock)
            .flow("f", f -> f.from(source).latency(event -> event.value).to("a", Tick.ignored())
                .to("b", Tick.ignored(), "a")));
        try (server)
        {
            for (int i = 0; i < 100; i++)
            {
                publish(source, 0, 1_000 - i);
            }
            Await.until("handled", () ->
            {
                if (mode == ThreadingMode.INVOKER)
                {
                    server.invoke();
                }
                return server.counters().value("b.handled") == 100;
            });
        }
        // After the close: an agent records after it has counted.
        final Histogram histogram = server.latency("f").takeInterval(null);
        assertEquals(100, histogram.getTotalCount());
        assertEquals(99, histogram.getMaxValue());
        assertThrows(IllegalArgumentException.class, () -> server.latency("g"));
    }

    @Test
    void shouldMeasureDutyCycles()
    {
        try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .agent("shared", a -> a.hosts("a").measured())
            .flow("f", f -> f.from(source).to("a", (event, sequence, end) -> Thread.sleep(2)))))
        {
            publish(source, 0, 0);
            server.invoke();
            final long longest = server.counters().value("shared.longestCycleNs");
            assertTrue(longest >= TimeUnit.MILLISECONDS.toNanos(2), "longest " + longest);
            assertTrue(server.counters().value("shared.busyNs") >= longest);
            final long busy = server.counters().value("shared.busyPermille");
            assertTrue(busy > 0 && busy <= 1_000, "busy " + busy);
        }
    }

    private static StallListener addTo(final List<StallCause> causes)
    {
        return new StallListener()
        {
            @Override
            public void onStall(final String agent, final long stalledNs, final StackTraceElement[] stack)
            {
                throw new AssertionError("the other method is called");
            }

            @Override
            public void onStall(
                final String agent, final long stalledNs, final StallCause cause, final StackTraceElement[] stack)
            {
                causes.add(cause);
            }
        };
    }

    @Tag("normal")
    @Test
    void shouldTellAStallThatComputesFromOneThatWaits() throws InterruptedException
    {
        final List<StallCause> causes = Collections.synchronizedList(new ArrayList<>());
        final CountDownLatch blocked = new CountDownLatch(1);
        final boolean[] spins = {true};
        final InVmSource<Tick> ticks = new InVmSource<>(Tick::new, 16);
        try (Server server = Server.launch(new Server.Context()
            .stallTimeoutNs(STALL_NS).onStall(addTo(causes))
            .flow("f", f -> f.from(ticks).to("a", (event, sequence, end) ->
            {
                if (event.value == 0)
                {
                    blocked.await();
                }
                while (event.value == 1 && causes.size() < 2)
                {
                    spins[0] = !spins[0];
                }
            }))))
        {
            publish(ticks, 0, 0);
            Await.until("found", () -> causes.size() == 1);
            blocked.countDown();
            Await.until("it goes on", () -> server.stalledAgents().isEmpty());
            publish(ticks, 0, 1);
            Await.until("found", () -> causes.size() == 2);
        }
        assertEquals(StallCause.BLOCKED, causes.get(0));
        // On a busy host a thread that computes may get less than half of a processor.
        assertTrue(causes.get(1) == StallCause.BUSY || causes.get(1) == StallCause.DID_NOT_RUN, causes.toString());
    }

    /** As a thread without a processor: a thread inside of a system call is runnable and uses no processor time. */
    @Test
    void shouldTellAStallOfAThreadThatDoesNotRun() throws Exception
    {
        final List<StallCause> causes = Collections.synchronizedList(new ArrayList<>());
        final Pipe pipe = Pipe.open();
        final InVmSource<Tick> ticks = new InVmSource<>(Tick::new, 16);
        try (Server server = Server.launch(new Server.Context()
            .stallTimeoutNs(STALL_NS).onStall(addTo(causes))
            .flow("f", f -> f.from(ticks).to("a",
                (event, sequence, end) -> pipe.source().read(ByteBuffer.allocate(1))))))
        {
            publish(ticks, 0, 0);
            Await.until("found", () -> !causes.isEmpty());
            pipe.sink().write(ByteBuffer.allocate(1));
            Await.until("it goes on", () -> server.stalledAgents().isEmpty());
        }
        pipe.sink().close();
        pipe.source().close();
        assertEquals(List.of(StallCause.DID_NOT_RUN), causes);
    }

    /** P15, for what a flow may have in addition: timers, latency, measured cycles, event time. */
    @Tag("normal")
    @Test
    void shouldAllocateNothingForTimersAndLatencies()
    {
        final Scheduler[] timers = new Scheduler[1];
        final long[] ran = new long[1];
        final Scheduler.Task task = now -> ran[0]++;
        final CachedNanoClock clock = new CachedNanoClock();
        try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER).clock(clock)
            .agent("shared", a -> a.hosts("a").measured())
            .flow("f", f -> f.from(source).latency(event -> event.value).to("a", new StageHandler<>()
            {
                @Override
                public void onStart(final HandlerContext context)
                {
                    timers[0] = context.scheduler();
                    timers[0].every(0, Scheduler.TICK_NS, task);
                }

                @Override
                public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
                {
                    timers[0].after(event.key * 1_000, task);
                    timers[0].cancel(timers[0].after(1_000_000_000, task));
                }
            }))))
        {
            pass(server, clock);
            AllocationWindows.assertNothing("200,000 events", MAX_WINDOWS, () -> pass(server, clock));
            assertTrue(ran[0] > 200_000, "ran " + ran[0]);
        }
    }

    private void pass(final Server server, final CachedNanoClock clock)
    {
        for (int i = 0; i < 200_000; i += 100)
        {
            for (int k = 0; k < 100; k++)
            {
                publish(source, k, clock.nanoTime());
            }
            clock.advance(300_000);
            server.invoke();
        }
    }

    /** A duty cycle costs the same with 100,000 timers: their number is not in the calls that it makes. */
    @Test
    void shouldReadTheWheelOnceATick()
    {
        final Scheduler[] timers = new Scheduler[1];
        final long[] reads = new long[1];
        final long[] now = new long[1];
        try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .clock(() ->
            {
                reads[0]++;
                return now[0];
            })
            .flow("f", f -> f.from(source).to("a", new StageHandler<>()
            {
                @Override
                public void onStart(final HandlerContext context)
                {
                    timers[0] = context.scheduler();
                }

                @Override
                public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
                {
                }
            }))))
        {
            for (int i = 0; i < 100_000; i++)
            {
                timers[0].at(Scheduler.TICK_NS * 1_000_000L, time ->
                {
                });
            }
            final long before = reads[0];
            for (int i = 0; i < 100_000; i++)
            {
                server.invoke();
            }
            assertEquals(100_000, reads[0] - before, "the clock is read once a duty cycle");
            assertEquals(100_000, timers[0].pending());
        }
    }
}

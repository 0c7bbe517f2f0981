package io.millrace.server;

import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The iterator and the timer. */
class SimpleSourcesTest
{
    private static final int COUNT = 5_000;

    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final List<Long> values = Collections.synchronizedList(new ArrayList<>());
    private Server server;

    private Server.Context context(final ThreadingMode mode)
    {
        return new Server.Context().threadingMode(mode).stallTimeoutNs(0).onError(ErrorPolicy.SKIP_AND_RECORD)
            .errorHandler(errors::add);
    }

    private void await(final ThreadingMode mode, final int size)
    {
        Await.until("events", () ->
        {
            if (mode == ThreadingMode.INVOKER)
            {
                server.invoke();
            }
            return values.size() >= size;
        });
    }

    private void collect(final Tick event, final long sequence, final boolean endOfBatch)
    {
        values.add(event.value);
    }

    @AfterEach
    void shouldClose()
    {
        server.close();
        assertEquals("", server.pools().describeInFlight());
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldPublishEachElementOnceThroughAFullQueue(final ThreadingMode mode)
    {
        final IteratorSource<Long, Tick> source = new IteratorSource<>(
            LongStream.range(0, COUNT).boxed().iterator(), (value, event) ->
        {
            if (value == 7)
            {
                throw new IllegalStateException("not 7");
            }
            event.value = value;
        });
        server = Server.launch(context(mode)
            .flow("f", f -> f.from(Tick::new, 16, source).through(Pipelines.spsc(2)).to("collect", this::collect)));
        await(mode, COUNT - 1);
        Await.until("the end", () ->
        {
            if (mode == ThreadingMode.INVOKER)
            {
                server.invoke();
            }
            return source.isExhausted();
        });
        assertEquals(LongStream.range(0, COUNT).filter(value -> value != 7).boxed().toList(), List.copyOf(values));
        assertEquals(1, errors.size());
    }

    /** The third element waits in the source. */
    @Test
    void shouldBeginTheNextStartWithAnElementThatTheFlowHasNotTaken()
    {
        final IteratorSource<Long, Tick> source = new IteratorSource<>(
            LongStream.range(0, 5).boxed().iterator(), (value, event) -> event.value = value);
        server = Server.launch(context(ThreadingMode.INVOKER)
            .flow("f", f -> f.from(Tick::new, 8, source).through(Pipelines.spsc(2)).to("collect", this::collect)));
        server.control().pause("collect");
        server.invoke();
        server.stop();
        assertEquals(List.of(0L, 1L), List.copyOf(values));
        server.start();
        await(ThreadingMode.INVOKER, 5);
        assertEquals(List.of(0L, 1L, 2L, 3L, 4L), List.copyOf(values));
    }

    @Test
    void shouldTickByTheClockAndLeaveOutMissedPeriods()
    {
        final CachedNanoClock clock = new CachedNanoClock();
        server = Server.launch(context(ThreadingMode.INVOKER).flow("f", f -> f.from(Tick::new, 4,
            new TimerSource<Tick>(10, clock, (event, dueNs) -> event.value = dueNs)).to("collect", this::collect)));
        for (int now = 0; now < 35; now++)
        {
            clock.update(now);
            server.invoke();
        }
        assertEquals(3, values.size());
        clock.update(1_000_005);
        for (int i = 0; i < 5; i++)
        {
            server.invoke();
        }
        assertEquals(4, values.size());
        assertEquals(30, values.get(2));
        assertEquals(1_000_000, values.get(3));
        assertEquals(99_996, server.counters().value("f-source.missed"));
        assertEquals(4, server.counters().value("f-source.published"));
    }

    /** The third event waits in the source. */
    @Test
    void shouldNotCountAnEventThatTheFlowHasNotTakenAtTheClose()
    {
        final CachedNanoClock clock = new CachedNanoClock();
        server = Server.launch(context(ThreadingMode.INVOKER).flow("f", f -> f.from(Tick::new, 8,
            new TimerSource<Tick>(10, clock, (event, dueNs) -> event.value = dueNs)).through(Pipelines.spsc(2))
            .to("collect", this::collect)));
        server.control().pause("collect");
        for (int now = 0; now < 55; now++)
        {
            clock.update(now);
            server.invoke();
        }
        assertEquals(3, server.counters().value("f-source.published"));
        server.close();
        assertEquals(List.of(10L, 20L), List.copyOf(values));
        assertEquals(2, server.counters().value("f-source.published"));
    }

    @Test
    void shouldAskOnceInAPeriodWhoseFillerThrows()
    {
        final CachedNanoClock clock = new CachedNanoClock();
        server = Server.launch(context(ThreadingMode.INVOKER).flow("f", f -> f.from(Tick::new, 4,
            new TimerSource<Tick>(10, clock, (event, dueNs) ->
            {
                if (dueNs == 20)
                {
                    throw new IllegalStateException("not 20");
                }
                event.value = dueNs;
            })).to("collect", this::collect)));
        for (int now = 0; now < 35; now++)
        {
            clock.update(now);
            server.invoke();
        }
        assertEquals(List.of(10L, 30L), List.copyOf(values));
        assertEquals(1, errors.size());
        assertEquals(0, server.counters().value("f-source.missed"));
    }

    @Test
    void shouldLoseNoEventOfAPoolToAKeyThatCannotBeFound()
    {
        final IteratorSource<Long, Tick> source = new IteratorSource<>(
            LongStream.range(0, 100).boxed().iterator(), (value, event) -> event.value = value);
        server = Server.launch(context(ThreadingMode.INVOKER).flow("f", f -> f.from(Tick::new, 32, source)
            .onFull(BackPressure.CONFLATE).through(Pipelines.conflating(16, event ->
            {
                if (event.value % 2 == 1)
                {
                    throw new IllegalStateException("no key");
                }
                return event.value % 16;
            })).to("collect", this::collect)));
        for (int i = 0; i < 200; i++)
        {
            server.invoke();
        }
        assertEquals(LongStream.range(0, 50).mapToObj(i -> 2 * i).toList(), List.copyOf(values));
        assertEquals(50, errors.size());
        assertEquals(50, server.counters().value("f.rejected"));
        assertEquals(32, server.counters().value("f.pool.available"));
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldTickNeverEarly(final ThreadingMode mode)
    {
        final long startNs = System.nanoTime();
        server = Server.launch(context(mode).flow("f", f -> f.from(Tick::new, 16, new TimerSource<Tick>(
            1_000_000, SystemNanoClock.INSTANCE, (event, dueNs) -> event.value = System.nanoTime() - dueNs))
            .to("collect", this::collect)));
        await(mode, 5);
        assertTrue(System.nanoTime() - startNs >= 5_000_000);
        for (int i = 0; i < 5; i++)
        {
            assertTrue(values.get(i) >= 0);
        }
        assertEquals("periodNs 0 is not in 1..86400000000000", assertThrows(IllegalArgumentException.class,
            () -> new TimerSource<Tick>(0, SystemNanoClock.INSTANCE, (event, dueNs) -> event.value = 0)).getMessage());
    }
}

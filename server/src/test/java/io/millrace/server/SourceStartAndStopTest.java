package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.pipeline.EventHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.concurrent.atomic.AtomicBoolean;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The start of a polled source, and its events after its failure.
 */
final class SourceStartAndStopTest
{
    private static final class Event extends BasePoolAware
    {
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldHandleTheEarlierEventsOfAFailingSource(final ThreadingMode mode) throws Exception
    {
        final int[] handled = new int[1];
        final Server server = Server.launch(new Server.Context().threadingMode(mode).errorHandler(ex ->
        {
        }).flow("rows", f -> f.from(Event::new, 16, out ->
        {
            out.offer(out.claim());
            out.offer(out.claim());
            throw new IllegalStateException("the third row is broken");
        }).to("count", (event, sequence, endOfBatch) -> handled[0]++)));
        if (mode == ThreadingMode.INVOKER)
        {
            server.invoke();
        }
        assertTrue(server.awaitClose(Await.LONG_NS));
        assertNotNull(server.failure());
        assertEquals(2, handled[0]);
        assertEquals(0, server.counters().value("rows.undelivered"));
    }

    @Test
    void shouldPollNoSourceBeforeEveryAgentHasStarted()
    {
        final AtomicBoolean started = new AtomicBoolean();
        final AtomicBoolean early = new AtomicBoolean();
        final AtomicBoolean polled = new AtomicBoolean();
        final EventHandler<Event> slow = new EventHandler<>()
        {
            @Override
            public void onEvent(final Event event, final long sequence, final boolean endOfBatch)
            {
            }

            @Override
            public void onStart()
            {
                started.set(true);
            }
        };
        try (Server server = Server.launch(new Server.Context().stallTimeoutNs(0)
            .flow("first", f -> f.from(Event::new, 16, out ->
            {
                early.compareAndSet(false, !started.get());
                polled.set(true);
                return 0;
            }).to("a", (event, sequence, endOfBatch) ->
            {
            }))
            .agent("first-source", a -> a.hosts("first-source", "a"))
            .flow("second", f -> f.from(new InVmSource<>(Event::new, 16)).to("b", slow))))
        {
            Await.until("the source is polled", polled::get);
            assertFalse(early.get(), "polled before the last agent had started");
            assertEquals(0, server.counters().value("server.errors"));
        }
    }

    @Test
    void shouldRefuseToSkipEventsOfAStageThatCompletesAtTheEndOfABatch()
    {
        final EventHandler<Event> journal = new EventHandler<>()
        {
            @Override
            public void onEvent(final Event event, final long sequence, final boolean endOfBatch)
            {
            }

            @Override
            public boolean completesAtEndOfBatch()
            {
                return true;
            }
        };
        final IllegalArgumentException ex = assertThrows(IllegalArgumentException.class,
            () -> new Server.Context().onError(ErrorPolicy.SKIP_AND_RECORD)
                .flow("orders", f -> f.from(new InVmSource<>(Event::new, 16)).to("journal", journal)).conclude());
        assertTrue(ex.getMessage().contains("'journal'") && ex.getMessage().contains("STOP_SERVER"), ex.getMessage());
    }

    @Test
    void shouldRefuseACapacityThatExceedsTheHeap()
    {
        final int events = 1 << 26;
        if (events * 32L > Runtime.getRuntime().maxMemory())
        {
            final IllegalArgumentException ex = assertThrows(IllegalArgumentException.class, () -> new Server.Context()
                .flow("big", f -> f.from(new InVmSource<>(Event::new, events)).to("a", (event, sequence, end) ->
                {
                })).conclude());
            assertTrue(ex.getMessage().contains("67108864"), ex.getMessage());
        }
    }
}

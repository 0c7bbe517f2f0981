package io.millrace.server;

import io.millrace.pool.PaddedLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A polled source is replaced while it publishes: no event is lost, and none is published twice. */
class SourceReplacementTest
{
    private static final int REPLACEMENTS = 20;

    private final List<String> log = Collections.synchronizedList(new ArrayList<>());
    private final PaddedLong handled = new PaddedLong(0);
    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private long lastKey = -1;
    private long nextValue;

    /** Publishes its key and the numbers from 0. */
    private class Counting implements EventSource<Tick>
    {
        private final long key;
        private final ClaimedEvent<Tick> claimed = new ClaimedEvent<>();
        private volatile long published;

        private Counting(final long key)
        {
            this.key = key;
        }

        @Override
        public void onStart()
        {
            log.add(key + " starts");
            if (key < 0)
            {
                throw new IllegalStateException("does not start");
            }
        }

        @Override
        public int poll(final EventPublication<Tick> out)
        {
            final Tick event = claimed.publish(out) ? claimed.claim(out) : null;
            if (event == null)
            {
                return 0;
            }
            event.key = key;
            event.value = published;
            claimed.filled();
            if (claimed.publish(out))
            {
                published = event.value + 1;
            }
            return 1;
        }

        @Override
        public void onClose()
        {
            claimed.release();
            log.add(key + " closes");
        }

        @Override
        public void addCounters(final Counters counters, final String name)
        {
            counters.add(name + ".published", "events", () -> published);
        }
    }

    private void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
    {
        if (event.key != lastKey)
        {
            lastKey = event.key;
            nextValue = 0;
        }
        if (event.value != nextValue++)
        {
            throw new IllegalStateException(event.key + ": " + event.value + " instead of " + (nextValue - 1));
        }
        handled.setOpaque(handled.getPlain() + 1);
    }

    private Server launch(final ThreadingMode mode, final Counting first)
    {
        return Server.launch(new Server.Context().name("sources").threadingMode(mode).stallTimeoutNs(0)
            .errorHandler(errors::add)
            .flow("f", f -> f.from(Tick::new, 64, first).through(Pipelines.ring()).to("a", this::onEvent)));
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldLoseAndRepeatNothing(final ThreadingMode mode)
    {
        final List<Counting> sources = new ArrayList<>(List.of(new Counting(0)));
        try (Server server = launch(mode, sources.get(0)))
        {
            for (int i = 1; i <= REPLACEMENTS; i++)
            {
                final long before = handled.getOpaque();
                Await.until("events", () ->
                {
                    if (mode == ThreadingMode.INVOKER)
                    {
                        server.invoke();
                    }
                    return handled.getOpaque() > before + 100;
                });
                sources.add(new Counting(i));
                server.control().replaceSource("f", sources.get(i));
            }
        }
        assertEquals(List.of(), errors);
        assertEquals(sources.stream().mapToLong(source -> source.published).sum(), handled.getOpaque());
        final List<String> expected = new ArrayList<>(List.of("0 starts"));
        for (int i = 1; i <= REPLACEMENTS; i++)
        {
            expected.addAll(List.of(i + " starts", i - 1 + " closes"));
        }
        expected.add(REPLACEMENTS + " closes");
        assertEquals(expected, log);
    }

    @Test
    void shouldReplaceASourceWhoseCloseFails()
    {
        final Counting next = new Counting(1);
        final Counting first = new Counting(0)
        {
            @Override
            public void onClose()
            {
                super.onClose();
                throw new AssertionError("on purpose");
            }
        };
        try (Server server = launch(ThreadingMode.INVOKER, first))
        {
            server.control().replaceSource("f", next);
            server.invoke();
            assertTrue(next.published > 0);
        }
        assertEquals(1, errors.size());
        assertEquals("on purpose", errors.get(0).getCause().getMessage());
        assertEquals(List.of("0 starts", "1 starts", "0 closes", "1 closes"), log);
    }

    @Test
    void shouldCountWhatTheNewSourceDoes()
    {
        final Counting first = new Counting(0);
        final Counting next = new Counting(1);
        try (Server server = launch(ThreadingMode.INVOKER, first))
        {
            server.invoke();
            server.control().replaceSource("f", next);
            assertEquals(0, server.counters().value("f-source.published"));
            server.invoke();
            server.invoke();
            assertEquals(next.published, server.counters().value("f-source.published"));
            assertThrows(RuntimeException.class, () -> server.control().replaceSource("f", new Counting(-1)));
            server.invoke();
            assertEquals(next.published, server.counters().value("f-source.published"));
            server.control().addFlow("g", f -> f.from(new InVmSource<>(Tick::new, 16)).to("b", Tick.ignored()));
            server.control().removeFlow("f");
            assertEquals(List.of(), server.counters().names().stream().filter(name -> name.startsWith("f")).toList());
        }
    }

    @Test
    void shouldKeepTheOldSourceIfTheNewOneDoesNotStart()
    {
        final Counting first = new Counting(0);
        try (Server server = launch(ThreadingMode.INVOKER, first))
        {
            server.invoke();
            assertThrows(RuntimeException.class, () -> server.control().replaceSource("f", new Counting(-1)));
            final long before = first.published;
            server.invoke();
            server.invoke();
            assertTrue(first.published > before);
        }
        assertEquals(List.of("0 starts", "-1 starts", "0 closes"), log);
    }
}

package io.millrace.server;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A direct flow claims the event that has just been released, and the counts of its pool stay exact.
 */
class DirectReuseTest
{
    private static final int CAPACITY = 8;

    private final InVmSource<Tick> source = new InVmSource<>(Tick::new, CAPACITY);
    private final List<Throwable> errors = new ArrayList<>();
    private final List<Tick> retained = new ArrayList<>();
    private boolean retains;
    private boolean fails;

    private Server launch(final ErrorPolicy policy)
    {
        return Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .errorHandler(errors::add).stallTimeoutNs(0)
            .onError(policy).flow("direct", flow -> flow.from(source).through(Pipelines.direct())
            .to("read", (event, sequence, endOfBatch) -> onEvent(event))));
    }

    private void onEvent(final Tick event)
    {
        if (retains)
        {
            event.retain(1);
            retained.add(event);
        }
        if (fails)
        {
            throw new IllegalStateException("expected");
        }
    }

    private Tick publish()
    {
        final Tick event = source.claim();
        assertTrue(source.publish(event));
        return event;
    }

    private static long available(final Server server)
    {
        return server.counters().value("direct.pool.available");
    }

    @Test
    @Tag("normal")
    void shouldClaimTheEventThatHasJustComeBack()
    {
        try (Server server = launch(ErrorPolicy.STOP_SERVER))
        {
            final Tick event = publish();
            for (int i = 0; i < 3 * CAPACITY; i++)
            {
                assertSame(event, publish());
                assertTrue(source.awaitCapacity(CAPACITY));
                assertEquals(CAPACITY, available(server));
            }
        }
    }

    @Test
    void shouldClaimAnotherEventWhileTheLastOneIsRetained()
    {
        try (Server server = launch(ErrorPolicy.STOP_SERVER))
        {
            retains = true;
            for (int i = 0; i < CAPACITY; i++)
            {
                assertFalse(retained.contains(publish()) && i + 1 != retained.size());
                assertEquals(CAPACITY - 1 - i, available(server));
            }
            assertEquals(CAPACITY, retained.stream().distinct().count());
            assertNull(source.claim());
            retained.forEach(Tick::release);
            assertEquals(CAPACITY, available(server));
        }
    }

    @Test
    void shouldReleaseAnEventWhoseHandlerThrows()
    {
        try (Server server = launch(ErrorPolicy.SKIP_AND_RECORD))
        {
            fails = true;
            for (int i = 0; i < 3 * CAPACITY; i++)
            {
                publish();
                assertEquals(CAPACITY, available(server));
            }
            assertEquals(3 * CAPACITY, server.counters().value("read.errors"));
        }
        assertEquals(3 * CAPACITY, errors.size());
    }

    @Test
    void shouldLeaveNothingInFlightWhenAFailureEndsTheFlow()
    {
        final Server server = launch(ErrorPolicy.STOP_SERVER);
        publish();
        fails = true;
        publish();
        assertNull(source.claim());
        server.close();
        assertEquals(CAPACITY, available(server));
        assertEquals(0, server.counters().value("direct.undelivered"));
    }

    @Test
    @Tag("normal")
    void shouldClaimAnotherEventThanOneThatIsNotPublishedYet()
    {
        try (Server server = launch(ErrorPolicy.STOP_SERVER))
        {
            final Tick first = source.claim();
            final Tick second = publish();
            assertNotSame(first, second);
            assertEquals(CAPACITY - 1, available(server));
            assertTrue(source.publish(first));
            assertEquals(CAPACITY, available(server));
            assertSame(second, source.claim());
            assertNotSame(second, source.claim());
            assertEquals(CAPACITY - 2, available(server));
        }
    }

    @Test
    @Tag("normal")
    void shouldWaitForTheLastEventToo() throws Exception
    {
        retains = true;
        try (Server server = Server.launch(new Server.Context()
            .errorHandler(errors::add).stallTimeoutNs(0).flow("direct", flow -> flow.from(source)
            .through(Pipelines.direct()).onFull(BackPressure.BLOCK)
            .to("read", (event, sequence, endOfBatch) -> onEvent(event)))))
        {
            for (int i = 0; i < CAPACITY; i++)
            {
                publish();
            }
            final Thread reader = new Thread(() ->
            {
                Await.until("blocked", () -> server.counters().value("direct.blocked") == 1);
                retained.get(CAPACITY - 1).release();
            });
            reader.start();
            assertSame(retained.get(CAPACITY - 1), source.claim());
            Await.ended(reader);
            assertEquals(0, available(server));
        }
    }

    @Test
    @Tag("normal")
    void shouldFindTheLastEventWhenAllOthersAreRetained()
    {
        try (Server server = launch(ErrorPolicy.STOP_SERVER))
        {
            retains = true;
            for (int i = 0; i < CAPACITY; i++)
            {
                publish();
            }
            assertFalse(source.awaitCapacity(1));
            retained.get(CAPACITY - 1).release();
            assertTrue(source.awaitCapacity(1));
            assertFalse(source.awaitCapacity(2));
            assertSame(retained.get(CAPACITY - 1), source.claim());
            assertNull(source.claim());
            retained.get(0).release();
            assertTrue(source.awaitCapacity(1));
            assertFalse(source.awaitCapacity(2));
            assertSame(retained.get(0), source.claim());
            assertEquals(0, available(server));
        }
    }
}

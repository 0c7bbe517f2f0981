package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Events that clean themselves: the hook of an event runs once between two uses, however the event was acquired. Normal
 * mode runs it before the next acquire, checked mode after the last release.
 */
class ReleaseHookTest
{
    private static final int CAPACITY = 8;
    private static final int LAPS = 50;
    private static final long CLEAN = -1;

    private static final class Clean extends BasePoolAware
    {
        long value = CLEAN;
        int hooks;
        int hooksAtAcquire = -1;

        @Override
        protected void onRelease()
        {
            value = CLEAN;
            hooks++;
        }
    }

    private final InVmSource<Clean> source = new InVmSource<>(Clean::new, CAPACITY);
    private final List<Long> handled = Collections.synchronizedList(new ArrayList<>());
    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private long published;

    private Server launch(final ThreadingMode mode, final BackPressure policy)
    {
        return Server.launch(new Server.Context().name("hook").threadingMode(mode)
            .errorHandler(errors::add).stallTimeoutNs(0)
            .flow("f", f -> f.from(source).onFull(policy)
                .to("a", (event, sequence, end) -> handled.add(event.value))
                .to("b", (event, sequence, end) -> assertTrue(event.value != CLEAN, "cleaned too early"), "a")));
    }

    private void assertInFlight(final Clean event)
    {
        assertNotNull(event);
        assertEquals(CLEAN, event.value);
        if (event.hooksAtAcquire >= 0)
        {
            assertEquals(event.hooksAtAcquire + 1, event.hooks);
        }
        event.hooksAtAcquire = event.hooks;
    }

    private void publishSingle()
    {
        final Clean event = source.claim();
        assertInFlight(event);
        event.value = published++;
        assertTrue(source.publish(event));
    }

    private void publishBatch(final int count)
    {
        final long first = source.claim(count);
        assertTrue(first >= 0);
        for (long sequence = first; sequence < first + count; sequence++)
        {
            assertInFlight(source.event(sequence));
            source.event(sequence).value = published++;
        }
        assertTrue(source.publish(first, count));
    }

    private void assertHandledAll(final Server server)
    {
        server.close();
        assertEquals(LongStream.range(0, published).boxed().toList(), handled);
        assertEquals(CAPACITY, server.counters().value("f.pool.available"));
        assertEquals(List.of(), errors);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, CAPACITY})
    void shouldRunOnceBetweenTwoUses(final int atOnce)
    {
        final Server server = launch(ThreadingMode.INVOKER, BackPressure.FAIL);
        for (int i = 0; i < LAPS; i++)
        {
            for (int k = 0; k < atOnce; k++)
            {
                publishSingle();
            }
            invokeAll(server);
            publishBatch(atOnce);
            invokeAll(server);
        }
        assertHandledAll(server);
    }

    private static void invokeAll(final Server server)
    {
        int work = server.invoke();
        while (work > 0)
        {
            work = server.invoke();
        }
    }

    @Test
    void shouldRunOnceForAnEventReleasedInsteadOfPublished()
    {
        final Server server = launch(ThreadingMode.INVOKER, BackPressure.FAIL);
        for (int i = 0; i < LAPS; i++)
        {
            final Clean first = source.claim();
            assertInFlight(first);
            publishSingle();
            final Clean released = source.claim();
            assertInFlight(released);
            released.value = i;
            released.release();
            publishBatch(2);
            invokeAll(server);
        }
        assertEquals(2 * LAPS, server.counters().value("f.pool.abandoned"));
        assertHandledAll(server);
    }

    @Test
    void shouldRunOnceWhileTheHandlersFollowThePublisher()
    {
        final Server server = launch(ThreadingMode.DEDICATED, BackPressure.BLOCK);
        for (int i = 0; i < 1_000; i++)
        {
            publishSingle();
            publishBatch(1 + i % CAPACITY);
        }
        assertHandledAll(server);
        Await.noThreadOf("hook");
    }
}

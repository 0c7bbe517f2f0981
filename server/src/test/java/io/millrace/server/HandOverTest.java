package io.millrace.server;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The publishing end of a ring moves from thread to thread: the next one may do everything that the first one could.
 */
class HandOverTest
{
    private static final int CAPACITY = 16;

    private final InVmSource<Tick> source = new InVmSource<>(Tick::new, CAPACITY);
    private final List<Long> handled = new ArrayList<>();
    private final List<Throwable> errors = new ArrayList<>();
    private long published;

    private Server launch()
    {
        return Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .errorHandler(errors::add).stallTimeoutNs(0)
            .flow("ticks", f -> f.from(source).to("a", (event, sequence, end) -> handled.add(event.value))));
    }

    private void publish(final Tick event)
    {
        assertNotNull(event);
        event.value = published++;
        assertTrue(source.publish(event));
    }

    private static void inAnotherThread(final Runnable work) throws InterruptedException
    {
        final AtomicReference<Throwable> thrown = new AtomicReference<>();
        final Thread other = new Thread(work, "next-publisher");
        other.setUncaughtExceptionHandler((thread, ex) -> thrown.set(ex));
        other.start();
        Await.ended(other);
        assertNull(thrown.get());
    }

    private void assertAccounts(final Server server, final long abandoned)
    {
        while (server.invoke() > 0)
        {
            assertEquals(List.of(), errors);
        }
        assertEquals(LongStream.range(0, published).boxed().toList(), handled);
        assertEquals(abandoned, server.counters().value("ticks.pool.abandoned"));
        assertEquals(published + abandoned, server.counters().value("ticks.published"));
        assertEquals(0, server.counters().value("ticks.pool.doubleReleases"));
        assertEquals(List.of(), errors);
    }

    private static void assertAllBack(final Server server)
    {
        // A stage announces its exact position at the close.
        server.close();
        assertEquals(CAPACITY, server.counters().value("ticks.pool.available"));
        assertEquals(0, server.counters().value("ticks.undelivered"));
    }

    @Test
    void shouldAllowTheNextThreadToReleaseItsClaimAndPublish() throws InterruptedException
    {
        try (Server server = launch())
        {
            for (int i = 0; i < 5; i++)
            {
                publish(source.claim());
            }
            source.handOver();
            inAnotherThread(() ->
            {
                source.claim().release();
                final Tick kept = source.claim();
                source.claim().release();
                publish(kept);
                publish(source.claim());
                source.claim().release();
            });
            assertAccounts(server, 3);
            assertAllBack(server);
        }
    }

    @Test
    void shouldMakeAPadOfAnUnpublishedClaimOfTheFirstThread() throws InterruptedException
    {
        try (Server server = launch())
        {
            source.claim();
            source.handOver();
            inAnotherThread(() -> publish(source.claim()));
            assertAccounts(server, 1);
            assertAllBack(server);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldPassBackAndForthBetweenThreads(final long seed) throws InterruptedException
    {
        final Random random = new Random(seed);
        final long[] abandoned = {0};
        final Runnable turn = () ->
        {
            // The number of events that fit without the handler, whose position is known to an eighth of the ring.
            for (int left = 1 + random.nextInt(CAPACITY / 2); left > 0;)
            {
                final int count = 1 + random.nextInt(left);
                abandoned[0] += random.nextBoolean() ? singles(count, random) : batch(count, random);
                left -= count;
            }
            source.handOver();
        };
        try (Server server = launch())
        {
            for (int i = 0; i < 100; i++)
            {
                inAnotherThread(turn);
                assertAccounts(server, abandoned[0]);
                turn.run();
                assertAccounts(server, abandoned[0]);
            }
            assertAllBack(server);
        }
        catch (final AssertionError ex)
        {
            throw new AssertionError("seed " + seed, ex);
        }
    }

    private int singles(final int count, final Random random)
    {
        int released = 0;
        for (int i = 0; i < count; i++)
        {
            if (random.nextInt(3) == 0)
            {
                source.claim().release();
                released++;
            }
            else
            {
                publish(source.claim());
            }
        }
        return released;
    }

    private int batch(final int count, final Random random)
    {
        final long first = source.claim(count);
        assertTrue(first >= 0);
        int released = 0;
        for (int i = 0; i < count; i++)
        {
            final Tick event = source.event(first + i);
            if (random.nextInt(3) == 0)
            {
                event.release();
                released++;
            }
            else
            {
                event.value = published++;
            }
        }
        assertTrue(source.publish(first, count));
        return released;
    }
}

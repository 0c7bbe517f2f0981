package io.millrace.server;

import io.millrace.pool.PoolCheck;
import io.millrace.server.pipeline.EventHandler;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A flow from a shared source through a ring: many publishers, exact counters, and publishers that end between claim
 * and publish.
 */
final class ManyPublishersTest
{
    private static final int CAPACITY = 64;
    private static final int EACH = PoolCheck.ENABLED ? 2_000 : 20_000;
    /** Longer than a busy machine keeps a publisher that lives off its core. */
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);

    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());

    /** Checks that the events of each publisher arrive in its order. */
    private static final class Sorter implements EventHandler<Tick>
    {
        final AtomicLong count = new AtomicLong();
        private final long[] last;

        Sorter(final int publishers)
        {
            last = new long[publishers];
            Arrays.fill(last, -1);
        }

        @Override
        public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
        {
            final int publisher = (int)(event.value % last.length);
            if (event.value / last.length <= last[publisher])
            {
                throw new AssertionError(event.value + " after " + last[publisher]);
            }
            last[publisher] = event.value / last.length;
            count.setRelease(count.getPlain() + 1);
        }
    }

    private Server launch(
        final InVmSource<Tick> source, final BackPressure policy, final EventHandler<Tick> first, final Sorter... more)
    {
        return Server.launch(new Server.Context()
            .errorHandler(errors::add).stallTimeoutNs(0).idle(YieldingIdleStrategy::new)
            .flow("orders", f ->
            {
                final Flow<Tick> flow = f.from(source).onFull(policy).to("first", first);
                for (int i = 0; i < more.length; i++)
                {
                    flow.to("more" + i, more[i], i % 2 == 0 ? new String[0] : new String[]{"first"});
                }
                return flow;
            }));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void shouldCarryTheEventsOfManyPublishersThatWait(final int publishers) throws Exception
    {
        final InVmSource<Tick> source = InVmSource.shared(Tick::new, CAPACITY);
        final Sorter first = new Sorter(publishers);
        final Sorter parallel = new Sorter(publishers);
        final Sorter later = new Sorter(publishers);
        final Server server = launch(source, BackPressure.BLOCK, first, parallel, later);
        publishFrom(publishers, publisher ->
        {
            for (long i = 0; i < EACH; i++)
            {
                final Tick event = source.claim();
                event.value = i * publishers + publisher;
                assertTrue(source.publish(event));
                if (i % 1_000 == 0)
                {
                    Thread.yield();
                }
            }
        });
        server.close();

        for (final Sorter sorter : List.of(first, parallel, later))
        {
            assertEquals((long)publishers * EACH, sorter.count.get());
        }
        assertBalance(server, (long)publishers * EACH, 0);
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldCountEachRefusalAndEachReleaseExactly() throws Exception
    {
        final int publishers = 3;
        final InVmSource<Tick> source = InVmSource.shared(Tick::new, CAPACITY);
        final Sorter sorter = new Sorter(publishers);
        final AtomicLong refused = new AtomicLong();
        final AtomicLong released = new AtomicLong();
        final Server server = launch(source, BackPressure.FAIL, sorter);
        publishFrom(publishers, publisher ->
        {
            for (long i = 0; i < EACH; i++)
            {
                final Tick event = source.claim();
                if (event == null)
                {
                    refused.incrementAndGet();
                }
                else if (i % 7 == 0)
                {
                    event.release();
                    released.incrementAndGet();
                }
                else
                {
                    event.value = i * publishers + publisher;
                    assertTrue(source.publish(event));
                }
            }
        });
        server.close();

        assertEquals((long)publishers * EACH, sorter.count.get() + refused.get() + released.get());
        assertEquals(refused.get(), server.counters().value("orders.rejected"));
        assertEquals(released.get(), server.counters().value("orders.pool.abandoned"));
        assertEquals(sorter.count.get() + released.get(), server.counters().value("orders.published"));
        assertBalance(server, sorter.count.get(), refused.get());
    }

    @Test
    @Tag("slow")
    void shouldContinueAfterAPublisherThatEndedBetweenClaimAndPublish() throws Exception
    {
        final InVmSource<Tick> source = InVmSource.shared(Tick::new, CAPACITY, TIMEOUT_NS);
        final Sorter first = new Sorter(1);
        final Sorter parallel = new Sorter(1);
        final Sorter later = new Sorter(1);
        final Server server = launch(source, BackPressure.BLOCK, first, parallel, later);
        final int dead = 3;
        for (int round = 0; round < dead; round++)
        {
            final Thread thread = new Thread(() -> assertNotNull(source.claim()), "dies");
            thread.start();
            thread.join();
            for (int i = 0; i < 2 * CAPACITY; i++)
            {
                final Tick event = source.claim();
                event.value = (long)round * 2 * CAPACITY + i;
                assertTrue(source.publish(event));
            }
        }
        server.close();

        assertEquals(dead * 2L * CAPACITY, later.count.get());
        assertEquals(dead, server.counters().value("orders.pool.revoked"));
        assertEquals(dead, errors.size());
        assertTrue(errors.get(0).getMessage().contains("flow 'orders' is skipped"), errors.get(0).getMessage());
        assertEquals(List.of((long)dead), server.errors().stream().map(DistinctError::count).toList());
        assertBalance(server, dead * 2L * CAPACITY, 0);
    }

    @Test
    @Tag("slow")
    void shouldRefuseThePublishOfAnEventThatWasSkippedAndKeepTheNextOnesWhole() throws Exception
    {
        for (final BackPressure policy : List.of(BackPressure.FAIL, BackPressure.BLOCK, BackPressure.DROP_NEWEST))
        {
            final InVmSource<Tick> source = InVmSource.shared(Tick::new, 2, TIMEOUT_NS);
            final Sorter sorter = new Sorter(1);
            final Server server = launch(source, policy, sorter);
            final Tick late = source.claim();
            Await.until("skipped", () -> server.counters().value("orders.pool.revoked") == 1);
            for (int i = 0; i < 10; i++)
            {
                Tick event = source.claim();
                while (event == null)
                {
                    Thread.yield();
                    event = source.claim();
                }
                late.value = -1;
                event.value = i;
                late.value = -2;
                assertTrue(source.publish(event));
            }
            final long refused = server.counters().value("orders.rejected");
            assertFalse(source.publish(late));
            late.release();
            assertEquals(refused + 1, server.counters().value("orders.rejected"));
            server.close();
            assertEquals(10, sorter.count.get());
            assertBalance(server, 10, refused + 1);
        }
    }

    @Test
    void shouldCloseAlthoughAnEventIsClaimedAndNeverPublished() throws Exception
    {
        final InVmSource<Tick> source = InVmSource.shared(Tick::new, CAPACITY, 0);
        final Sorter sorter = new Sorter(1);
        final Server server = Server.launch(new Server.Context().errorHandler(errors::add).stallTimeoutNs(0)
            .drainTimeoutNs(TIMEOUT_NS).flow("orders", f -> f.from(source).to("first", sorter)));
        final Tick never = source.claim();
        assertTrue(source.publish(source.claim()));
        server.close();

        assertFalse(source.publish(never));
        assertNull(source.claim());
        never.release();
        assertEquals(0, sorter.count.get());
        assertEquals(1, server.counters().value("orders.undelivered"));
        assertEquals(1, server.counters().value("orders.pool.revoked"));
        assertBalance(server, 0, 2);
    }

    @Test
    void shouldTakeEventsOfManyThreadsInInvokerMode() throws Exception
    {
        final InVmSource<Tick> source = InVmSource.shared(Tick::new, CAPACITY, TIMEOUT_NS);
        final Sorter sorter = new Sorter(2);
        final Server server = Server.launch(new Server.Context().errorHandler(errors::add).stallTimeoutNs(0)
            .threadingMode(ThreadingMode.INVOKER).flow("orders", f -> f.from(source).to("first", sorter)));
        publishFrom(2, publisher ->
        {
            for (long i = 0; i < CAPACITY / 2; i++)
            {
                final Tick event = source.claim();
                event.value = i * 2 + publisher;
                assertTrue(source.publish(event));
            }
        });
        while (sorter.count.get() < CAPACITY)
        {
            server.invoke();
        }
        assertNotNull(source.claim());
        while (server.counters().value("orders.pool.revoked") == 0)
        {
            server.invoke();
        }
        server.close();
        assertBalance(server, CAPACITY, 0);
    }

    private static void assertBalance(final Server server, final long handled, final long rejected)
    {
        assertEquals(handled, server.counters().value("first.handled"));
        assertEquals(rejected, server.counters().value("orders.rejected"));
        assertEquals("", server.pools().describeInFlight());
        assertEquals(0, server.counters().value("orders.pool.doubleReleases"));
    }

    /** Work of one publisher. */
    private interface Publisher
    {
        void run(int publisher);
    }

    private static void publishFrom(final int publishers, final Publisher work) throws Exception
    {
        final List<Thread> threads = new ArrayList<>();
        final List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < publishers; i++)
        {
            final int publisher = i;
            final Thread thread = new Thread(() -> work.run(publisher), "publisher " + i);
            thread.setUncaughtExceptionHandler((ignored, ex) -> thrown.add(ex));
            threads.add(thread);
            thread.start();
        }
        for (final Thread thread : threads)
        {
            Await.ended(thread);
        }
        assertEquals(List.of(), thrown);
    }
}

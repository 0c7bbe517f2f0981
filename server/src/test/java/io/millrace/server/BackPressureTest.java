package io.millrace.server;

import io.millrace.pool.PoolCheck;
import io.millrace.pool.testkit.AllocationWindows;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * P1: a consumer that is too slow: offered = handled + rejected + dropped + displaced, exactly.
 */
class BackPressureTest
{
    private static final int EVENTS = PoolCheck.ENABLED ? 100_000 : 1_000_000;
    private static final int CAPACITY = 64;
    private static final int EVENTS_PER_PAUSE = 256;
    private static final long PAUSE_MS = 5_000;
    /** Enough for the compilers to have seen how the publisher waits. */
    private static final long WARM_UP_PAUSE_MS = 500;
    private static final int MAX_PAUSES = 3;

    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());

    private static final class Way
    {
        final String name;
        final BackPressure policy;
        final Supplier<Pipelines.Spec<Tick>> pipeline;

        Way(final String name, final BackPressure policy, final Supplier<Pipelines.Spec<Tick>> pipeline)
        {
            this.name = name;
            this.policy = policy;
            this.pipeline = pipeline;
        }

        @Override
        public String toString()
        {
            return policy + " through " + name;
        }
    }

    static Stream<Way> ways()
    {
        final List<Way> ways = new ArrayList<>();
        for (final BackPressure policy : List.of(BackPressure.FAIL, BackPressure.DROP_NEWEST, BackPressure.BLOCK))
        {
            ways.add(new Way("ring", policy, Pipelines::ring));
            ways.add(new Way("spsc", policy, () -> Pipelines.spsc(CAPACITY / 2)));
            ways.add(new Way("disruptor", policy, () -> Pipelines.disruptor(CAPACITY / 2)));
            ways.add(new Way("spsc with few events", policy, () -> Pipelines.spsc(CAPACITY * 2)));
        }
        ways.add(new Way("spsc", BackPressure.DROP_OLDEST, () -> Pipelines.spsc(CAPACITY / 2)));
        ways.add(new Way("conflating", BackPressure.CONFLATE, () -> Pipelines.conflating(8, tick -> tick.key)));
        ways.add(new Way("too many keys", BackPressure.CONFLATE, () -> Pipelines.conflating(4, tick -> tick.key)));
        return ways.stream();
    }

    @ParameterizedTest
    @MethodSource("ways")
    void shouldAccountForEachEvent(final Way way)
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, CAPACITY);
        final CountDownLatch full = new CountDownLatch(1);
        final long[] last = {-1};
        final long[] handled = {0};
        final Server server = Server.launch(new Server.Context().name("slow")
            .errorHandler(errors::add).stallTimeoutNs(0)
            .flow("f", f -> f.from(source).through(way.pipeline.get()).onFull(way.policy)
                .to("a", (event, sequence, endOfBatch) ->
                {
                    full.await();
                    assertTrue(event.value > last[0] || way.policy == BackPressure.CONFLATE, "out of order");
                    last[0] = event.value;
                    handled[0]++;
                    if (handled[0] % EVENTS_PER_PAUSE == 0)
                    {
                        Thread.yield();
                    }
                })));
        // No stage takes the first events, so that each kind of refusal takes place.
        final Thread opener = new Thread(() -> openWhenFull(server, full), "opener");
        opener.start();
        final long accepted = publish(source);
        server.close();
        final Counters counters = server.counters();
        final long rejected = counters.value("f.rejected");
        final long dropped = counters.value("f.dropped");
        final long displaced = counters.value("f.displaced");
        final String text = counters.toString();
        assertEquals(handled[0], counters.value("a.handled"), text);
        assertEquals(EVENTS, handled[0] + rejected + dropped + displaced, text);
        assertEquals(EVENTS - rejected, accepted, text);
        assertEquals(0, counters.value("f.undelivered"), text);
        assertEquals(CAPACITY, counters.value("f.pool.available"), text);
        final boolean displaces = way.policy == BackPressure.DROP_OLDEST || way.policy == BackPressure.CONFLATE;
        if (!displaces)
        {
            // Otherwise rare: a shared pool may seem exhausted during a release.
            assertEquals(way.policy == BackPressure.FAIL, rejected > 0, text);
        }
        assertEquals(way.policy == BackPressure.DROP_NEWEST, dropped > 0, text);
        assertEquals(displaces, displaced > 0, text);
        assertEquals(way.policy == BackPressure.BLOCK, counters.value("f.blocked") > 0, text);
        assertEquals(List.of(), errors);
    }

    private static void openWhenFull(final Server server, final CountDownLatch full)
    {
        Await.until("somebody is refused", () ->
        {
            final Counters counters = server.counters();
            return counters.value("f.rejected") + counters.value("f.dropped") + counters.value("f.displaced") +
                counters.value("f.blocked") > 0;
        });
        full.countDown();
    }

    private static long publish(final InVmSource<Tick> source)
    {
        long accepted = 0;
        for (int i = 0; i < EVENTS; i++)
        {
            final Tick event = source.claim();
            if (event != null)
            {
                event.value = i;
                event.key = i & 7;
                if (source.publish(event))
                {
                    accepted++;
                }
                else
                {
                    event.release();
                }
            }
        }
        return accepted;
    }

    /** P2: the publisher waits, allocates nothing in one of the pauses, and nothing is lost or out of order. */
    @ParameterizedTest
    @ValueSource(strings = {"ring", "spsc", "disruptor"})
    @Tag("faults")
    void shouldContinueWhenAConsumerWasPausedForFiveSeconds(final String kind)
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, CAPACITY);
        final long[] last = {-1};
        final long[] resumedNs = {0};
        final Server server = Server.launch(new Server.Context().name("paused").errorHandler(errors::add)
            .stallTimeoutNs(0).flow("f", f -> f.from(source).through(kind.equals("ring") ? Pipelines.ring() :
                kind.equals("spsc") ? Pipelines.spsc(CAPACITY) : Pipelines.disruptor(CAPACITY))
                .onFull(BackPressure.BLOCK).to("a", (event, sequence, endOfBatch) ->
                {
                    assertEquals(last[0] + 1, event.value);
                    last[0] = event.value;
                    if (event.value == EVENTS / 2)
                    {
                        Thread.sleep(WARM_UP_PAUSE_MS);
                    }
                    else if (event.value > 0 && event.value % EVENTS == 0)
                    {
                        Thread.sleep(PAUSE_MS);
                        resumedNs[0] = System.nanoTime();
                    }
                })));
        final long[] published = {0};
        final long[] afterNs = {0};
        final AllocationWindows.Run<RuntimeException> round = () ->
        {
            publish(source, published[0], published[0] + EVENTS);
            published[0] += EVENTS;
            afterNs[0] = System.nanoTime() - resumedNs[0];
        };
        try (server)
        {
            round.run();
            // Checked mode records threads and stacks.
            if (PoolCheck.ENABLED)
            {
                round.run();
            }
            else
            {
                AllocationWindows.assertNothing(EVENTS + " events and a pause", MAX_PAUSES, round);
            }
        }
        assertEquals(List.of(), errors);
        assertEquals(published[0] - 1, last[0]);
        assertEquals(CAPACITY, server.counters().value("f.pool.available"));
        System.out.println(kind + ": " + EVENTS + " events in " + afterNs[0] / 1_000_000 + " ms from the pause's end");
    }

    private static void publish(final InVmSource<Tick> source, final long from, final long to)
    {
        for (long value = from; value < to; value++)
        {
            final Tick event = source.claim();
            event.value = value;
            source.publish(event);
        }
    }

    @Test
    void shouldNotWaitForCapacityThatOnlyItsOwnAgentCanFree()
    {
        final InVmSource<Tick> first = new InVmSource<>(Tick::new, 16);
        final InVmSource<Tick> second = new InVmSource<>(Tick::new, 16);
        final InVmSource<Tick> third = new InVmSource<>(Tick::new, 64);
        final long[] accepted = new long[2];
        final Server server = Server.launch(new Server.Context().name("own").errorHandler(errors::add).stallTimeoutNs(0)
            .threadingMode(ThreadingMode.SHARED)
            .flow("first", f -> f.from(first).onFull(BackPressure.BLOCK).to("a", (event, sequence, end) ->
            {
                accepted[0] = publishMany(second);
                accepted[1] = publishMany(third);
            }))
            .flow("second", f -> f.from(second).onFull(BackPressure.BLOCK).to("b", Tick.ignored()))
            .flow("third", f -> f.from(third).through(Pipelines.spsc(8)).onFull(BackPressure.BLOCK)
                .to("c", Tick.ignored())));
        first.publish(first.claim());
        server.close();
        assertEquals(16, accepted[0]);
        assertEquals(8, accepted[1]);
        assertEquals(16, server.counters().value("b.handled"));
        assertEquals(8, server.counters().value("c.handled"));
        assertEquals(0, server.counters().value("second.blocked"));
        assertEquals(List.of(), errors);
    }

    private static long publishMany(final InVmSource<Tick> source)
    {
        long accepted = 0;
        for (int i = 0; i < 100; i++)
        {
            final Tick event = source.claim();
            if (event == null)
            {
                break;
            }
            if (!source.publish(event))
            {
                event.release();
                break;
            }
            accepted++;
        }
        return accepted;
    }

    @Test
    void shouldNotWaitInAPolledSourceOnTheAgentOfItsStage() throws Exception
    {
        final LoggedSource numbers = new LoggedSource(new ArrayList<>(), 1_000);
        try (Server server = Server.launch(new Server.Context().name("polled")
            .errorHandler(errors::add).stallTimeoutNs(0)
            .threadingMode(ThreadingMode.SHARED)
            .flow("f", f -> f.from(Tick::new, 4, numbers).onFull(BackPressure.BLOCK).to("a", Tick.ignored()))))
        {
            assertTrue(server.awaitExhausted(Await.LONG_NS));
            assertEquals(1_000, server.counters().value("a.handled"));
            assertEquals(0, server.counters().value("f.blocked"));
        }
    }

    @Test
    void shouldRefuseAPublisherThatIsInterruptedWhileItWaits() throws Exception
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 1);
        final CountDownLatch resume = new CountDownLatch(1);
        final AtomicReference<Boolean> flag = new AtomicReference<>();
        final AtomicReference<Tick> claimed = new AtomicReference<>(new Tick());
        final Server server = Server.launch(new Server.Context().name("poked")
            .errorHandler(errors::add).stallTimeoutNs(0)
            .flow("f", f -> f.from(source).onFull(BackPressure.BLOCK)
                .to("a", (event, sequence, end) -> resume.await())));
        final Thread publisher = new Thread(() ->
        {
            source.publish(source.claim());
            claimed.set(source.claim());
            flag.set(Thread.currentThread().isInterrupted());
        }, "publisher");
        publisher.start();
        Await.until("it waits", () -> server.counters().value("f.blocked") == 1);
        publisher.interrupt();
        Await.ended(publisher);
        assertNull(claimed.get());
        assertEquals(true, flag.get(), "the interrupt was lost");
        assertEquals(1, server.counters().value("f.rejected"));
        resume.countDown();
        server.close();
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldReturnAPlaceholderEventUnderDropNewest()
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 2);
        try (Server server = Server.launch(new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .flow("f", f -> f.from(source).onFull(BackPressure.DROP_NEWEST).to("a", Tick.ignored()))))
        {
            for (int i = 0; i < 5; i++)
            {
                final Tick event = source.claim();
                assertNotNull(event);
                assertTrue(source.publish(event));
            }
            assertEquals(3, server.counters().value("f.dropped"));
            assertEquals(2, server.invoke());
        }
    }
}

package io.millrace.server;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Under BLOCK a publisher does not wait for capacity that only it can free; for other capacity it waits.
 */
class BlockItselfTest
{
    private static final int CAPACITY = 8;

    private final InVmSource<Tick> source = new InVmSource<>(Tick::new, CAPACITY);
    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final List<Tick> kept = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch open = new CountDownLatch(1);
    private volatile boolean gated;
    private volatile boolean keeps;
    private Server server;

    private void launch(final Pipelines.Spec<Tick> pipeline)
    {
        server = Server.launch(new Server.Context().errorHandler(errors::add).stallTimeoutNs(0).flow("f",
            f -> f.from(source).through(pipeline).onFull(BackPressure.BLOCK).to("a", (event, sequence, end) ->
            {
                if (gated)
                {
                    open.await();
                }
                if (keeps)
                {
                    event.retain(1);
                    kept.add(event);
                }
            })));
    }

    private static Pipelines.Spec<Tick> pipeline(final String kind)
    {
        return pipeline(kind, CAPACITY);
    }

    private static Pipelines.Spec<Tick> pipeline(final String kind, final int places)
    {
        return switch (kind)
        {
            case "ring" -> Pipelines.ring();
            case "spsc" -> Pipelines.spsc(places);
            case "disruptor" -> Pipelines.disruptor(places);
            default -> Pipelines.direct();
        };
    }

    @AfterEach
    void shouldReportNothing()
    {
        open.countDown();
        server.close();
        assertEquals(List.of(), errors);
        assertEquals(0, server.counters().value("f.undelivered"));
    }

    /** On a separate thread: if it waits for itself, the test fails and does not hang. */
    private void soon(final Runnable call) throws Exception
    {
        final FutureTask<Void> task = new FutureTask<>(() ->
        {
            call.run();
            source.handOver();
        }, null);
        final Thread thread = new Thread(task, "publisher");
        thread.setDaemon(true);
        source.handOver();
        thread.start();
        Await.ended(thread);
        task.get();
    }

    private Tick[] claim(final int count)
    {
        final Tick[] events = new Tick[count];
        for (int i = 0; i < count; i++)
        {
            events[i] = source.claim();
            assertNotNull(events[i]);
        }
        return events;
    }

    private void publish(final Tick... events)
    {
        for (final Tick event : events)
        {
            assertTrue(source.publish(event));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ring", "spsc", "disruptor", "direct"})
    void shouldRefuseOneClaimMoreThanThereAreEvents(final String kind) throws Exception
    {
        launch(pipeline(kind));
        for (int lap = 0; lap < 3; lap++)
        {
            final int rejected = lap + 1;
            soon(() ->
            {
                final Tick[] events = claim(CAPACITY);
                assertNull(source.claim());
                assertEquals(rejected, server.counters().value("f.rejected"));
                publish(events);
                final Tick[] next = claim(CAPACITY);
                publish(next);
            });
        }
    }

    /** The first event that is not free is published; the publisher still has the one behind it. */
    @ParameterizedTest
    @ValueSource(strings = {"ring", "spsc", "disruptor"})
    void shouldRefuseToAwaitAllCapacityBehindAnEventInFlight(final String kind) throws Exception
    {
        gated = true;
        launch(pipeline(kind));
        soon(() ->
        {
            final Tick[] events = claim(2);
            publish(events[0]);
            final Thread opener = new Thread(open::countDown, "opener");
            opener.start();
            assertFalse(source.awaitCapacity(CAPACITY));
            publish(events[1]);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"ring", "spsc", "disruptor", "direct"})
    void shouldRefuseToAwaitMoreCapacityThanIsUnclaimed(final String kind) throws Exception
    {
        launch(pipeline(kind));
        soon(() ->
        {
            final Tick[] events = claim(1);
            assertFalse(source.awaitCapacity(CAPACITY));
            assertTrue(source.awaitCapacity(CAPACITY - 1));
            assertEquals(0, server.counters().value("f.blocked"));
            publish(events);
            assertTrue(source.awaitCapacity(CAPACITY));
        });
        assertEquals(1, server.counters().value("f.rejected"));
    }

    @Test
    void shouldRefuseABatchWhileABatchIsClaimed() throws Exception
    {
        launch(Pipelines.ring());
        soon(() ->
        {
            final long first = source.claim(6);
            assertEquals(-1, source.claim(3));
            final Tick single = source.claim();
            assertEquals(-1, source.claim(2));
            assertTrue(source.publish(first, 6));
            publish(single);
            assertTrue(source.claim(CAPACITY) > first);
            assertNull(source.claim());
            assertTrue(source.publish(first + 7, CAPACITY));
        });
        assertEquals(3, server.counters().value("f.rejected"));
    }

    @Test
    void shouldCountReleasedEventsBehindAnEventInUse() throws Exception
    {
        launch(Pipelines.ring());
        soon(() ->
        {
            final Tick[] events = claim(CAPACITY);
            for (int i = 1; i < CAPACITY; i++)
            {
                events[i].release();
            }
            // These are behind the first one in the ring.
            assertNull(source.claim());
            assertFalse(source.awaitCapacity(1));
            publish(events[0]);
            publish(claim(1));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"ring", "spsc", "disruptor"})
    void shouldWaitForTheStageWithEventsInHand(final String kind) throws Exception
    {
        gated = true;
        // An event is free before its place in the queue is. With more places only the claim waits.
        launch(pipeline(kind, 2 * CAPACITY));
        final Thread opener = new Thread(() ->
        {
            Await.until("somebody waits", () -> server.counters().value("f.blocked") > 0);
            open.countDown();
        });
        opener.start();
        soon(() ->
        {
            publish(claim(2));
            final Tick[] events = claim(CAPACITY - 2);
            final Tick last = source.claim();
            assertNotNull(last);
            publish(events);
            publish(last);
        });
        Await.ended(opener);
        assertEquals(1, server.counters().value("f.blocked"));
        assertEquals(0, server.counters().value("f.rejected"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ring", "spsc", "disruptor", "direct"})
    void shouldWaitForAnEventThatAHandlerRetains(final String kind) throws Exception
    {
        keeps = true;
        launch(pipeline(kind));
        final Thread opener = new Thread(() ->
        {
            Await.until("somebody waits", () -> server.counters().value("f.blocked") > 0);
            keeps = false;
            kept.forEach(Tick::release);
        });
        opener.start();
        soon(() ->
        {
            publish(claim(1));
            Await.until("it is kept", () -> !kept.isEmpty());
            keeps = false;
            final Tick[] events = claim(CAPACITY - 1);
            final Tick[] last = claim(1);
            publish(events);
            publish(last);
        });
        Await.ended(opener);
        assertEquals(0, server.counters().value("f.rejected"));
    }
}

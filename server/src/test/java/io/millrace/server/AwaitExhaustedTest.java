package io.millrace.server;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class AwaitExhaustedTest
{
    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());

    @Test
    void shouldWaitUntilEverythingOfAllFlowsIsHandled() throws Exception
    {
        for (int round = 0; round < 10; round++)
        {
            final InVmSource<Tick> second = new InVmSource<>(Tick::new, 64);
            final AtomicLong sum = new AtomicLong();
            try (Server server = Server.launch(new Server.Context().name("exhausted")
                .errorHandler(errors::add).stallTimeoutNs(0)
                .flow("first", f -> f.from(Tick::new, 64, new LoggedSource(log, 1_000))
                    .to("a", (event, sequence, end) -> Tick.publish(second, event.value)))
                .flow("second", f -> f.from(second).onFull(BackPressure.BLOCK)
                    .to("b", (event, sequence, end) -> sum.addAndGet(event.value)))))
            {
                assertTrue(server.awaitExhausted(Await.LONG_NS));
                assertEquals(499_500, sum.get());
                // The server continues, because it also waits for later events.
                assertEquals(1_000, server.counters().value("b.handled"));
                assertTrue(server.awaitExhausted(Await.LONG_NS));
            }
        }
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldWaitForTheHandlerOfTheLastEventAndForTheCurrentPoll() throws Exception
    {
        final AtomicLong handled = new AtomicLong();
        // Reports that it is exhausted before it offers its last event; DROP_OLDEST passes an event before it is
        // handled.
        final EventSource<Tick> early = new EventSource<>()
        {
            private volatile boolean done;

            @Override
            public int poll(final EventPublication<Tick> out) throws Exception
            {
                if (done)
                {
                    return 0;
                }
                done = true;
                Thread.sleep(10);
                return out.offer(out.claim()) ? 1 : 0;
            }

            @Override
            public boolean isExhausted()
            {
                return done;
            }
        };
        try (Server server = Server.launch(new Server.Context().name("early")
            .errorHandler(errors::add).stallTimeoutNs(0)
            .flow("f", f -> f.from(Tick::new, 16, early).through(Pipelines.spsc(8)).onFull(BackPressure.DROP_OLDEST)
                .to("a", (event, sequence, end) ->
                {
                    Thread.sleep(10);
                    handled.incrementAndGet();
                }))))
        {
            assertTrue(server.awaitExhausted(Await.LONG_NS));
            assertEquals(1, handled.get());
        }
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldReturnFalseAfterTheTimeoutOrAFailureOfAStage() throws Exception
    {
        final CountDownLatch resume = new CountDownLatch(1);
        try (Server server = Server.launch(new Server.Context().name("late").errorHandler(errors::add).stallTimeoutNs(0)
            .onError(ErrorPolicy.STOP_AGENT)
            .flow("f", f -> f.from(Tick::new, 64, new LoggedSource(log, 10)).to("a", (event, sequence, end) ->
            {
                resume.await();
                throw new IllegalStateException("poison");
            }))))
        {
            assertFalse(server.awaitExhausted(1_000_000));
            resume.countDown();
            assertFalse(server.awaitExhausted(Await.LONG_NS), "nine events were never handled");
            Thread.currentThread().interrupt();
            assertThrows(InterruptedException.class, () -> server.awaitExhausted(Await.LONG_NS));
        }
    }

    /** What the source reported to a thread that waits for up to an hour. */
    private static List<Boolean> waiting(final Server server, final Runnable meanwhile) throws InterruptedException
    {
        final List<Boolean> said = Collections.synchronizedList(new ArrayList<>());
        final CountDownLatch waits = new CountDownLatch(1);
        final Thread waiter = new Thread(() ->
        {
            waits.countDown();
            try
            {
                said.add(server.awaitExhausted(TimeUnit.HOURS.toNanos(1)));
            }
            catch (final InterruptedException ex)
            {
                said.add(null);
            }
        });
        waiter.setDaemon(true);
        waiter.start();
        waits.await();
        meanwhile.run();
        Await.ended(waiter);
        return said;
    }

    @Test
    void shouldReturnFalseWhenTheServerClosesBeforeTheSourceIsExhausted() throws Exception
    {
        final AtomicLong polls = new AtomicLong();
        final Server server = Server.launch(new Server.Context().name("endless")
            .errorHandler(errors::add).stallTimeoutNs(0)
            .flow("f", f -> f.from(Tick::new, 64, out ->
            {
                polls.incrementAndGet();
                return 0;
            }).to("a", Tick.IGNORED)));
        Await.until("it is polled", () -> polls.get() > 0);
        assertEquals(List.of(false), waiting(server, server::close));
        assertFalse(server.awaitExhausted(Await.LONG_NS), "it is closed");
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldAnswerWhenTheServerClosesWhileEventsAreHandled() throws Exception
    {
        final CountDownLatch resume = new CountDownLatch(1);
        final AtomicLong started = new AtomicLong();
        final Server server = Server.launch(new Server.Context().name("hanging")
            .errorHandler(errors::add).stallTimeoutNs(0)
            .flow("f", f -> f.from(Tick::new, 64, new LoggedSource(log, 10)).to("a", (event, sequence, end) ->
            {
                started.incrementAndGet();
                resume.await();
            })));
        Await.until("the handler hangs", () -> started.get() > 0);
        final Thread closer = new Thread(server::close);
        // The source is exhausted. The close still handles the events in flight, so the test waits for it.
        assertEquals(1, waiting(server, () ->
        {
            closer.start();
            resume.countDown();
        }).size());
        Await.ended(closer);
        assertEquals(10, server.counters().value("a.handled"));
    }
}

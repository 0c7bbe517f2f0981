package io.millrace.server;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ShutdownTest
{
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());
    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());

    @Test
    void shouldCloseSourcesThenHandlersThenServicesEachOnceInReverse()
    {
        final LoggedSource source = new LoggedSource(log, 1_000);
        final Server server = Server.launch(new Server.Context().name("order")
            .errorHandler(errors::add).stallTimeoutNs(0)
            .service(new LoggedService("s1", log)).service(new LoggedService("s2", log))
            .flow("numbers", f -> f.from(Tick::new, 256, source)
                .to("a", new LoggedHandler("a", log)).to("b", new LoggedHandler("b", log), "a")));
        Await.until("all published", () -> server.counters().value("numbers.published") == 1_000);
        server.close();
        server.close();
        assertEquals(List.of(
            "s1 start main", "s2 start main", "a start order-a", "b start order-b", "source start order-numbers-source",
            "source close order-numbers-source", "b close order-b after 1000", "a close order-a after 1000",
            "s2 close order-close", "s1 close order-close"), named(log));
        assertEquals(List.of(), errors);
        Await.noThreadOf("order");
    }

    /** The thread that launches and closes has a different name in each test runner. */
    private static List<String> named(final List<String> lines)
    {
        final List<String> named = new ArrayList<>();
        lines.forEach(line -> named.add(line.replace(Thread.currentThread().getName(), "main")));
        return named;
    }

    @Test
    void shouldLoseNothingOfTheCurrentPoll()
    {
        for (int i = 0; i < 20; i++)
        {
            final LoggedSource source = new LoggedSource(log, Long.MAX_VALUE);
            final Server server = Server.launch(new Server.Context().name("poll")
                .errorHandler(errors::add).stallTimeoutNs(0)
                .flow("numbers", f -> f.from(Tick::new, 1 << 14, source).to("a", Tick.IGNORED)));
            Await.until("some published", () -> server.counters().value("numbers.published") > 100);
            server.close();
            assertEquals(source.accepted(), server.counters().value("a.handled"));
            assertEquals(0, source.refusedOffers(), "offers refused of events that were claimed");
            assertEquals(0, server.counters().value("numbers.undelivered"));
        }
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldAllowHandlersToPublishToTheNextFlowUntilTheyEnd() throws Exception
    {
        for (int i = 0; i < 10; i++)
        {
            final InVmSource<Tick> first = new InVmSource<>(Tick::new, 1_024);
            final InVmSource<Tick> second = new InVmSource<>(Tick::new, 1_024);
            final AtomicLong sum = new AtomicLong();
            final Server server = Server.launch(new Server.Context().name("chain")
                .errorHandler(errors::add).stallTimeoutNs(0)
                .flow("first", f -> f.from(first).onFull(BackPressure.BLOCK).to("forward", (event, sequence, end) ->
                {
                    final Tick copy = second.claim();
                    copy.value = event.value;
                    second.publish(copy);
                }))
                .flow("second", f -> f.from(second).onFull(BackPressure.BLOCK)
                    .to("sum", (event, sequence, end) -> sum.addAndGet(event.value))));
            final long count = 20_000;
            for (long value = 1; value <= count; value++)
            {
                Tick.publish(first, value);
            }
            server.close();
            assertEquals(count * (count + 1) / 2, sum.get());
            assertEquals(count, server.counters().value("sum.handled"));
            assertEquals(List.of(), errors);
        }
    }

    @Test
    void shouldCloseWhenAHandlerCallsClose() throws Exception
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 64);
        final AtomicReference<Server> self = new AtomicReference<>();
        final LoggedHandler handler = new LoggedHandler("a", log)
        {
            @Override
            public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
            {
                super.onEvent(event, sequence, endOfBatch);
                self.get().close();
            }
        };
        final Server server = Server.launch(new Server.Context().name("own").errorHandler(errors::add).stallTimeoutNs(0)
            .flow("numbers", f -> f.from(source).to("a", handler)));
        self.set(server);
        source.publish(source.claim());
        Await.closed(server);
        assertNull(source.claim());
        assertEquals(List.of("a start own-a", "a close own-a after 1"), log);
        assertEquals(List.of(), errors);
        Await.until("no thread", () -> Await.threadsOf("own").isEmpty());
    }

    @Test
    void shouldTakeBackAnEventThatIsReleasedAfterTheClose()
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
        final Server server = Server.launch(new Server.Context().name("late")
            .errorHandler(errors::add).stallTimeoutNs(0)
            .flow("ticks", f -> f.from(source).to("a", Tick.IGNORED)));
        final Tick event = source.claim();
        server.close();
        assertFalse(source.publish(event));
        event.release();
        // In checked mode the close reported it as in flight, with the name of the thread that acquired it.
        assertEquals(16, server.counters().value("ticks.pool.available"));
    }

    @Test
    void shouldCloseOnceForTwoThreads() throws Exception
    {
        final Server server = Server.launch(new Server.Context().name("twice")
            .errorHandler(errors::add).stallTimeoutNs(0)
            .service(new LoggedService("s", log))
            .flow("numbers", f -> f.from(new InVmSource<>(Tick::new, 64)).to("a", new LoggedHandler("a", log))));
        final Thread other = new Thread(server::close, "other");
        other.start();
        server.close();
        assertTrue(server.awaitClose(1), "close returned before it was closed");
        Await.ended(other);
        assertEquals(4, log.size(), log.toString());
        Await.noThreadOf("twice");
    }

    @Test
    void shouldNotWaitForItselfWhenAClosingPartCallsClose()
    {
        final AtomicReference<Server> self = new AtomicReference<>();
        final Service closes = new LoggedService("s", log)
        {
            @Override
            public void close()
            {
                self.get().close();
                throw new AssertionError("on purpose");
            }
        };
        final Server server = Server.launch(new Server.Context().name("self").service(new LoggedService("first", log))
            .service(closes).stallTimeoutNs(Await.LONG_NS)
            .errorHandler(error ->
            {
                errors.add(error);
                self.get().close();
            })
            .flow("numbers", f -> f.from(new InVmSource<>(Tick::new, 64)).to("a", Tick.IGNORED)));
        self.set(server);
        server.close();
        assertEquals(1, errors.size());
        assertTrue(errors.get(0).getMessage().contains("closing service 's'"), errors.get(0).getMessage());
        assertTrue(log.get(log.size() - 1).startsWith("first close"), log.toString());
    }

    /** As the factory of a pool that the application has shut down. */
    @Test
    void shouldCloseServicesAlthoughNoThreadCanBeCreated()
    {
        final boolean[] refuses = {false};
        final Server server = Server.launch(new Server.Context().name("factory").errorHandler(errors::add)
            .threadFactory(body ->
            {
                if (refuses[0])
                {
                    throw new IllegalStateException("no thread");
                }
                return new Thread(body);
            })
            .service(new LoggedService("s1", log)).service(new LoggedService("s2", log))
            .flow("ticks", f -> f.from(new InVmSource<>(Tick::new, 16)).through(Pipelines.direct())
                .to("a", new LoggedHandler("a", log))));
        log.clear();
        refuses[0] = true;
        server.close();
        final String here = Thread.currentThread().getName();
        assertEquals(List.of("a close " + here + " after 0", "s2 close " + here, "s1 close " + here), log);
        assertEquals(1, errors.size(), errors.toString());
        assertTrue(errors.get(0).getMessage().contains("creating a thread for "), errors.toString());
    }

    @Test
    void shouldReleaseABlockedPublisher() throws Exception
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 8);
        final CountDownLatch resume = new CountDownLatch(1);
        final Server server = Server.launch(new Server.Context().name("blocked")
            .errorHandler(errors::add).stallTimeoutNs(0)
            .flow("numbers", f -> f.from(source).onFull(BackPressure.BLOCK)
                .to("a", (event, sequence, end) -> resume.await())));
        final AtomicLong accepted = new AtomicLong();
        final Thread publisher = new Thread(() -> publishUntilRefused(source, accepted), "publisher");
        publisher.start();
        Await.until("publisher is blocked", () -> server.counters().value("numbers.blocked") > 0);
        final Thread closer = new Thread(server::close, "closer");
        closer.start();
        Await.ended(publisher);
        resume.countDown();
        Await.ended(closer);
        assertEquals(accepted.get(), server.counters().value("a.handled"));
        assertEquals(List.of(), errors);
    }

    @Test
    @Tag("slow")
    void shouldAbandonAHangingHandlerAndReportWhereItHangs() throws Exception
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 64);
        final CountDownLatch resume = new CountDownLatch(1);
        final CountDownLatch there = new CountDownLatch(1);
        final Server server = Server.launch(new Server.Context().name("hanging").errorHandler(errors::add)
            .drainTimeoutNs(TimeUnit.SECONDS.toNanos(2)).stallTimeoutNs(Await.LONG_NS)
            .service(new LoggedService("s", log))
            .flow("other", f -> f.from(new InVmSource<>(Tick::new, 64)).to("b", new LoggedHandler("b", log)))
            .flow("numbers", f -> f.from(source).through(Pipelines.spsc(64)).to("a", (event, sequence, end) ->
            {
                there.countDown();
                resume.await();
            })));
        source.publish(source.claim());
        source.publish(source.claim());
        there.await();
        server.close();
        assertEquals("s close hanging-close", log.get(log.size() - 1));
        assertTrue(log.contains("b close hanging-b after 0"), log.toString());
        Await.threadsOf("hanging", List.of("hanging-a"));
        final Throwable hang =
            errors.stream().filter(each -> each.getMessage().contains("'a' hangs")).findFirst().orElseThrow();
        assertTrue(List.of(hang.getCause().getStackTrace()).stream()
            .anyMatch(line -> line.getClassName().startsWith(ShutdownTest.class.getName())), "no stack of the handler");
        assertEquals(2, server.counters().value("numbers.undelivered"));
        resume.countDown();
        Await.until("the thread ends by itself", () -> Await.threadsOf("hanging").isEmpty());
        assertEquals(0, server.counters().value("numbers.pool.doubleReleases"));
    }

    @Test
    void shouldCloseInOrderAlthoughTheCloserIsInterrupted() throws Exception
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 1_024);
        final CountDownLatch interrupted = new CountDownLatch(1);
        final Server server = Server.launch(new Server.Context().name("interrupted")
            .errorHandler(errors::add).stallTimeoutNs(0)
            .flow("numbers", f -> f.from(source).to("a", (event, sequence, end) ->
            {
                interrupted.await();
                Thread.sleep(1);
            })));
        for (int i = 0; i < 50; i++)
        {
            source.publish(source.claim());
        }
        final AtomicReference<Boolean> flag = new AtomicReference<>();
        final Thread closer = new Thread(() ->
        {
            server.close();
            flag.set(Thread.currentThread().isInterrupted());
        }, "closer");
        closer.start();
        while (closer.isAlive())
        {
            closer.interrupt();
            interrupted.countDown();
            Thread.sleep(1);
        }
        assertEquals(true, flag.get(), "the interrupt was lost");
        assertEquals(50, server.counters().value("a.handled"));
        assertEquals(List.of(), errors);
        Await.noThreadOf("interrupted");
    }

    @Test
    void shouldEndWithoutDrainTimeAndCountUnfinishedEvents() throws Exception
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 1_024);
        final CountDownLatch resume = new CountDownLatch(1);
        final CountDownLatch there = new CountDownLatch(1);
        final Server server = Server.launch(new Server.Context().name("undrained")
            .errorHandler(errors::add).stallTimeoutNs(0)
            .drainTimeoutNs(0)
            .agent("a", a -> a.pollLimit(1))
            .flow("numbers", f -> f.from(source).to("a", (event, sequence, end) ->
            {
                there.countDown();
                resume.await();
                // All of them take ten seconds, in which the close stops the agent.
                Thread.sleep(10);
            })));
        for (int i = 0; i < 1_000; i++)
        {
            assertTrue(source.publish(source.claim()));
        }
        there.await();
        final Thread closer = new Thread(server::close, "closer");
        closer.start();
        Await.until("the source is closed", () -> isClosed(source));
        resume.countDown();
        Await.ended(closer);
        final long handled = server.counters().value("a.handled");
        assertTrue(handled < 1_000, "too slow to be a test: all were handled");
        assertEquals(1_000 - handled, server.counters().value("numbers.undelivered"));
        assertEquals(1_024, server.counters().value("numbers.pool.available"));
        assertFalse(errors.isEmpty(), "nothing was reported");
    }

    private static boolean isClosed(final InVmSource<Tick> source)
    {
        final Tick event = source.claim();
        if (event != null)
        {
            event.release();
        }
        return event == null;
    }

    private static void publishUntilRefused(final InVmSource<Tick> source, final AtomicLong accepted)
    {
        for (Tick event = source.claim(); event != null; event = source.claim())
        {
            if (source.publish(event))
            {
                accepted.incrementAndGet();
            }
            else
            {
                event.release();
            }
        }
    }
}

package io.millrace.server;

import io.millrace.pool.PoolViolationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicReference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * P12: errors that checked mode detects through a server.
 */
@Tag("checked")
class CheckedSourceTest
{
    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());

    @Test
    void shouldReportASecondPublishingThreadWithBothNames() throws Exception
    {
        for (final Pipelines.Spec<Tick> pipeline :
            List.of(Pipelines.<Tick>ring(), Pipelines.<Tick>spsc(16), Pipelines.<Tick>disruptor(16)))
        {
            final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
            try (Server server = Server.launch(new Server.Context().errorHandler(errors::add).stallTimeoutNs(0)
                .flow("f", f -> f.from(source).through(pipeline).to("a", Tick.IGNORED))))
            {
                final Thread first = new Thread(() -> source.publish(source.claim()), "first-publisher");
                first.start();
                Await.ended(first);
                final AtomicReference<Throwable> thrown = new AtomicReference<>();
                final Thread second = new Thread(() -> source.publish(source.claim()), "second-publisher");
                second.setUncaughtExceptionHandler((thread, ex) -> thrown.set(ex));
                second.start();
                Await.ended(second);
                assertTrue(thrown.get() instanceof PoolViolationException, pipeline + ": " + thrown.get());
                assertTrue(thrown.get().getMessage().contains("'first-publisher'"), thrown.get().getMessage());
                assertTrue(thrown.get().getMessage().contains("'second-publisher'"), thrown.get().getMessage());
                assertEquals(1, server.counters().value("f.published"));
            }
        }
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldAllowThreadsToCallAPublishingHandlerOneAfterAnother() throws Exception
    {
        OtherThreadTest.direct();
        OtherThreadTest.invoked(true);
        OtherThreadTest.invoked(false);
    }

    @Test
    void shouldRefuseOneOfTwoThreadsThatClaimFirst() throws Exception
    {
        for (int round = 0; round < 100; round++)
        {
            final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
            final Server server = Server.launch(new Server.Context().errorHandler(errors::add).stallTimeoutNs(0)
                .flow("f", f -> f.from(source).onFull(BackPressure.BLOCK).to("a", Tick.IGNORED)));
            final List<Throwable> reported = Collections.synchronizedList(new ArrayList<>());
            final CyclicBarrier start = new CyclicBarrier(2);
            final List<Thread> publishers = new ArrayList<>();
            for (final String name : List.of("one", "other"))
            {
                final Thread publisher = new Thread(() -> publishFifty(source, start), name);
                publisher.setUncaughtExceptionHandler((thread, ex) -> reported.add(ex));
                publishers.add(publisher);
                publisher.start();
            }
            for (final Thread publisher : publishers)
            {
                Await.ended(publisher);
            }
            server.close();
            assertEquals(1, reported.size(), reported.toString());
            assertTrue(reported.get(0) instanceof PoolViolationException, reported.toString());
            assertEquals(50, server.counters().value("a.handled"));
            assertEquals(16, server.counters().value("f.pool.available"));
        }
        assertEquals(List.of(), errors);
    }

    private static void publishFifty(final InVmSource<Tick> source, final CyclicBarrier start)
    {
        try
        {
            start.await();
        }
        catch (final InterruptedException | BrokenBarrierException ex)
        {
            throw new IllegalStateException(ex);
        }
        for (int i = 0; i < 25; i++)
        {
            source.publish(source.claim());
            source.publish(source.claim(1), 1);
        }
    }

    @Test
    void shouldAllowTheHandOverOfASource() throws Exception
    {
        for (final Pipelines.Spec<Tick> pipeline : List.of(Pipelines.<Tick>ring(), Pipelines.<Tick>spsc(16)))
        {
            final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
            try (Server server = Server.launch(new Server.Context().errorHandler(errors::add).stallTimeoutNs(0)
                .flow("f", f -> f.from(source).through(pipeline).to("a", Tick.IGNORED))))
            {
                source.publish(source.claim());
                source.handOver();
                final Thread second = new Thread(() -> source.publish(source.claim()), "second-publisher");
                second.start();
                Await.ended(second);
                assertEquals(2, server.counters().value("f.published"));
            }
        }
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldStopTheServerWhenAHandlerReleasesItsEvent() throws Exception
    {
        for (final Pipelines.Spec<Tick> pipeline :
            List.of(Pipelines.<Tick>ring(), Pipelines.<Tick>spsc(16), Pipelines.<Tick>disruptor(16)))
        {
            final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
            final Server server = Server.launch(new Server.Context().errorHandler(errors::add).stallTimeoutNs(0)
                .flow("f", f -> f.from(source).through(pipeline).to("a", (event, sequence, end) -> event.release())));
            source.publish(source.claim());
            Await.closed(server);
            assertTrue(server.failure().getCause() instanceof PoolViolationException, server.failure().toString());
        }
    }

    @Test
    void shouldReportEventsNotReleasedBeforeTheEnd()
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
        final List<Tick> kept = new ArrayList<>();
        final Server server = Server.launch(new Server.Context().errorHandler(errors::add).stallTimeoutNs(0)
            .flow("f", f -> f.from(source).through(Pipelines.spsc(16)).to("a", (event, sequence, end) ->
            {
                event.retain(1);
                kept.add(event);
            })));
        source.publish(source.claim());
        server.close();
        assertEquals(1, errors.size(), errors.toString());
        assertTrue(errors.get(0).getMessage().contains("events were not released: 1 of 16 events of pool f"));
        assertTrue(errors.get(0).getMessage().contains(Thread.currentThread().getName()));
        assertEquals(1, kept.size());
    }
}

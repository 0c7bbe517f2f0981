package io.millrace.server;

import io.millrace.server.pipeline.EventHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The server calls a publishing handler from several threads, one after the other: its claims and releases are counted
 * correctly, and no event gets lost.
 */
class OtherThreadTest
{
    private static final int CAPACITY = 16;

    /** Publishes one event at each call and releases a second one. */
    static final class Publisher implements EventHandler<Tick>
    {
        private final InVmSource<Tick> out;

        Publisher(final InVmSource<Tick> out)
        {
            this.out = out;
        }

        @Override
        public void onStart()
        {
            publish();
        }

        @Override
        public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
        {
            publish();
        }

        @Override
        public void onDrained()
        {
            publish();
        }

        private void publish()
        {
            assertTrue(out.publish(out.claim()));
            out.claim().release();
        }
    }

    @Test
    void shouldAllowAHandlerOfADirectFlowToPublishFromAnyThread() throws Exception
    {
        direct();
    }

    static void direct() throws Exception
    {
        final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
        for (final Pipelines.Spec<Tick> pipeline :
            List.of(Pipelines.<Tick>ring(), Pipelines.<Tick>spsc(CAPACITY), Pipelines.<Tick>disruptor(CAPACITY)))
        {
            directTo(
                new InVmSource<>(Tick::new, CAPACITY), new InVmSource<>(Tick::new, CAPACITY), pipeline, errors);
        }
        directTo(InVmSource.shared(Tick::new, CAPACITY), new InVmSource<>(Tick::new, CAPACITY),
            Pipelines.disruptor(CAPACITY), errors);
    }

    private static void directTo(
        final InVmSource<Tick> out,
        final InVmSource<Tick> in,
        final Pipelines.Spec<Tick> pipeline,
        final List<Throwable> errors) throws Exception
    {
        final Server server = Server.launch(new Server.Context().errorHandler(errors::add).stallTimeoutNs(0)
            .flow("in", f -> f.from(in).through(Pipelines.direct()).to("a", new Publisher(out)))
            .flow("out", f -> f.from(out).through(pipeline).to("b", Tick.IGNORED)));
        run(() -> in.publish(in.claim()), "publisher");
        run(server::close, "closer");
        assertNothingIsLost(server, errors, 3);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldAllowAnyThreadToInvokeAHandlerThatPublishes(final boolean drains) throws Exception
    {
        invoked(drains);
    }

    static void invoked(final boolean drains) throws Exception
    {
        final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
        final InVmSource<Tick> in = new InVmSource<>(Tick::new, CAPACITY);
        final InVmSource<Tick> out = new InVmSource<>(Tick::new, CAPACITY);
        final Server server = Server.launch(new Server.Context().errorHandler(errors::add).stallTimeoutNs(0)
            .threadingMode(ThreadingMode.INVOKER)
            .flow("in", f -> f.from(in).to("a", new Publisher(out)))
            .flow("out", f -> f.from(out).to("b", Tick.IGNORED)));
        in.publish(in.claim());
        run(server::invoke, "invoker");
        in.publish(in.claim());
        if (!drains)
        {
            run(server::invoke, "other invoker");
        }
        run(server::close, "closer");
        assertNothingIsLost(server, errors, 4);
    }

    private static void run(final Runnable action, final String name) throws InterruptedException
    {
        final Thread thread = new Thread(action, name);
        thread.start();
        Await.ended(thread);
    }

    private static void assertNothingIsLost(final Server server, final List<Throwable> errors, final int calls)
    {
        assertEquals(List.of(), errors);
        assertEquals(calls, server.counters().value("b.handled"));
        assertEquals(0, server.counters().value("out.undelivered"));
        assertEquals(0, server.counters().value("out.pool.doubleReleases"));
        assertEquals(CAPACITY, server.counters().value("out.pool.available"));
    }
}

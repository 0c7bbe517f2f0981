package io.millrace.server;

import io.millrace.server.pipeline.EventHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A handler that collects events publishes the rest of them when the server closes.
 */
class DrainedHandlerTest
{
    private static final int SIZE = 100;
    private static final int EVENTS = 12_345;

    private final List<String> log = Collections.synchronizedList(new ArrayList<>());
    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final AtomicLong sum = new AtomicLong();

    /** Publishes the sum of each hundred events. */
    private static final class Adder implements EventHandler<Tick>
    {
        private final InVmSource<Tick> out;
        private long sum;
        private int count;

        Adder(final InVmSource<Tick> out)
        {
            this.out = out;
        }

        @Override
        public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
        {
            sum += event.value;
            if (++count == SIZE)
            {
                bringOut();
            }
        }

        @Override
        public void onDrained()
        {
            if (count > 0)
            {
                bringOut();
            }
        }

        private void bringOut()
        {
            Tick.publish(out, sum);
            sum = 0;
            count = 0;
        }
    }

    private static Pipelines.Spec<Tick> pipeline(final String name)
    {
        switch (name)
        {
            case "ring":
                return Pipelines.ring();
            case "spsc":
                return Pipelines.spsc(1_024);
            case "disruptor":
                return Pipelines.disruptor(1_024);
            default:
                return Pipelines.direct();
        }
    }

    @ParameterizedTest
    @CsvSource({"ring, DEDICATED", "ring, SHARED", "ring, INVOKER", "spsc, DEDICATED", "disruptor, DEDICATED",
        "disruptor, INVOKER", "direct, DEDICATED", "direct, INVOKER"})
    void shouldDeliverTheRestDownstream(final String kind, final ThreadingMode mode)
    {
        final LoggedSource source = new LoggedSource(log, EVENTS);
        final InVmSource<Tick> second = new InVmSource<>(Tick::new, 1_024);
        final InVmSource<Tick> third = new InVmSource<>(Tick::new, 1_024);
        final Server server = Server.launch(new Server.Context().name("rest").threadingMode(mode)
            .errorHandler(errors::add).stallTimeoutNs(0)
            .flow("first", f -> f.from(Tick::new, 1_024, source).through(pipeline(kind)).to("add", new Adder(second)))
            .flow("second", f -> f.from(second).to("again", new Adder(third)))
            .flow("third", f -> f.from(third).to("sum", (event, sequence, end) -> sum.addAndGet(event.value))));
        while (mode == ThreadingMode.INVOKER && !source.isExhausted())
        {
            server.invoke();
        }
        Await.until("all is published", source::isExhausted);
        server.close();
        assertEquals(EVENTS * (EVENTS - 1L) / 2, sum.get());
        assertEquals((EVENTS + SIZE - 1) / SIZE, server.counters().value("again.handled"));
        assertEquals(2, server.counters().value("sum.handled"));
        assertEquals(List.of(), errors);
    }

    /** Records that it is drained. */
    private class Noting extends LoggedHandler
    {
        private final String name;

        Noting(final String name)
        {
            super(name, log);
            this.name = name;
        }

        @Override
        public void onDrained()
        {
            log.add(name + " drained " + Thread.currentThread().getName());
        }
    }

    @Test
    void shouldCallTheStagesInOrderOnTheirThreadsBeforeAnyIsClosed()
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
        final InVmSource<Tick> direct = new InVmSource<>(Tick::new, 16);
        final Server server = Server.launch(new Server.Context().name("order")
            .errorHandler(errors::add).stallTimeoutNs(0)
            .agent("x", x -> x.hosts("b", "c"))
            .flow("f", f -> f.from(source).to("a", new Noting("a")).to("b", new Noting("b"), "a")
                .to("c", new Noting("c"), "b"))
            .flow("g", f -> f.from(direct).through(Pipelines.direct()).to("d", new Noting("d"))));
        log.clear();
        server.close();
        assertEquals(List.of("a drained order-a", "b drained order-x", "c drained order-x", "d drained order-close"),
            log.subList(0, 4));
        assertEquals(8, log.size(), log.toString());
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldReportAnExceptionAndCallTheOthers()
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
        final Server server = Server.launch(new Server.Context().name("throws")
            .errorHandler(errors::add).stallTimeoutNs(0)
            .threadingMode(ThreadingMode.SHARED)
            .flow("f", f -> f.from(source).to("a", new LoggedHandler("a", log)
            {
                @Override
                public void onDrained() throws Exception
                {
                    throw new Exception("on purpose");
                }
            }).to("b", new Noting("b"), "a")));
        server.close();
        assertEquals(1, errors.size());
        assertTrue(errors.get(0).getMessage().contains("draining stage 'a'"), errors.get(0).getMessage());
        assertTrue(log.contains("b drained throws-shared"), log.toString());
    }

    @Test
    void shouldNotCallAHandlerThatHasFailed() throws Exception
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
        final Server server = Server.launch(new Server.Context().name("fails")
            .errorHandler(errors::add).stallTimeoutNs(0)
            .flow("f", f -> f.from(source).to("a", new LoggedHandler("a", log)
            {
                @Override
                public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
                {
                    throw new IllegalStateException("poison");
                }

                @Override
                public void onDrained()
                {
                    log.add("a drained");
                }
            }).to("b", new Noting("b"))));
        source.publish(source.claim());
        Await.closed(server);
        assertNotNull(server.failure());
        assertTrue(log.contains("b drained fails-b"), log.toString());
        assertTrue(!log.contains("a drained"), log.toString());
    }

    @Test
    void shouldNotCallAnInlineHandlerThatHasFailed() throws Exception
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
        final Server server = Server.launch(new Server.Context().name("fails")
            .errorHandler(errors::add).stallTimeoutNs(0)
            .flow("f", f -> f.from(source).through(Pipelines.direct()).to("a", new Noting("a")
            {
                @Override
                public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
                {
                    throw new IllegalStateException("poison");
                }
            })));
        source.publish(source.claim());
        Await.closed(server);
        assertTrue(log.stream().noneMatch(line -> line.contains("drained")), log.toString());
    }

    /** A delivery is one event at one end of the pipeline; fused stages are one end. */
    @ParameterizedTest
    @CsvSource({"ring, a b c, 2", "ring, a/b/c, 6", "ring, a b/c, 4", "disruptor, a b c, 2", "disruptor, a/b/c, 6",
        "spsc, a b c, 2"})
    void shouldCountMissingDeliveries(final String kind, final String placement, final long undelivered)
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
        final Server.Context context = new Server.Context().name("count").threadingMode(ThreadingMode.INVOKER)
            .drainTimeoutNs(0).errorHandler(errors::add).stallTimeoutNs(0)
            .flow("f", f -> f.from(source).through(pipeline(kind))
                .to("a", Tick.ignored()).to("b", Tick.ignored()).to("c", Tick.ignored()));
        for (final String agent : placement.split("/"))
        {
            context.agent("on-" + agent.charAt(0), a -> a.hosts(agent.split(" ")));
        }
        final Server server = Server.launch(context);
        source.publish(source.claim());
        source.publish(source.claim());
        server.close();
        assertEquals(undelivered, server.counters().value("f.undelivered"));
        assertEquals(16, server.counters().value("f.pool.available"));
        for (final String stage : List.of("a", "b", "c"))
        {
            assertEquals(0, server.counters().value(stage + ".handled"));
        }
    }
}

package io.millrace.server;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Functions of the application beside its handlers that throw: times of an event, counters. */
class FailingFunctionsTest extends ControlFixture
{
    private static long odd(final Tick event)
    {
        if (event.value % 2 == 1)
        {
            throw new IllegalStateException("no time");
        }
        return event.value;
    }

    private void handled(final int count)
    {
        await("handled", () -> server.counters().value("a.handled") == count);
    }

    private void noTimes(final int count, final String what)
    {
        assertNull(server.failure());
        assertEquals(count, errors.size());
        errors.forEach(error -> assertTrue(error.getMessage().endsWith(what), error.toString()));
        errors.clear();
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldRecordNoLatencyOfAnEventWithoutATime(final ThreadingMode mode)
    {
        final Recorder recorder = new Recorder("a");
        server = Server.launch(context(mode).onError(ErrorPolicy.SKIP_AND_RECORD)
            .flow("f", f -> f.from(source).latency(FailingFunctionsTest::odd).to("a", recorder)));
        publish(0, 10);
        handled(10);
        server.close();
        assertEquals(values(0, 10), recorder.seen);
        assertEquals(5, server.latency("f").takeInterval(null).getTotalCount());
        noTimes(5, "the latency function of flow 'f' failed");
    }

    @Test
    void shouldRecordNoLatencyInADirectFlow()
    {
        final Recorder recorder = new Recorder("a");
        server = Server.launch(context(ThreadingMode.INVOKER).onError(ErrorPolicy.SKIP_AND_RECORD)
            .flow("f", f -> f.from(source).through(Pipelines.direct()).latency(FailingFunctionsTest::odd)
                .to("a", recorder)));
        publish(0, 10);
        assertEquals(values(0, 10), recorder.seen);
        assertEquals(5, server.latency("f").takeInterval(null).getTotalCount());
        noTimes(5, "the latency function of flow 'f' failed");
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldKeepTheClockAtAnEventWithoutATime(final ThreadingMode mode)
    {
        final List<Long> times = new ArrayList<>();
        server = Server.launch(context(mode).onError(ErrorPolicy.SKIP_AND_RECORD)
            .flow("f", f -> f.from(source).eventTime(FailingFunctionsTest::odd).to("a", new StageHandler<>()
            {
                private HandlerContext context;

                @Override
                public void onStart(final HandlerContext newContext)
                {
                    context = newContext;
                }

                @Override
                public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
                {
                    times.add(context.clock().nanoTime());
                }
            })));
        publish(0, 6);
        handled(6);
        server.close();
        assertEquals(List.of(0L, 0L, 2L, 2L, 4L, 4L), times);
        noTimes(3, "the function of the event time failed");
    }

    @ParameterizedTest
    @EnumSource(ErrorPolicy.class)
    void shouldApplyThePolicyOfTheAgent(final ErrorPolicy policy)
    {
        server = Server.launch(context(ThreadingMode.DEDICATED).onError(policy)
            .flow("f", f -> f.from(source).latency(FailingFunctionsTest::odd).to("a", Tick.ignored())));
        publish(1, 1);
        Await.until("reported", () -> !errors.isEmpty());
        if (policy != ErrorPolicy.SKIP_AND_RECORD)
        {
            Await.until("ended", () -> server.agents().get("a") == AgentState.FAILED);
        }
        server.close();
        assertEquals(policy == ErrorPolicy.STOP_SERVER, server.failure() != null);
        failed("the latency function of flow 'f' failed");
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldRecordLatenciesAfterTheLastStageThatIsLeft(final ThreadingMode mode)
    {
        server = Server.launch(context(mode).flow("f", f -> f.from(source).latency(event -> 0)
            .to("a", Tick.ignored()).to("b", Tick.ignored()).to("c", Tick.ignored())));
        long published = 0;
        for (final String last : List.of("c", "b", "a"))
        {
            final long before = published;
            publish(before, 10);
            published += 10;
            for (final String stage : server.control().stages())
            {
                await(stage, () -> server.counters().value(stage + ".handled") >= before + 10);
            }
            if (!last.equals("a"))
            {
                server.control().removeStage(last);
            }
        }
        server.close();
        assertEquals(published, server.latency("f").takeInterval(null).getTotalCount());
    }

    @Test
    void shouldShowTheOtherCountersIfOneThrows()
    {
        launch(ThreadingMode.INVOKER, Tick.ignored());
        final IllegalStateException first = new IllegalStateException("no count");
        final IllegalStateException second = new IllegalStateException("none");
        server.counters().add("own.first", "of the application", () -> thrown(first));
        server.counters().add("own.second", "of the application", () -> thrown(second));
        server.counters().add("own.third", "of the application", () -> 3);
        final List<String> visited = new ArrayList<>();
        assertEquals(first, assertThrows(IllegalStateException.class,
            () -> server.counters().forEach((name, value, description) -> visited.add(name))));
        assertEquals(List.of(second), List.of(first.getSuppressed()));
        assertEquals(server.counters().names().stream()
            .filter(name -> !name.equals("own.first") && !name.equals("own.second")).collect(Collectors.toList()),
            visited);
        assertEquals("own.first ? (java.lang.IllegalStateException: no count)\n" +
            "own.second ? (java.lang.IllegalStateException: none)\nown.third 3",
            server.admin().execute("counters own"));
        assertTrue(server.counters().toString().contains("own.first=? (java.lang.IllegalStateException: no count)"));
    }

    private static long thrown(final RuntimeException cause)
    {
        throw cause;
    }

    @Test
    void shouldNameTheEventThatIsNull()
    {
        final InVmSource<Tick> shared = InVmSource.shared(Tick::new, 16);
        final InVmSource<Tick> direct = new InVmSource<>(Tick::new, 16);
        final InVmSource<Tick> spsc = new InVmSource<>(Tick::new, 16);
        final InVmSource<Tick> disruptor = new InVmSource<>(Tick::new, 16);
        server = Server.launch(context(ThreadingMode.INVOKER)
            .flow("ring", f -> f.from(source).to("a", Tick.ignored()))
            .flow("shared", f -> f.from(shared).to("b", Tick.ignored()))
            .flow("direct", f -> f.from(direct).through(Pipelines.direct()).to("c", Tick.ignored()))
            .flow("spsc", f -> f.from(spsc).through(Pipelines.spsc(16)).to("d", Tick.ignored()))
            .flow("disruptor", f -> f.from(disruptor).through(Pipelines.disruptor(16)).to("e", Tick.ignored())));
        for (final InVmSource<Tick> each : List.of(source, shared, direct, spsc, disruptor))
        {
            assertEquals("event", assertThrows(NullPointerException.class, () -> each.publish(null)).getMessage());
        }
    }

    /** A source whose counters are refused has none, and the next one may have the same. */
    @Test
    void shouldKeepNoCounterOfASourceThatThrows()
    {
        server = Server.launch(context(ThreadingMode.INVOKER)
            .flow("f", f -> f.from(Tick::new, 16, counted(1)).to("a", Tick.ignored())));
        assertEquals(1, server.counters().value("f-source.number"));
        server.control().replaceSource("f", counted(-1));
        assertEquals(List.of("f-source.errors"), server.counters().names().stream()
            .filter(name -> name.startsWith("f-source.")).collect(Collectors.toList()));
        failed("adding the counters of source 'f-source'");
        server.control().replaceSource("f", counted(2));
        assertEquals(2, server.counters().value("f-source.number"));
    }

    private static EventSource<Tick> counted(final long number)
    {
        return new EventSource<>()
        {
            @Override
            public int poll(final EventPublication<Tick> out)
            {
                return 0;
            }

            @Override
            public void addCounters(final Counters counters, final String name)
            {
                counters.add(name + ".number", "of the source", () -> number);
                if (number < 0)
                {
                    throw new IllegalStateException("on purpose");
                }
            }
        };
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldForgetCountersThatAHandlerDoesNotAddAgain(final ThreadingMode mode)
    {
        final int[] starts = new int[1];
        server = Server.create(context(mode).flow("f", f -> f.from(source).to("a", new StageHandler<Tick>()
        {
            @Override
            public void onStart(final HandlerContext context)
            {
                final int start = ++starts[0];
                context.server().counters().add("a.starts", "of the handler", () -> start);
                context.server().counters().add("a.start" + start, "of the handler", () -> 1);
            }

            @Override
            public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
            {
            }
        })));
        server.counters().add("own", "of the application", () -> 1);
        for (int start = 1; start <= 3; start++)
        {
            server.start();
            assertEquals(start, server.counters().value("a.starts"));
            assertEquals(List.of("a.start" + start, "a.starts"), server.counters().names().stream()
                .filter(name -> name.startsWith("a.start")).sorted().collect(Collectors.toList()));
            assertEquals(1, server.counters().value("own"));
            server.stop();
            assertEquals(start, server.counters().value("a.starts"), "read after the stop");
        }
    }

    private static final class Asks implements StageHandler<Tick>
    {
        @Override
        public void onStart(final HandlerContext context)
        {
            context.publication("g", Tick.class);
        }

        @Override
        public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
        {
        }
    }

    private void twoPublishers(final ThreadingMode mode, final InVmSource<Tick> target)
    {
        server = Server.launch(context(mode)
            .flow("f", f -> f.from(new InVmSource<>(Tick::new, 16)).to("a", new Asks()).to("b", new Asks()))
            .flow("g", f -> f.from(target).to("c", Tick.ignored())));
    }

    @Test
    void shouldRefuseTwoAgentsThatPublishToASourceForOneThread()
    {
        final String message = assertThrows(IllegalStateException.class,
            () -> twoPublishers(ThreadingMode.DEDICATED, new InVmSource<>(Tick::new, 16))).getMessage();
        assertTrue(message.contains("flow 'g'") && message.contains("'a'") && message.contains("'b'") &&
            message.contains("InVmSource.shared"), message);
        assertNull(server);
        // A shared source takes both, and one agent is one thread.
        twoPublishers(ThreadingMode.DEDICATED, InVmSource.shared(Tick::new, 16));
        server.close();
        twoPublishers(ThreadingMode.SHARED, new InVmSource<>(Tick::new, 16));
        server.close();
        twoPublishers(ThreadingMode.INVOKER, new InVmSource<>(Tick::new, 16));
    }

    @Test
    void shouldLetAnotherAgentPublishWhenTheFirstHasLeft()
    {
        server = Server.launch(context(ThreadingMode.DEDICATED)
            .flow("f", f -> f.from(source).to("a", Tick.ignored()).to("b", new Asks()))
            .flow("g", f -> f.from(new InVmSource<>(Tick::new, 16)).to("c", Tick.ignored())));
        assertThrows(IllegalArgumentException.class, () -> server.control().replaceHandler("a", new Asks()));
        server.control().replaceHandler("b", new Asks());
        server.control().replaceHandler("b", Tick.ignored());
        server.control().replaceHandler("a", new Asks());
        assertThrows(IllegalArgumentException.class, () -> server.control().addStage("f", "d", "d", new Asks()));
        server.control().removeStage("a");
        server.control().addStage("f", "d", "d", new Asks());
        server.control().addFlow("h", f -> f.from(Tick::new, 16, out -> 0).to("e", Tick.ignored()));
        server.control().removeStage("d");
        server.control().removeFlow("h");
        server.control().addFlow("h", f -> f.from(Tick::new, 16, out -> 0).to("e", new Asks()));
        server.control().removeFlow("h");
        server.control().addStage("f", "d", "d", new Asks());
        assertEquals(List.of("b", "d", "c"), server.control().stages());
    }

    @Test
    void shouldCountTheSumOfAllStarts()
    {
        server = Server.create(context(ThreadingMode.INVOKER).flow("f", f -> f.from(source).to("a", new Counting())));
        for (int start = 1; start <= 3; start++)
        {
            server.start();
            publish(0, 10);
            await("handled", () -> server.counters().value("a.handled") == 10);
            assertEquals(10L * start, server.counters().total("a.handled"));
            assertEquals(10L * start, server.counters().value("a.seen"), "the handler's own count goes on");
            assertEquals(10L * start, server.counters().total("a.seen"));
            assertEquals(64, server.counters().total("f.pool.available"), "a gauge");
            server.stop();
        }
        assertEquals(30, server.counters().total("f.published"));
    }

    private static final class Counting implements StageHandler<Tick>
    {
        private long seen;

        @Override
        public void onStart(final HandlerContext context)
        {
            context.server().counters().tagged().counter("a.seen", "events", "events seen", () -> seen);
        }

        @Override
        public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
        {
            seen++;
        }
    }
}

package io.millrace.server;

import io.millrace.server.pipeline.EventHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * The agents of the stages affect how they are called, never what they see.
 */
class FusingTest
{
    private static final long EVENTS = 5_000;

    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final List<String> calls = new ArrayList<>();

    /** Records each call; completes at the end of a batch or not. */
    private final class Noting implements EventHandler<Tick>
    {
        private final String name;
        private final boolean batchwise;

        Noting(final String name, final boolean batchwise)
        {
            this.name = name;
            this.batchwise = batchwise;
        }

        @Override
        public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
        {
            calls.add(name + event.value + (endOfBatch ? "." : ""));
        }

        @Override
        public boolean completesAtEndOfBatch()
        {
            return batchwise;
        }
    }

    private void assertCalls(final Server.Context context, final InVmSource<Tick> source, final String expected)
    {
        try (Server server = Server.launch(context.threadingMode(ThreadingMode.INVOKER).errorHandler(errors::add)))
        {
            for (int i = 0; i < 3; i++)
            {
                final Tick event = source.claim();
                event.value = i;
                source.publish(event);
            }
            server.invoke();
        }
        assertEquals(expected, String.join(" ", calls));
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldCallFusedStagesEventByEvent()
    {
        for (final Pipelines.Spec<Tick> pipeline :
            List.of(Pipelines.<Tick>ring(), Pipelines.<Tick>spsc(8), Pipelines.<Tick>disruptor(8)))
        {
            calls.clear();
            final InVmSource<Tick> source = new InVmSource<>(Tick::new, 8);
            assertCalls(new Server.Context().flow("f", f -> f.from(source).through(pipeline)
                .to("a", new Noting("a", false)).to("b", new Noting("b", false), "a")
                .to("c", new Noting("c", false)).to("d", new Noting("d", false), "b", "c")), source,
                "a0 b0 c0 d0 a1 b1 c1 d1 a2. b2. c2. d2.");
        }
    }

    @Test
    void shouldCallAStageBehindAJournalBatchByBatch()
    {
        for (final Pipelines.Spec<Tick> pipeline : List.of(Pipelines.<Tick>ring(), Pipelines.<Tick>disruptor(8)))
        {
            calls.clear();
            final InVmSource<Tick> source = new InVmSource<>(Tick::new, 8);
            assertCalls(new Server.Context().flow("f", f -> f.from(source).through(pipeline)
                .to("j", new Noting("j", true)).to("m", new Noting("m", false), "j")
                .to("n", new Noting("n", false), "m")), source,
                "j0 j1 j2. m0 n0 m1 n1 m2. n2.");
        }
    }

    @Test
    void shouldNotFuseAJournalWithStagesThatMayWaitForCapacityInItsBatch()
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 8);
        assertCalls(new Server.Context().flow("f", f -> f.from(source)
            .to("j", new Noting("j", true)).to("a", new Noting("a", false))
            .to("m", new Noting("m", false), "j")), source, "j0 j1 j2. a0 a1 a2. m0 m1 m2.");
    }

    @Test
    void shouldLimitABatchToThePollLimit()
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 8);
        assertCalls(new Server.Context().agent("x", x -> x.hosts("j", "m").pollLimit(2)).flow("f", f -> f.from(source)
            .to("j", new Noting("j", true)).to("m", new Noting("m", false), "j")), source,
            "j0 j1. m0 m1. j2. m2.");
    }

    @ParameterizedTest
    @CsvSource({
        "ring, journal match audit", "ring, journal/match audit", "ring, journal match/audit",
        "ring, journal audit/match", "ring, journal/match/audit",
        "disruptor, journal match audit", "disruptor, journal/match audit", "disruptor, journal match/audit",
        "disruptor, journal audit/match", "disruptor, journal/match/audit"})
    void shouldPassTheSameSequencesToEachStageOnAnyAgent(final String kind, final String placement)
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 256);
        final Map<String, List<Long>> seen = new TreeMap<>();
        final Server.Context context = new Server.Context().name("fan").errorHandler(errors::add)
            .stallTimeoutNs(Await.LONG_NS).flow("f", f -> f.from(source).onFull(BackPressure.BLOCK)
                .through("ring".equals(kind) ? Pipelines.ring() : Pipelines.disruptor(128))
                .to("journal", recording(seen, "journal", true))
                .to("match", recording(seen, "match", false), "journal")
                .to("audit", recording(seen, "audit", false), "journal"));
        final List<String> threads = new ArrayList<>();
        for (final String agent : placement.split("/"))
        {
            final String name = "agent" + threads.size();
            threads.add("fan-" + name);
            context.agent(name, a -> a.hosts(agent.split(" ")));
        }
        threads.addAll(List.of("fan-stall-detector", "fan-stop"));
        final Server server = Server.launch(context);
        Await.threadsOf("fan", threads);
        for (long value = 0; value < EVENTS; value++)
        {
            final Tick event = source.claim();
            event.value = value;
            source.publish(event);
        }
        server.close();
        final List<Long> all = LongStream.range(0, EVENTS).boxed().collect(Collectors.toList());
        assertEquals(Map.of("journal", all, "match", all, "audit", all), seen);
        assertEquals(List.of(), errors);
    }

    private static EventHandler<Tick> recording(
        final Map<String, List<Long>> seen, final String stage, final boolean batchwise)
    {
        final List<Long> sequences = new ArrayList<>();
        seen.put(stage, sequences);
        return new EventHandler<>()
        {
            @Override
            public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
            {
                if (event.value != sequence)
                {
                    throw new AssertionError(event.value + " at " + sequence);
                }
                sequences.add(sequence);
            }

            @Override
            public boolean completesAtEndOfBatch()
            {
                return batchwise;
            }
        };
    }

    @ParameterizedTest
    @CsvSource({"DEDICATED, mode-a mode-b mode-c mode-f-source mode-stall-detector mode-stop",
        "SHARED, mode-shared mode-stall-detector mode-stop", "INVOKER, ''"})
    void shouldRunOnTheThreadsOfTheMode(final ThreadingMode mode, final String threads)
    {
        final LoggedSource source = new LoggedSource(calls, 0);
        try (Server server = Server.launch(new Server.Context().name("mode").threadingMode(mode)
            .flow("f", f -> f.from(Tick::new, 8, source).to("a", Tick.ignored()).to("b", Tick.ignored(), "a"))
            .flow("g", f -> f.from(new InVmSource<>(Tick::new, 8)).to("c", Tick.ignored()))))
        {
            assertEquals(threads, String.join(" ", Await.threadsOf("mode")));
            final List<String> agents = new ArrayList<>(server.placements().keySet());
            assertEquals(
                mode == ThreadingMode.DEDICATED ? List.of("a", "b", "c", "f-source") : List.of("shared"), agents);
        }
        Await.noThreadOf("mode");
    }

    @Test
    void shouldMixDedicatedAgentsWithTheModeOfTheOthers()
    {
        try (Server server = Server.launch(new Server.Context().name("mixed").threadingMode(ThreadingMode.SHARED)
            .agent("x", x -> x.hosts("b", "f-source"))
            .flow("f", f -> f.from(Tick::new, 8, new LoggedSource(calls, 0))
                .to("a", Tick.ignored()).to("b", Tick.ignored()).to("c", Tick.ignored()))))
        {
            assertEquals(List.of("mixed-shared", "mixed-stall-detector", "mixed-stop", "mixed-x"),
                Await.threadsOf("mixed"));
            assertEquals("{shared=not asked for a cpu, x=not asked for a cpu}", server.placements().toString());
        }
    }
}

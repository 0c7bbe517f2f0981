package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.Server.Context;
import io.millrace.server.agent.CpuPlacement;
import io.millrace.server.pipeline.EventGate;
import io.millrace.server.pipeline.EventHandler;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import static io.millrace.server.Pipelines.conflating;
import static io.millrace.server.Pipelines.direct;
import static io.millrace.server.Pipelines.disruptor;
import static io.millrace.server.Pipelines.spsc;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The server refuses impossible settings before anything starts; the message names the value and the allowed range.
 */
class BadInputTest
{
    /** Writes the impossible setting into a context, given a source of 16 events that a later server shall use. */
    private interface Mistake
    {
        Context in(Context context, InVmSource<Tick> source);
    }

    private static final class Case
    {
        final String name;
        final Mistake mistake;
        final List<String> message;

        Case(final String name, final Mistake mistake, final String... message)
        {
            this.name = name;
            this.mistake = mistake;
            this.message = List.of(message);
        }

        @Override
        public String toString()
        {
            return name;
        }
    }

    private final List<String> log = new ArrayList<>();

    @ParameterizedTest
    @MethodSource({"capacities", "names", "flows", "sources", "pressures", "agents", "times", "services"})
    void shouldRefuseBeforeAnythingStarts(final Case refused)
    {
        final InVmSource<Tick> source = new InVmSource<>(Tick::new, 16);
        final IllegalArgumentException ex = assertThrows(IllegalArgumentException.class, () -> Server.launch(
            refused.mistake.in(new Context().name("bad").service(new LoggedService("s", log)), source)));
        for (final String part : refused.message)
        {
            assertTrue(ex.getMessage().contains(part), "'" + part + "' is missing in: " + ex.getMessage());
        }
        assertEquals(List.of(), log, "something started");
        Await.noThreadOf("bad");
        final Context good = new Context().name("good").threadingMode(ThreadingMode.INVOKER);
        try (Server server = Server.launch(good.flow("ticks", f -> f.from(source).to("a", Tick.ignored()))))
        {
            assertTrue(source.publish(source.claim()));
            assertEquals(1, server.invoke());
        }
    }

    static Stream<Case> capacities()
    {
        final String range = "1..67108864";
        return Stream.of(
            new Case("source of 0", source(() -> new InVmSource<>(Tick::new, 0)), "capacity 0", range),
            new Case("source of -8", source(() -> new InVmSource<>(Tick::new, -8)), "capacity -8", range),
            new Case("source of 1,000", source(() -> new InVmSource<>(Tick::new, 1_000)),
                "capacity 1000", "power of two", "512 or 1024"),
            new Case("source too large", source(() -> new InVmSource<>(Tick::new, 1 << 30)), "1073741824", range),
            new Case("shared source of 3", source(() -> InVmSource.shared(Tick::new, 3)), "capacity 3", "2 or 4"),
            new Case("polled flow of 12", (context, source) ->
                context.flow("f", f -> f.from(Tick::new, 12, new LoggedSource(List.of(), 1)).to("a", Tick.ignored())),
                "capacity of flow 'f' 12", "8 or 16"),
            new Case("spsc of 0", through(f -> f.through(spsc(0))), "capacity 0", range),
            new Case("spsc of 100", through(f -> f.through(spsc(100))), "capacity 100", "64 or 128"),
            new Case("disruptor of -1", through(f -> f.through(disruptor(-1))), "capacity -1", range),
            new Case("disruptor of 7", through(f -> f.through(disruptor(7))), "capacity 7", "4 or 8"),
            new Case("conflating of 5", through(f -> f.through(conflating(5, tick -> 1))),
                "maxKeys 5 is not a power of two in 1..33554432: take 4 or 8"),
            new Case("conflating of 0", through(f -> f.through(conflating(0, tick -> 1))),
                "maxKeys 0 is not in 1..33554432"),
            new Case("conflating too large", through(f -> f.through(conflating(1 << 26, tick -> 1))),
                "maxKeys 67108864", "1..33554432"));
    }

    static Stream<Case> names()
    {
        final List<Case> cases = new ArrayList<>();
        for (final String name : new String[]{"../x", "..", ".", "", "a b", "a/b", "x".repeat(33), "ä", "a\n", null})
        {
            final String quoted = "name '" + name + "' is not 1 to 32 of the characters A-Z a-z 0-9 _ . -";
            cases.add(new Case("server '" + name + "'", (context, source) -> context.name(name), "server " + quoted));
            cases.add(new Case("flow '" + name + "'", (context, source) ->
                context.flow(name, f -> f.from(source).to("a", Tick.ignored())), "flow " + quoted));
            cases.add(new Case("stage '" + name + "'", (context, source) ->
                context.flow("f", f -> f.from(source).to(name, Tick.ignored())), "stage " + quoted));
            cases.add(new Case("agent '" + name + "'", (context, source) -> context.agent(name, a ->
            {
            }), "agent " + quoted));
            cases.add(new Case("service '" + name + "'", (context, source) ->
                context.service(new LoggedService(name, List.of())), "service " + quoted));
        }
        return cases.stream();
    }

    static Stream<Case> flows()
    {
        return Stream.of(
            new Case("no flow", (context, source) -> context, "at least one flow"),
            new Case("no stage", (context, source) -> context.flow("f", f -> f.from(source)), "flow 'f' has no stage"),
            new Case("two flows of one name", (context, source) -> context
                .flow("f", f -> f.from(source).to("a", Tick.ignored()))
                .flow("f", f -> f.from(other()).to("b", Tick.ignored())), "two flows have the name 'f'"),
            new Case("two stages of one name", (context, source) -> context
                .flow("f", f -> f.from(source).to("a", Tick.ignored()).to("a", Tick.ignored())),
                "two stages have the name 'a'", "unique in a server"),
            new Case("two stages of one name in two flows", (context, source) -> context
                .flow("f", f -> f.from(source).to("a", Tick.ignored()))
                .flow("g", f -> f.from(other()).to("a", Tick.ignored())), "two stages have the name 'a'"),
            new Case("stage with the name of a source", (context, source) -> context
                .flow("f", f -> f.from(source).to("g-source", Tick.ignored()))
                .flow("g", f -> f.from(Tick::new, 8, new LoggedSource(List.of(), 1)).to("a", Tick.ignored())),
                "'g-source' is taken twice"),
            new Case("stage with the name of the server's counters", through(f -> f.to("server", Tick.ignored())),
                "stage name 'server' of flow 'f' is taken"),
            new Case("after an unknown stage", through(f -> f.to("b", Tick.ignored(), "a", "x")),
                "stage 'b' cannot follow 'x'", "the stages before it in flow 'f' are [a]"),
            new Case("after itself", through(f -> f.to("b", Tick.ignored(), "b")),
                "stage 'b' cannot follow 'b'", "[a]"),
            new Case("after a later stage", through(f -> f.to("b", Tick.ignored(), "c").to("c", Tick.ignored())),
                "stage 'b' cannot follow 'c'", "[a]"),
            new Case("after a stage of another flow", (context, source) -> context
                .flow("f", f -> f.from(source).to("a", Tick.ignored()))
                .flow("g", f -> f.from(other()).to("b", Tick.ignored(), "a")), "stage 'b' cannot follow 'a'", "are []"),
            new Case("two agents on an spsc", through(f -> f.through(spsc(8)).to("b", Tick.ignored())),
                "flow 'f' through SPSC(8)", "a on agent 'a', b on agent 'b'", "place them on one agent",
                "ring or a disruptor"),
            new Case("a batch on an spsc", (context, source) -> context.threadingMode(ThreadingMode.SHARED)
                .flow("f", f -> f.from(source).through(spsc(8)).to("a", new BatchHandler())
                    .to("b", Tick.ignored(), "a")),
                "a on agent 'shared', b on agent 'shared'", "end of a batch", "ring or a disruptor"),
            new Case("a batch alone on an spsc", (context, source) -> context
                .flow("f", f -> f.from(source).through(spsc(8)).to("a", new BatchHandler())),
                "stage 'a' of flow 'f' completes at the end of a batch", "SPSC(8)", "ring or a disruptor"),
            new Case("a gate that nothing follows", (context, source) -> context.flow("f",
                f -> f.from(source).to("a", (EventGate<Tick>)(event, sequence) -> event.value == 0)),
                "stage 'a' of flow 'f' is a gate", "a stage that follows it"),
            new Case("a gate without a queue", (context, source) -> context.flow("f",
                f -> f.from(source).through(Pipelines.direct())
                    .to("a", (EventGate<Tick>)(event, sequence) -> event.value == 0)
                    .to("b", Tick.ignored(), "a")),
                "stage 'a' of flow 'f' is a gate", "a ring or a disruptor"));
    }

    static Stream<Case> sources()
    {
        final LoggedSource polled = new LoggedSource(List.of(), 1);
        return Stream.of(
            new Case("one source in two flows", (context, source) -> context
                .flow("f", f -> f.from(source).to("a", Tick.ignored()))
                .flow("g", f -> f.from(source).to("b", Tick.ignored())), "flows 'f' and 'g' have the same source"),
            new Case("one polled source in two flows", (context, source) -> context
                .flow("f", f -> f.from(Tick::new, 8, polled).to("a", Tick.ignored()))
                .flow("g", f -> f.from(Tick::new, 8, polled).to("b", Tick.ignored())),
                "the source of flow 'f' and the source of flow 'g' have the same object"),
            new Case("source of a running server", (context, source) -> context
                .flow("f", f -> f.from(source).to("a", Tick.ignored()))
                .flow("g", f -> f.from(taken()).to("b", Tick.ignored())),
                "source of flow 'g' belongs to a server already"),
            new Case("shared source through direct", (context, source) -> context.flow("f", f ->
                f.from(InVmSource.shared(Tick::new, 8)).through(Pipelines.direct()).to("a", Tick.ignored())),
                "flow 'f' has a shared source", "through a ring or a disruptor, not through DIRECT"),
            new Case("claim timeout below a millisecond", source(() -> InVmSource.shared(Tick::new, 8, 999_999)),
                "claimTimeoutNs 999999", "1000000..3600000000000"),
            new Case("claim timeout above an hour", source(() -> InVmSource.shared(Tick::new, 8, 3_600_000_000_001L)),
                "claimTimeoutNs 3600000000001", "1000000..3600000000000"),
            new Case("shared source through an spsc", (context, source) -> context.flow("f", f ->
                f.from(InVmSource.shared(Tick::new, 8)).through(spsc(4)).to("a", Tick.ignored())),
                "not through SPSC(4)"),
            new Case("shared source through conflating", (context, source) -> context.flow("f", f ->
                f.from(InVmSource.shared(Tick::new, 8)).through(conflating(4, tick -> 1)).to("a", Tick.ignored())),
                "not through CONFLATING(4)"),
            new Case("factory of null", source(() -> new InVmSource<>(() -> null, 8)),
                "event factory of flow 'f' returned null"),
            new Case("factory that throws", source(() -> new InVmSource<>(() ->
            {
                throw new IllegalStateException("broken");
            }, 8)), "event factory of flow 'f' threw", "broken"),
            new Case("events that are not pooled", BadInputTest::notPooled,
                "flow 'f' carries java.lang.String, which is not pooled", BasePoolAware.class.getName()));
    }

    static Stream<Case> pressures()
    {
        return Stream.of(
            new Case("BLOCK in INVOKER mode", (context, source) -> context.threadingMode(ThreadingMode.INVOKER)
                .flow("f", f -> f.from(source).onFull(BackPressure.BLOCK).to("a", Tick.ignored())),
                "BLOCK of flow 'f' cannot wait in INVOKER mode"),
            new Case("DROP_OLDEST through a ring", through(f -> f.onFull(BackPressure.DROP_OLDEST)),
                "DROP_OLDEST of flow 'f' needs an spsc pipeline, not RING"),
            new Case("DROP_OLDEST through a disruptor",
                through(f -> f.through(disruptor(4)).onFull(BackPressure.DROP_OLDEST)), "not DISRUPTOR(4)"),
            new Case("DROP_OLDEST with too few events",
                through(f -> f.through(spsc(16)).onFull(BackPressure.DROP_OLDEST)),
                "DROP_OLDEST of flow 'f' needs a source of at least 18 events for SPSC(16)", "not 16"),
            new Case("CONFLATE through a ring", through(f -> f.onFull(BackPressure.CONFLATE)),
                "CONFLATE of flow 'f' does not go with RING"),
            new Case("FAIL through conflating",
                through(f -> f.through(conflating(4, tick -> 1)).onFull(BackPressure.FAIL)),
                "FAIL of flow 'f' does not go with CONFLATING(4)", "belong together"),
            new Case("CONFLATE with too few events", through(f -> f.through(conflating(16, tick -> 1))),
                "at least 18 events for CONFLATING(16)", "not 16"));
    }

    static Stream<Case> agents()
    {
        return Stream.of(
            new Case("hosts nothing", through(f -> f, "x", a -> a.hosts(new String[0])),
                "agent 'x' hosts nothing", "[a]"),
            new Case("hosts the unknown", through(f -> f, "x", a -> a.hosts("a", "b")),
                "agent 'x' cannot host 'b'", "are [a]"),
            new Case("has the name of nothing", through(f -> f, "x", a -> a), "agent 'x' cannot host 'x'", "are [a]"),
            new Case("hosts twice", through(f -> f, "x", a -> a.hosts("a", "a")),
                "stage 'a' is placed on agent 'x' and on agent 'x'"),
            new Case("hosts what another hosts", (context, source) -> context
                .agent("x", a -> a.hosts("a")).agent("y", a -> a.hosts("a"))
                .flow("f", f -> f.from(source).to("a", Tick.ignored())),
                "stage 'a' is placed on agent 'x' and on agent 'y'"),
            new Case("hosts an inline stage", through(f -> f.through(direct()), "a", a -> a),
                "agent 'a' cannot host 'a'", "are []"),
            new Case("has the name of a stage that it does not host",
                through(f -> f.to("b", Tick.ignored()), "b", a -> a.hosts("a")),
                "agent 'b' hosts [a] but not 'b'", "another name"),
            new Case("two of one name", (context, source) -> context.agent("x", a -> a.hosts("a"))
                .agent("x", a -> a.hosts("b")), "two agents have the name 'x'"),
            new Case("cpu below 0", through(f -> f, "a", a -> a.cpu(-1)), "cpu -1 of agent 'a'"),
            new Case("cpu that is not there", through(f -> f, "a", a -> a.cpu(4_095)),
                "cpu 4095 of agent 'a' is not one of the allowed " + CpuPlacement.allowedCpus()),
            new Case("cpu without a thread", (context, source) -> context.threadingMode(ThreadingMode.INVOKER)
                .agent("a", a -> a.cpu(0)).flow("f", f -> f.from(source).to("a", Tick.ignored())),
                "agent 'a' asks for cpu 0", "INVOKER"),
            new Case("poll limit 0", through(f -> f, "a", a -> a.pollLimit(0)),
                "pollLimit 0 of agent 'a' is not in 1..65536"),
            new Case("poll limit too large", through(f -> f, "a", a -> a.pollLimit(65_537)),
                "pollLimit 65537", "1..65536"));
    }

    static Stream<Case> times()
    {
        return Stream.of(
            new Case("drain time below 0", (context, source) -> context.drainTimeoutNs(-1),
                "drainTimeoutNs -1 is not in 0..3600000000000"),
            new Case("drain time too long", (context, source) -> context.drainTimeoutNs(3_600_000_000_001L),
                "drainTimeoutNs 3600000000001", "0..3600000000000"),
            new Case("stall time too short", (context, source) -> context.stallTimeoutNs(9_999_999),
                "stallTimeoutNs 9999999 is not in 10000000..3600000000000, nor 0"),
            new Case("stall time below 0", (context, source) -> context.stallTimeoutNs(-1), "stallTimeoutNs -1"));
    }

    static Stream<Case> services()
    {
        return Stream.of(
            new Case("missing", service("nobody"), "stage 'a' asks for the handler service 'nobody', which is missing",
                "the services are [s]"),
            new Case("no handler", service("s"), "stage 'a' asks for the service 's'", "not a HandlerService",
                LoggedService.class.getName()),
            new Case("service name that is none", service("../s"), "service name '../s'"),
            new Case("two of one name", (context, source) -> context.service(new LoggedService("s", List.of())),
                "two services have the name 's'"),
            new Case("two of one name, one of them a handler", through(f -> f.to("b", handles(Tick.class, "s"))),
                "two services have the name 's'"),
            new Case("for events of another type", through(f -> f.to("b", handles(Other.class, "h"))),
                "flow 'f' carries " + Tick.class.getName(), "stage 'b' handles " + Other.class.getName()),
            new Case("for events that are not pooled", through(f -> f.to("b", handles(String.class, "h"))),
                "stage 'b' handles java.lang.String, which is not pooled", BasePoolAware.class.getName()),
            new Case("one handler in two stages", (context, source) ->
            {
                final LoggedHandler handler = new LoggedHandler("h", List.of());
                return context.flow("f", f -> f.from(source).to("a", handler).to("b", handler, "a"));
            }, "stage 'a' and stage 'b' have the same object", LoggedHandler.class.getName()),
            new Case("one handler in two flows", (context, source) ->
            {
                final LoggedHandler handler = new LoggedHandler("h", List.of());
                return context.flow("f", f -> f.from(source).to("a", handler))
                    .flow("g", f -> f.from(other()).through(direct()).to("b", handler));
            }, "stage 'a' and stage 'b' have the same object"),
            new Case("one lambda in two stages", (context, source) -> context.flow("f", f ->
            {
                final Flow<Tick> flow = f.from(source);
                for (final String stage : List.of("a", "b"))
                {
                    flow.to(stage, (event, sequence, endOfBatch) ->
                    {
                    });
                }
                return flow;
            }), "stage 'a' and stage 'b' have the same object", "captures nothing"),
            new Case("one handler service in two stages", (context, source) ->
            {
                final HandlerService<Tick> service = handles(Tick.class, "h");
                return context.flow("f", f -> f.from(source).to("a", service).to("b", service));
            }, "stage 'a' and stage 'b' have the same object"),
            new Case("one handler service in two stages, once by name", (context, source) ->
            {
                final HandlerService<Tick> service = handles(Tick.class, "h");
                return context.service(service).flow("f", f -> f.from(source).to("a", service).toService("b", "h"));
            }, "stage 'a' and stage 'b' have the same object"),
            new Case("one object as source and handler", (context, source) ->
            {
                final Both both = new Both();
                return context.flow("f", f -> f.from(source).to("a", both))
                    .flow("g", f -> f.from(Tick::new, 8, both).to("b", Tick.ignored()));
            }, "stage 'a' and the source of flow 'g' have the same object", Both.class.getName()),
            new Case("for events of no type", through(f -> f.to("b", handles(null, "h"))), "stage 'b' handles null"));
    }

    /** Reads and writes, as a gateway might. */
    private static final class Both implements EventSource<Tick>, EventHandler<Tick>
    {
        @Override
        public int poll(final EventPublication<Tick> out)
        {
            return 0;
        }

        @Override
        public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
        {
        }

        @Override
        public void onStart()
        {
        }

        @Override
        public void onClose()
        {
        }
    }

    private static final class Other extends BasePoolAware
    {
    }

    private static Mistake source(final Supplier<InVmSource<Tick>> wrong)
    {
        return (context, source) -> context.flow("f", f -> f.from(wrong.get()).to("a", Tick.ignored()));
    }

    private static Mistake through(final Function<Flow<Tick>, Flow<Tick>> rest)
    {
        return (context, source) -> context.flow("f", f -> rest.apply(f.from(source).to("a", Tick.ignored())));
    }

    private static Mistake through(
        final Function<Flow<Tick>, Flow<Tick>> rest, final String agent, final Function<AgentSpec, AgentSpec> spec)
    {
        return (context, source) -> context.agent(agent, spec::apply)
            .flow("f", f -> rest.apply(f.from(source).to("a", Tick.ignored())));
    }

    private static Mistake service(final String name)
    {
        return (context, source) -> context.flow("f", f -> f.from(source).toService("a", name));
    }

    private static InVmSource<Tick> other()
    {
        return new InVmSource<>(Tick::new, 8);
    }

    private static InVmSource<Tick> taken()
    {
        final InVmSource<Tick> source = other();
        Server.launch(new Context().name("other").threadingMode(ThreadingMode.INVOKER)
            .flow("f", f -> f.from(source).to("a", Tick.ignored()))).close();
        return source;
    }

    /** With raw types, because no compiler accepts it otherwise. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Context notPooled(final Context context, final InVmSource<Tick> source)
    {
        final Supplier lies = () -> "not pooled";
        return context.flow("f", f -> f.from(new InVmSource<Tick>(lies, 8)).to("a", Tick.ignored()));
    }

    /** A handler service that claims to handle events of a type. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static HandlerService<Tick> handles(final Class type, final String name)
    {
        return new HandlerService<>()
        {
            @Override
            public String name()
            {
                return name;
            }

            @Override
            public Class<Tick> eventType()
            {
                return type;
            }

            @Override
            public void onEvent(final Tick event, final long sequence, final boolean endOfBatch)
            {
            }
        };
    }
}

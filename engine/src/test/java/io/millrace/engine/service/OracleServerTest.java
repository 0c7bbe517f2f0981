package io.millrace.engine.service;

import io.millrace.engine.Execution;
import io.millrace.engine.book.OracleJudge;
import io.millrace.engine.book.OracleStream;
import io.millrace.server.BackPressure;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import io.millrace.testing.Await;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The oracle's streams through whole servers: source, pipeline, agent, executions. The same events in the same order
 * and the same final book, for all threads and pipelines.
 */
@Tag("normal")
class OracleServerTest
{
    private static final int CAPACITY = 1_024;
    private static final Map<String, Supplier<OracleStream>> STREAMS = Map.of("margin_100k", OracleStream::margin100k,
        "exchange_100k", OracleStream::exchange100k, "core_risk_20k", OracleStream::coreRisk20k);
    /** Reading a stream takes longer than matching it. */
    private static final Map<String, OracleStream> READ = new HashMap<>();

    /** A way through a server. */
    private enum Way
    {
        INVOKER_DIRECT(ThreadingMode.INVOKER, CAPACITY),
        SHARED_DIRECT(ThreadingMode.SHARED, CAPACITY),
        DEDICATED_RING(ThreadingMode.DEDICATED, CAPACITY),
        DEDICATED_SPSC(ThreadingMode.DEDICATED, CAPACITY),
        DEDICATED_DISRUPTOR(ThreadingMode.DEDICATED, CAPACITY),
        SMALL_RING(ThreadingMode.DEDICATED, MatchingService.MIN_EXECUTION_CAPACITY),
        SMALL_DISRUPTOR(ThreadingMode.DEDICATED, MatchingService.MIN_EXECUTION_CAPACITY);

        final ThreadingMode mode;
        final int capacity;

        Way(final ThreadingMode mode, final int capacity)
        {
            this.mode = mode;
            this.capacity = capacity;
        }

        Pipelines.Spec<OrderCommand> commands()
        {
            return name().endsWith("SPSC") ? Pipelines.spsc(CAPACITY) :
                name().endsWith("DISRUPTOR") ? Pipelines.disruptor(CAPACITY) : Pipelines.ring();
        }

        Pipelines.Spec<ExecutionEvent> executions()
        {
            return name().endsWith("DIRECT") ? Pipelines.direct() : name().endsWith("SPSC") ? Pipelines.spsc(capacity) :
                name().endsWith("DISRUPTOR") ? Pipelines.disruptor(capacity) : Pipelines.ring();
        }

        BackPressure onFull()
        {
            return mode == ThreadingMode.INVOKER ? BackPressure.FAIL : BackPressure.BLOCK;
        }

        boolean isSmall()
        {
            return name().startsWith("SMALL");
        }
    }

    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final InVmSource<OrderCommand> commands = new InVmSource<>(OrderCommand::new, CAPACITY);
    private OracleStream stream;
    private OracleJudge judge;
    private int done;
    private int executions;

    static Stream<Object[]> ways()
    {
        return Stream.of(Way.values()).flatMap(way -> STREAMS.keySet().stream().sorted()
            .map(name -> new Object[] {way, name}));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void shouldReportTheOraclesEventsInTheirOrder(final Way way, final String name) throws Exception
    {
        stream = READ.computeIfAbsent(name, each -> STREAMS.get(each).get());
        judge = new OracleJudge(stream);
        final InVmSource<ExecutionEvent> out = new InVmSource<>(ExecutionEvent::new, way.capacity);
        final MatchingService service = new MatchingService(stream.symbols(), out);
        final Server[] launched = new Server[1];
        final Server server = Server.launch(new Server.Context().threadingMode(way.mode).errorHandler(errors::add)
            .stallTimeoutNs(0)
            .flow("commands", f -> f.from(commands).through(way.commands()).onFull(way.onFull()).to("match", service))
            .flow("executions", f -> f.from(out).through(way.executions()).onFull(way.onFull())
                .to("judge", (event, sequence, endOfBatch) ->
                {
                    if (sequence == 0 && way.isSmall())
                    {
                        Await.until("the service waits", () -> launched[0] != null &&
                            launched[0].counters().value("executions.blocked") > 0);
                    }
                    hear(event);
                })));
        launched[0] = server;
        for (final OracleStream.Command command : stream.commands())
        {
            publish(server, command);
        }
        while (way.mode == ThreadingMode.INVOKER && server.invoke() > 0)
        {
            Thread.onSpinWait();
        }
        server.close();
        assertEquals(List.of(), errors);
        assertEquals(stream.commands().size(), done, "RESULT events");
        judge.finish(service.engine());
        if (way.isSmall())
        {
            assertTrue(server.counters().value("executions.blocked") > 0, "it waited");
        }
        assertEquals(way.capacity, server.counters().value("executions.pool.available"));
        assertEquals(stream.events().size() + done, server.counters().value("executions.published"));
        assertEquals(judge.trades(), server.counters().value("matching.executions.TRADE"));
        assertEquals(judge.rejects(), server.counters().value("matching.executions.REJECT"));
        assertEquals(judge.reduces(), server.counters().value("matching.executions.REDUCE"));
        assertEquals(0, server.counters().value("matching.executions.lost"));
    }

    private void publish(final Server server, final OracleStream.Command command)
    {
        OrderCommand event = commands.claim();
        while (event == null && server.failure() == null && server.invoke() > 0)
        {
            event = commands.claim();
        }
        if (event == null)
        {
            throw new AssertionError("no command can be claimed: " + errors, server.failure());
        }
        event.set(command.type(), command.orderType(), command.side(), command.symbol(), command.orderId(),
            command.uid(), command.price(), command.size(), command.reservePrice(), command.seq());
        commands.publish(event);
    }

    /** On the thread of the judge's stage. */
    private void hear(final ExecutionEvent event)
    {
        assertEquals(done, event.commandSequence());
        final OracleStream.Command command = stream.commands().get(done);
        assertEquals(command.symbol(), event.symbol());
        if (executions == 0)
        {
            judge.command(done);
        }
        executions++;
        if (event.kind() == ExecutionKind.RESULT)
        {
            judge.result(event.result());
            assertEquals(command.orderId(), event.orderId());
            assertEquals(command.uid(), event.uid());
            assertEquals(executions - 1, event.executionCount());
            done++;
            executions = 0;
        }
        else
        {
            judge.onExecution(new Execution(Execution.Kind.valueOf(ExecutionKind.name(event.kind())), event.reason(),
                event.symbol(), event.orderId(), event.uid(), event.side(), event.isCompleted(), event.makerOrderId(),
                event.makerUid(), event.isMakerCompleted(), event.price(), event.size(), event.bidReservePrice()));
        }
    }
}

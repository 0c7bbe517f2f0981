package io.millrace.engine.service;

import io.millrace.engine.book.CommandResult;
import io.millrace.pool.testkit.AllocationWindows;
import io.millrace.server.BackPressure;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import io.millrace.testing.Await;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * 0 bytes allocated by the publisher, the match agent, the agent of the executions and the stall detector, over more
 * than 1,000,000 commands of every kind and with every result.
 */
@Tag("normal")
class ServiceAllocationTest
{
    private static final int CAPACITY = 1_024;
    private static final int ROUNDS = 16_384;
    private static final int WARM_UP_ROUNDS = 8_192;
    private static final int MAX_WINDOWS = 6;

    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final InVmSource<OrderCommand> commands = new InVmSource<>(OrderCommand::new, CAPACITY);
    private final InVmSource<ExecutionEvent> executions = new InVmSource<>(ExecutionEvent::new, CAPACITY);
    private final MatchingService service = new MatchingService(CommandMix.symbols(), executions);
    private long round;
    private long heard;
    private long sum;

    private void hear(final ExecutionEvent event)
    {
        heard++;
        sum += event.kind() * event.size() + event.price() + event.resultCode() + event.commandSequence();
    }

    private Server launch(final String kind, final ThreadingMode mode)
    {
        final BackPressure onFull = mode == ThreadingMode.INVOKER ? BackPressure.FAIL : BackPressure.BLOCK;
        return Server.launch(new Server.Context().name("allocation-" + kind).threadingMode(mode)
            .errorHandler(errors::add)
            .onStall((agent, stalledNs, stack) ->
            {
                // A busy host may keep an agent off its core for longer.
            })
            .flow("commands", f -> f.from(commands).onFull(onFull).through(Pipelines.ring()).to("match", service))
            .flow("executions", f -> f.from(executions).onFull(onFull).through(
                kind.equals("direct") ? Pipelines.direct() : kind.equals("spsc") ? Pipelines.spsc(CAPACITY) :
                kind.equals("disruptor") ? Pipelines.disruptor(CAPACITY) : Pipelines.ring())
                .to("hear", (event, sequence, endOfBatch) -> hear(event))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "ring", "spsc", "disruptor"})
    void shouldAllocateNothingOnAnyThread(final String kind)
    {
        final ThreadingMode mode = kind.equals("direct") ? ThreadingMode.INVOKER : ThreadingMode.DEDICATED;
        final Server server = launch(kind, mode);
        final List<Thread> threads = Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().startsWith("allocation-" + kind)).collect(Collectors.toList());
        assertEquals(mode == ThreadingMode.INVOKER ? 0 : 4, threads.size(), "two agents, stall detector, stop");
        publish(server, mode, WARM_UP_ROUNDS);
        awaitExecutions(server);
        AllocationWindows.assertNothing(ROUNDS * CommandMix.ROUND + " commands, main and " + threads, MAX_WINDOWS,
            () -> publish(server, mode, ROUNDS), () -> awaitExecutions(server),
            threads.stream().mapToLong(Thread::getId).toArray());
        server.close();
        assertEquals(List.of(), errors);
        assertEquals(heard, server.counters().value("hear.handled"));
        assertEverythingTookPlace(server);
    }

    private void assertEverythingTookPlace(final Server server)
    {
        long executed = 0;
        for (final CommandResult result : CommandResult.values())
        {
            final long count = server.counters().value("matching.commands." + result);
            assertTrue(result.compareTo(CommandResult.BOOK_FULL) > 0 || count >= round, () -> result + ": " + count);
            executed += count;
        }
        assertEquals(round * CommandMix.ROUND, executed);
        for (byte kind = ExecutionKind.TRADE; kind <= ExecutionKind.REDUCE; kind++)
        {
            final String name = ExecutionKind.name(kind);
            assertTrue(server.counters().value("matching.executions." + name) >= round, name);
        }
        CommandMix.symbols().forEach(
            spec -> assertEquals(0, service.engine().book(spec.symbol()).orderCount(), "orders are left"));
        assertTrue(sum != 0, "somebody reads what came");
    }

    private void publish(final Server server, final ThreadingMode mode, final int rounds)
    {
        for (int i = 0; i < rounds; i++)
        {
            for (int step = 0; step < CommandMix.ROUND; step++)
            {
                final OrderCommand command = commands.claim();
                CommandMix.fill(command, round, step);
                commands.publish(command);
            }
            round++;
            if (mode == ThreadingMode.INVOKER)
            {
                server.invoke();
            }
        }
    }

    private void awaitExecutions(final Server server)
    {
        final long given = round * CommandMix.ROUND;
        Await.until("all commands are handled", () -> server.counters().value("match.handled") == given ||
            server.failure() != null);
        Await.until("all executions are heard", () -> server.counters().value("hear.handled") ==
            server.counters().value("executions.published") || server.failure() != null);
    }
}

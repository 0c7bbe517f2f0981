package io.millrace.engine.service;

import io.millrace.engine.EngineContext;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.pool.testkit.AllocationWindows;
import io.millrace.server.BackPressure;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import io.millrace.testing.Await;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * 0 bytes on every thread, in two shards: the commands of {@link CommandMix}.
 */
@Tag("normal")
class ShardAllocationTest
{
    private static final int SHARDS = 2;
    private static final int ROUNDS = 4_096;
    private static final int MAX_WINDOWS = 6;

    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final InVmSource<OrderCommand> commands = new InVmSource<>(OrderCommand::new, CommandMix.ROUND);
    private long given;
    private long round;
    private final AtomicLong answered = new AtomicLong();

    private void hear(final ExecutionEvent event)
    {
        if (event.kind() == ExecutionKind.RESULT)
        {
            answered.incrementAndGet();
        }
    }

    private Server launch(final ShardedMatching sharding, final String name, final ThreadingMode mode)
    {
        final boolean isInline = mode == ThreadingMode.INVOKER;
        sharding.commands(f -> f.from(commands).onFull(isInline ? BackPressure.FAIL : BackPressure.BLOCK))
            .executions((output, flow) -> flow.to("read-" + output, (event, sequence, endOfBatch) ->
                hear(event)));
        return Server.launch((isInline ? sharding.inline() : sharding).addTo(new Server.Context().name(name)
            .threadingMode(mode).errorHandler(errors::add).stallTimeoutNs(0)
            .idle(() -> new BackoffIdleStrategy(10, 20, 1_000, 100_000))));
    }

    @ParameterizedTest
    @EnumSource(value = ThreadingMode.class, names = {"INVOKER", "DEDICATED"})
    void shouldAllocateNothingOnAnyThread(final ThreadingMode mode)
    {
        final ShardedMatching sharding = new ShardedMatching(engine(), SHARDS);
        final String name = "shards-" + mode;
        final Server server = launch(sharding, name, mode);
        final List<Thread> threads = Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().startsWith(name)).collect(Collectors.toList());
        assertEquals(mode == ThreadingMode.INVOKER ? 0 : 5, threads.size(), "stages, readers, stop");
        publish(server, mode);
        awaitAnswers(server);
        AllocationWindows.assertNothing(ROUNDS * CommandMix.ROUND + " commands, main and " + threads, MAX_WINDOWS,
            () -> publish(server, mode), () -> awaitAnswers(server),
            threads.stream().mapToLong(Thread::getId).toArray());
        server.close();
        assertEquals(List.of(), errors);
        sharding.engine(0).verify();
        sharding.engine(1).verify();
        CommandMix.symbols().stream().map(SymbolSpec::symbol).forEach(symbol ->
            assertEquals(0, sharding.engine(symbol % SHARDS).book(symbol).orderCount()));
    }

    private static EngineContext engine()
    {
        final EngineContext engine = new EngineContext();
        CommandMix.symbols().forEach(engine::symbol);
        return engine;
    }

    private void publish(final Server server, final ThreadingMode mode, final OrderCommand command)
    {
        commands.publish(command);
        given++;
        if (mode == ThreadingMode.INVOKER)
        {
            server.invoke();
        }
    }

    private void publish(final Server server, final ThreadingMode mode)
    {
        for (int i = 0; i < ROUNDS; i++)
        {
            for (int step = 0; step < CommandMix.ROUND; step++)
            {
                final OrderCommand command = commands.claim();
                CommandMix.fill(command, round, step);
                publish(server, mode, command);
            }
            round++;
        }
    }

    private void awaitAnswers(final Server server)
    {
        Await.until("all commands are answered", () -> server.failure() != null || given == answered.get());
    }
}

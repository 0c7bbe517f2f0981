package io.millrace.engine.service;

import com.sun.management.ThreadMXBean;
import io.millrace.engine.MatchingEngine;
import io.millrace.server.BackPressure;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * 0 bytes on every thread, in two shards: the commands of {@link RiskMix} with users, of {@link CommandMix} without.
 */
@Tag("normal")
class ShardAllocationTest
{
    private static final int SHARDS = 2;
    /** As in {@link ServiceAllocationTest}. */
    private static final int MAX_WINDOWS = 6;
    private static final ThreadMXBean THREADS = (ThreadMXBean)ManagementFactory.getThreadMXBean();

    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final InVmSource<OrderCommand> commands = new InVmSource<>(OrderCommand::new, RiskMix.ROUND);
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
    @CsvSource({"INVOKER, true, 4096", "INVOKER, false, 4096", "DEDICATED, true, 128", "DEDICATED, false, 4096"})
    void shouldAllocateNothingOnAnyThread(final ThreadingMode mode, final boolean users, final int rounds)
    {
        final ShardedMatching sharding = new ShardedMatching(users ? RiskMix.context() : withoutUsers(), SHARDS);
        final String name = "shards-" + mode + "-" + users;
        final Server server = launch(sharding, name, mode);
        final List<Thread> threads = Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().startsWith(name)).collect(Collectors.toList());
        assertEquals(mode == ThreadingMode.INVOKER ? 0 : users ? 7 : 5, threads.size(), "stages, readers, stop");
        final long[] ids = LongStream.concat(LongStream.of(Thread.currentThread().getId()),
            threads.stream().mapToLong(Thread::getId)).toArray();
        for (int step = 0; users && step < RiskMix.START; step++)
        {
            final OrderCommand command = commands.claim();
            RiskMix.start(command, step);
            publish(server, mode, command);
        }
        final long[] bytes = new long[ids.length];
        pass(server, mode, users, rounds, ids, bytes);
        final List<String> windows = new ArrayList<>();
        do
        {
            pass(server, mode, users, rounds, ids, bytes);
            windows.add(Arrays.toString(bytes));
        }
        while (LongStream.of(bytes).sum() != 0 && windows.size() < MAX_WINDOWS);
        server.close();
        assertArrayEquals(new long[ids.length], bytes,
            "bytes for each " + rounds * RiskMix.ROUND + " commands of main and " + threads + ": " + windows);
        assertEquals(List.of(), errors);
        sharding.engine(0).verify();
        sharding.engine(1).verify();
        assertEquals(0, sharding.engine(RiskMix.SPOT % SHARDS).book(RiskMix.SPOT).orderCount());
        assertEquals(0, sharding.engine(RiskMix.FUTURE % SHARDS).book(RiskMix.FUTURE).orderCount());
    }

    private static MatchingEngine.Context withoutUsers()
    {
        final MatchingEngine.Context engine = new MatchingEngine.Context();
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

    private void pass(
        final Server server,
        final ThreadingMode mode,
        final boolean users,
        final int rounds,
        final long[] ids,
        final long[] bytes)
    {
        for (int i = ids.length - 1; i >= 0; i--)
        {
            bytes[i] = THREADS.getThreadAllocatedBytes(ids[i]);
        }
        for (int i = 0; i < rounds; i++)
        {
            for (int step = 0; step < RiskMix.ROUND; step++)
            {
                final OrderCommand command = commands.claim();
                if (users)
                {
                    RiskMix.fill(command, round, step);
                }
                else
                {
                    CommandMix.fill(command, round, step);
                }
                publish(server, mode, command);
            }
            round++;
        }
        bytes[0] = THREADS.getThreadAllocatedBytes(ids[0]) - bytes[0];
        Await.until("all commands are answered", () -> server.failure() != null || given == answered.get());
        for (int i = 1; i < ids.length; i++)
        {
            bytes[i] = THREADS.getThreadAllocatedBytes(ids[i]) - bytes[i];
        }
    }
}

package io.millrace.engine.service;

import io.millrace.engine.EngineContext;
import io.millrace.server.BackPressure;
import io.millrace.server.Flow;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import io.millrace.testing.Await;
import org.agrona.concurrent.BackoffIdleStrategy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * A stream of commands through a server, whole or in shards, and its output: for each command its result and a hash of
 * its executions. The order counts within a symbol, not between symbols.
 */
final class ShardRun
{
    private static final int CAPACITY = 1_024;
    private static final byte NO_RESULT = -1;

    /** Output of one reader. Its stage's thread; others when the server has closed. */
    private static final class Output
    {
        final byte[] results;
        final int[] executions;
        final long[] hashes;
        private int last = -1;
        private int heard;
        private final Map<Integer, Integer> ofSymbol = new HashMap<>();
        private int answers;

        Output(final int commands)
        {
            results = new byte[commands];
            Arrays.fill(results, NO_RESULT);
            executions = new int[commands];
            hashes = new long[commands];
        }

        void hear(final ExecutionEvent event)
        {
            final int command = (int)event.commandSequence();
            if (command != last)
            {
                assertEquals(true, command > last, "executions in the order of the commands");
                last = command;
                heard = 0;
                ofSymbol.clear();
            }
            if (event.kind() == ExecutionKind.RESULT)
            {
                assertEquals(NO_RESULT, results[command], "one RESULT");
                assertEquals(heard, event.executionCount(), "executions of the command came before its RESULT");
                results[command] = event.resultCode();
                answers++;
            }
            else
            {
                heard++;
                executions[command]++;
            }
            ofSymbol.merge(event.symbol(), 1, Integer::sum);
            hashes[command] += event.kind() == ExecutionKind.RESULT ? event.orderId() ^ event.uid() : hash(event);
        }

        private long hash(final ExecutionEvent event)
        {
            long hash = ofSymbol.get(event.symbol()) * 31L + event.kind();
            final long[] fields = {event.symbol(), event.orderId(), event.uid(), event.side(), event.makerOrderId(),
                event.makerUid(), event.price(), event.size(), event.bidReservePrice(), event.count(),
                event.commandTimeNs(), event.isCompleted() ? 1 : 0, event.isMakerCompleted() ? 1 : 0};
            for (final long field : fields)
            {
                hash = (hash ^ field) * 0x9E3779B97F4A7C15L;
                hash ^= hash >>> 29;
            }
            return hash;
        }
    }

    private final InVmSource<OrderCommand> commands = new InVmSource<>(OrderCommand::new, CAPACITY);
    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final List<Output> outputs = new ArrayList<>();
    private final int count;
    private long stateHash;

    private ShardRun(final int count)
    {
        this.count = count;
    }

    /** All symbols in one service, on the calling thread: the expected answers. */
    static ShardRun whole(
        final EngineContext engine, final int count, final BiConsumer<Integer, OrderCommand> filler)
    {
        final ShardRun run = new ShardRun(count);
        final InVmSource<ExecutionEvent> executions = new InVmSource<>(ExecutionEvent::new, 64);
        final MatchingService service = new MatchingService("matching", engine, executions);
        final Output output = run.output();
        run.pass(ThreadingMode.INVOKER, filler, new Server.Context().threadingMode(ThreadingMode.INVOKER)
            .errorHandler(run.errors::add)
            .flow("commands", f -> f.from(run.commands).to("match", service))
            .flow("executions", f -> f.from(executions).through(Pipelines.direct())
                .to("hear", (event, sequence, endOfBatch) -> output.hear(event))));
        service.engine().verify();
        run.stateHash = service.engine().stateHash();
        return run;
    }

    /** The same in shards; two of them behind a disruptor. */
    static ShardRun sharded(
        final EngineContext engine,
        final int shards,
        final ThreadingMode mode,
        final int count,
        final BiConsumer<Integer, OrderCommand> filler)
    {
        final ShardRun run = new ShardRun(count);
        final BackPressure onFull = mode == ThreadingMode.INVOKER ? BackPressure.FAIL : BackPressure.BLOCK;
        final ShardedMatching sharding = new ShardedMatching(engine, shards)
            .commands(f -> f.from(run.commands).onFull(onFull)
                .through(shards == 2 ? Pipelines.disruptor(CAPACITY) : Pipelines.ring()))
            .executions(run::read);
        final Server.Context context = new Server.Context().threadingMode(mode).errorHandler(run.errors::add)
            .idle(() -> new BackoffIdleStrategy(10, 20, 1_000, 100_000));
        if (mode == ThreadingMode.DEDICATED)
        {
            sharding.addTo(context);
            context.agent("readers", a -> a.hosts(IntStream.range(0, shards)
                .mapToObj(i -> "read-" + i).toArray(String[]::new)));
        }
        else
        {
            sharding.inline().addTo(context);
        }
        run.pass(mode, filler, context);
        for (int shard = 0; shard < shards; shard++)
        {
            sharding.engine(shard).verify();
        }
        run.stateHash = sharding.stateHash();
        return run;
    }

    private Output output()
    {
        outputs.add(new Output(count));
        return outputs.get(outputs.size() - 1);
    }

    private Flow<ExecutionEvent> read(final int number, final Flow<ExecutionEvent> flow)
    {
        final Output output = output();
        return flow.to("read-" + number, (event, sequence, endOfBatch) -> output.hear(event));
    }

    private void pass(
        final ThreadingMode mode, final BiConsumer<Integer, OrderCommand> filler, final Server.Context context)
    {
        final Server server = Server.launch(context.drainTimeoutNs(Await.LONG_NS).stallTimeoutNs(0));
        for (int i = 0; i < count; i++)
        {
            OrderCommand command = commands.claim();
            while (command == null && server.failure() == null && mode == ThreadingMode.INVOKER && server.invoke() > 0)
            {
                command = commands.claim();
            }
            if (command == null)
            {
                throw new AssertionError("no command can be claimed: " + errors, server.failure());
            }
            filler.accept(i, command);
            commands.publish(command);
        }
        // Waits for everything in flight.
        server.close();
        assertEquals(List.of(), errors);
        assertEquals(count, outputs.stream().mapToInt(output -> output.answers).sum(), "one RESULT for each command");
    }

    /** Checks that results, executions and state are those of another run. */
    void assertSameAs(final ShardRun expected, final String what)
    {
        final byte[] results = new byte[count];
        final long[] hashes = new long[count];
        final int[] executions = new int[count];
        final Output whole = expected.outputs.get(0);
        for (int i = 0; i < count; i++)
        {
            for (final Output output : outputs)
            {
                results[i] += output.results[i] == NO_RESULT ? 0 : output.results[i];
                executions[i] += output.executions[i];
                hashes[i] += output.hashes[i];
            }
        }
        assertArrayEquals(whole.results, results, what + ": results");
        assertArrayEquals(whole.executions, executions, what + ": numbers of executions");
        assertArrayEquals(whole.hashes, hashes, what + ": executions");
        assertEquals(expected.stateHash, stateHash, what + ": hash of the state");
    }

    /** How many commands were answered with a result. */
    long count(final int result)
    {
        return outputs.stream().flatMapToInt(output ->
            IntStream.range(0, count).map(i -> output.results[i])).filter(each -> each == result).count();
    }
}

package io.millrace.engine.service;

import io.millrace.engine.EngineContext;
import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.server.BackPressure;
import io.millrace.server.ErrorPolicy;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.testing.Await;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import static io.millrace.engine.book.Side.ASK;
import static io.millrace.engine.book.Side.BID;
import static io.millrace.engine.service.PoisonedMarketData.LATE_POISON;
import static io.millrace.engine.service.PoisonedMarketData.POISON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Failures of two shards on dedicated threads: reported, and never a hang. */
@Tag("normal")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ShardFailureTest
{
    private static final int EVEN = 8;
    private static final int ODD = 7;
    private static final long SELLER = 10;
    private static final long BUYER = 11;

    private final InVmSource<OrderCommand> commands = new InVmSource<>(OrderCommand::new, 256);
    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final List<Throwable> dead = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger answered = new AtomicInteger();
    private final CountDownLatch mayRead = new CountDownLatch(1);
    private ShardedMatching sharding;

    private Server.Context context()
    {
        mayRead.countDown();
        return blockedContext(BackPressure.BLOCK, 1_024);
    }

    /** The readers wait until they may read. */
    private Server.Context blockedContext(final BackPressure onFull, final int capacity)
    {
        sharding = new ShardedMatching(new EngineContext().symbol(SymbolSpec.future(EVEN))
            .symbol(SymbolSpec.future(ODD)).marketData(symbol -> new PoisonedMarketData()), 2)
            .executionCapacity(capacity).commands(f -> f.from(commands).onFull(BackPressure.BLOCK))
            .executions((shard, flow) -> flow.onFull(onFull).to("read-" + shard, (event, sequence, endOfBatch) ->
            {
                mayRead.await();
                answered.addAndGet(event.kind() == ExecutionKind.RESULT ? 1 : 0);
            }));
        return sharding.addTo(new Server.Context().errorHandler(errors::add).stallTimeoutNs(0)
            .deadLetters((stage, sequence, event, cause) -> dead.add(cause))
            .idle(() -> new BackoffIdleStrategy(10, 20, 1_000, 100_000)));
    }

    private void publish(final OrderCommand command)
    {
        assertTrue(commands.publish(command));
    }

    @Test
    void shouldExecuteNothingInAShardThatFailedInATick()
    {
        final Server server = Server.launch(context().onError(ErrorPolicy.SKIP_AND_RECORD));
        publish(commands.claim().goodTillDate(ODD, LATE_POISON, SELLER, ASK, 100, 1, 50).timestampNs(10));
        publish(commands.claim().tick(50));
        publish(commands.claim().limit(ODD, 1, SELLER, ASK, 100, 1));
        publish(commands.claim().limit(EVEN, 1, SELLER, ASK, 100, 1));
        server.close();
        assertEquals(2, dead.size(), dead::toString);
        assertEquals("late poison", dead.get(0).getMessage());
        assertTrue(dead.get(1).getMessage().contains("command 2 was not executed"), dead.get(1).getMessage());
        assertEquals(1, sharding.engine(0).book(EVEN).orderCount(), "the other shard shares nothing with it");
    }

    @Test
    void shouldStopTheServerByDefaultWhenAShardFails() throws InterruptedException
    {
        final Server server = Server.launch(context());
        publish(commands.claim().limit(ODD, POISON, SELLER, ASK, 100, 1));
        assertTrue(server.awaitClose(Await.LONG_NS));
        assertTrue(server.failure().getMessage().contains("stage 'matching-1' failed on event 0"));
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 128})
    void shouldNotExecuteACommandWithoutCapacityForItsExecutions(final int capacity)
    {
        final Server server = Server.launch(
            blockedContext(BackPressure.FAIL, capacity).onError(ErrorPolicy.SKIP_AND_RECORD));
        final int orders = 200;
        for (int i = 0; i < orders; i++)
        {
            publish(commands.claim().limit(ODD, i, SELLER, ASK, 100, 1));
        }
        Await.until("all commands are handled", () -> server.counters().value("matching-1.handled") >= orders);
        mayRead.countDown();
        server.close();
        assertEquals(List.of(), errors);
        assertTrue(dead.size() > 0 && dead.stream().allMatch(
            ex -> ex instanceof ExecutionCapacityException && !((ExecutionCapacityException)ex).isExecuted()),
            dead::toString);
        final MatchingEngine engine = sharding.engine(1);
        assertEquals(orders - dead.size(), engine.book(ODD).orderCount());
        assertEquals(orders - dead.size(), answered.get());
        engine.verify();
        assertEquals(dead.size(), server.counters().value("matching-1.commands.insufficientCapacity"));
    }

    @Test
    void shouldLoseNothingWhenItIsClosedInTheMiddle()
    {
        final Server server = Server.launch(context().drainTimeoutNs(Await.LONG_NS));
        for (int i = 0; i < 500; i++)
        {
            final int symbol = i % 3 == 0 ? EVEN : ODD;
            publish(i % 2 == 0 ? commands.claim().limit(symbol, i, SELLER, ASK, 100, 1) :
                commands.claim().limit(symbol, i, BUYER, BID, 100, 1));
        }
        server.close();
        assertEquals(List.of(), errors);
        assertEquals(500, answered.get(), "each command is answered");
        sharding.engine(0).verify();
        sharding.engine(1).verify();
    }

    /** Events are left, an agent is suspended, or the last command finds the flow of its executions closed. */
    private static boolean isOfACloseWithoutDrainTime(final Throwable error)
    {
        final String message = error.getMessage();
        return message.matches("server 'shards': (flow '.*' closed with \\d+ deliveries missing|" +
            "agent '.*' hangs and is left behind)") ||
            message.matches("server 'shards': stage 'matching-1' failed on event \\d+") &&
            error.getCause() instanceof ExecutionCapacityException;
    }

    /** Without drain time a close waits 100 ms for an agent: one that a busy machine stopped for longer ends later. */
    @Test
    void shouldNotHangWithoutDrainTime()
    {
        final Server server = Server.launch(context().name("shards").drainTimeoutNs(0));
        for (int i = 0; i < 200; i++)
        {
            publish(commands.claim().limit(ODD, i, SELLER, ASK, 100, 1));
        }
        server.close();
        Await.until("all agents have ended", () -> Thread.getAllStackTraces().keySet().stream()
            .noneMatch(thread -> thread.getName().startsWith("shards-")));
        assertEquals(List.of(), dead);
        assertTrue(errors.stream().allMatch(ShardFailureTest::isOfACloseWithoutDrainTime), errors::toString);
        assertTrue(server.failure() == null || errors.contains(server.failure()), () -> "" + server.failure());
    }
}

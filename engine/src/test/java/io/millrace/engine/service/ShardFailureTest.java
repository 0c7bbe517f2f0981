package io.millrace.engine.service;

import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.engine.risk.SymbolTerms;
import io.millrace.server.BackPressure;
import io.millrace.server.ErrorPolicy;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import static io.millrace.engine.book.Side.ASK;
import static io.millrace.engine.book.Side.BID;
import static io.millrace.engine.service.PoisonedMarketData.LATE_POISON;
import static io.millrace.engine.service.PoisonedMarketData.POISON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What goes wrong with a risk stage and two shards on threads of their own: loud, and never a hang. */
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
    private final TreeSet<Long> answered = new TreeSet<>();
    private final CountDownLatch mayRead = new CountDownLatch(1);
    private ShardedMatching sharding;

    private static MatchingEngine.Context engine()
    {
        return new MatchingEngine.Context().risk(new RiskLimits().withUsers(8))
            .symbol(SymbolSpec.spot(EVEN), SymbolTerms.spot(1, 2, 1, 1))
            .symbol(SymbolSpec.spot(ODD), SymbolTerms.spot(1, 2, 1, 1)).marketData(symbol -> new PoisonedMarketData());
    }

    private Server.Context context()
    {
        return context(BackPressure.BLOCK, 1_024);
    }

    private Server.Context context(final BackPressure onFull, final int capacity)
    {
        mayRead.countDown();
        return blockedContext(onFull, capacity);
    }

    private Server.Context blockedContext(final BackPressure onFull, final int capacity)
    {
        sharding = new ShardedMatching(engine(), 2).executionCapacity(capacity)
            .commands(f -> f.from(commands).onFull(BackPressure.BLOCK))
            .executions((output, flow) -> flow.onFull(onFull).to("read-" + output, (event, sequence, endOfBatch) ->
            {
                mayRead.await();
                synchronized (answered)
                {
                    answered.add(event.commandSequence());
                }
            }));
        return sharding.addTo(new Server.Context().errorHandler(errors::add).stallTimeoutNs(0)
            .deadLetters((stage, sequence, event, cause) -> dead.add(cause))
            .idle(() -> new BackoffIdleStrategy(10, 20, 1_000, 100_000)));
    }

    private void ignore(final ExecutionEvent event, final long sequence, final boolean endOfBatch)
    {
    }

    private void users()
    {
        publish(commands.claim().addUser(SELLER));
        publish(commands.claim().addUser(BUYER));
        publish(commands.claim().adjustBalance(SELLER, 1, 1_000_000, 1));
        publish(commands.claim().adjustBalance(BUYER, 2, 1_000_000, 1));
    }

    private void publish(final OrderCommand command)
    {
        assertTrue(commands.publish(command));
    }

    private static void await(final Server server, final String stage, final long handled)
    {
        Await.until(stage + " has handled " + handled, () -> server.counters().value(stage + ".handled") >= handled);
    }

    @ParameterizedTest
    @EnumSource(value = ThreadingMode.class, names = {"SHARED", "DEDICATED"})
    void shouldRefuseAtTheStartARiskStageThatWouldWaitForItself(final ThreadingMode mode)
    {
        final Server.Context context = context().threadingMode(mode);
        if (mode == ThreadingMode.DEDICATED)
        {
            context.agent("both", a -> a.hosts("matching-risk", "matching-1"));
        }
        final IllegalStateException refused =
            assertThrows(IllegalStateException.class, () -> Server.launch(context).close());
        assertTrue(refused.getMessage().contains(" on the agent of the risk stage"), refused.getMessage());
        assertTrue(refused.getMessage().contains("inline()"), refused.getMessage());
    }

    /** Whichever of the two the context names first. */
    @ParameterizedTest
    @ValueSource(strings = {"matching-risk,read-1", "read-0,read-2,matching-risk"})
    void shouldRefuseAtTheStartAReaderThatWouldWaitForTheRiskStage(final String hosts)
    {
        final Server.Context context = context().agent("both", a -> a.hosts(hosts.split(",")));
        final IllegalStateException refused =
            assertThrows(IllegalStateException.class, () -> Server.launch(context).close());
        assertTrue(refused.getMessage().contains("are read on the agent of the risk stage"), refused.getMessage());
    }

    /** A shard that waits for the reader of market data, which waits for the shard. */
    @Test
    void shouldRefuseAtTheStartAReaderOfMarketDataThatWouldWaitForTheRiskStage()
    {
        final InVmSource<MarketDataEvent> changes = new InVmSource<>(MarketDataEvent::new, 16);
        sharding = new ShardedMatching(engine().marketData(new MarketDataPublisher(changes)), 2).marketData(changes)
            .commands(f -> f.from(commands).onFull(BackPressure.BLOCK))
            .executions((output, flow) -> flow.to("read-" + output, this::ignore));
        final Server.Context context = sharding.addTo(new Server.Context().errorHandler(errors::add))
            .flow("changes", f -> f.from(changes).onFull(BackPressure.BLOCK).to("follow", (event, sequence, end) ->
            {
            })).agent("both", a -> a.hosts("matching-risk", "follow"));
        final IllegalStateException refused =
            assertThrows(IllegalStateException.class, () -> Server.launch(context).close());
        assertTrue(refused.getMessage().contains("what shard 'matching-0' publishes is read on the agent"),
            refused.getMessage());
    }

    @Test
    void shouldLetTheReaderOfItsOwnExecutionsBeOnTheAgentOfTheRiskStage()
    {
        final Server server = Server.launch(context().agent("both", a -> a.hosts("matching-risk", "read-2")));
        users();
        publish(commands.claim().limit(ODD, 1, SELLER, ASK, 100, 1));
        server.close();
        assertEquals(List.of(), errors);
        assertEquals(5, answered.size());
    }

    @ParameterizedTest
    @EnumSource(ErrorPolicy.class)
    void shouldCarryNothingOutWhenAShardFailedInTheMiddleOfACommand(final ErrorPolicy policy)
    {
        final Server server = Server.launch(context().onError(ErrorPolicy.SKIP_AND_RECORD)
            .agent("matching-1", a -> a.onError(policy)));
        users();
        publish(commands.claim().limit(ODD, 1, SELLER, ASK, 100, 1));
        publish(commands.claim().limit(ODD, POISON, SELLER, ASK, 100, 1));
        await(server, "matching-1", 2);
        for (int i = 0; i < 5 && policy != ErrorPolicy.STOP_SERVER; i++)
        {
            publish(commands.claim().limit(EVEN, i, SELLER, ASK, 100, 1));
        }
        if (policy != ErrorPolicy.STOP_SERVER)
        {
            await(server, "matching-risk", 11);
        }
        server.close();
        assertEquals(0, server.counters().value("matching-0.handled"), "also the other shard");
        final String text = (policy == ErrorPolicy.SKIP_AND_RECORD ? dead.get(0) : errors.get(0)).toString() +
            (policy == ErrorPolicy.SKIP_AND_RECORD ? "" : errors.get(0).getCause());
        assertTrue(text.contains("poison"), text);
        if (policy == ErrorPolicy.STOP_SERVER)
        {
            assertNotNull(server.failure());
        }
        else
        {
            final Throwable last = dead.get(dead.size() - 1);
            assertTrue(last.getMessage().contains("failed with the engine in its hands"), last.getMessage());
            assertEquals(5, dead.stream().filter(ex -> ex.getMessage().contains("in its hands")).count());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCarryNothingOutWhenTheRiskStageFailedInTheMiddleOfACommand(final boolean isTick)
    {
        final Server server = Server.launch(context().onError(ErrorPolicy.SKIP_AND_RECORD));
        users();
        publish(commands.claim().goodTillDate(ODD, LATE_POISON, SELLER, ASK, 100, 1, 50).timestampNs(10));
        publish(isTick ? commands.claim().tick(50) :
            commands.claim().limit(ODD, 1, SELLER, ASK, 100, 1).timestampNs(50));
        publish(commands.claim().limit(EVEN, 1, SELLER, ASK, 100, 1));
        publish(commands.claim().addUser(12));
        server.close();
        assertEquals(List.of("late poison", "in its hands", "in its hands"), dead.stream().map(Throwable::getMessage)
            .map(text -> text.contains("in its hands") ? "in its hands" : text).toList());
        assertEquals(0, sharding.engine(0).book(EVEN).orderCount());
    }

    @Test
    void shouldCarryNothingOutInAShardWithoutUsersThatFailedInATick()
    {
        sharding = new ShardedMatching(new MatchingEngine.Context().symbol(SymbolSpec.future(EVEN))
            .symbol(SymbolSpec.future(ODD)).marketData(symbol -> new PoisonedMarketData()), 2)
            .commands(f -> f.from(commands).onFull(BackPressure.BLOCK))
            .executions((output, flow) -> flow.to("read-" + output, this::ignore));
        final Server server = Server.launch(sharding.addTo(new Server.Context().errorHandler(errors::add)
            .stallTimeoutNs(0).onError(ErrorPolicy.SKIP_AND_RECORD)
            .deadLetters((stage, sequence, event, cause) -> dead.add(cause))
            .idle(() -> new BackoffIdleStrategy(10, 20, 1_000, 100_000))));
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
        users();
        publish(commands.claim().limit(ODD, POISON, SELLER, ASK, 100, 1));
        assertTrue(server.awaitClose(Await.LONG_NS));
        assertTrue(server.failure().getMessage().contains("stage 'matching-1' failed on event 0"));
    }

    /** A shard whose agent ends after it gave the engine back has left all as it should be. */
    @Test
    void shouldGoOnWithTheOtherShardWhenOneHasEnded()
    {
        sharding = new ShardedMatching(engine(), 2)
            .commands(f -> f.from(commands).onFull(BackPressure.BLOCK))
            .executions((output, flow) -> flow.through(Pipelines.direct()).to("read-" + output, (event, s, end) ->
            {
                if (output == 1 && event.kind() == ExecutionKind.TRADE)
                {
                    throw new IllegalStateException("the reader is ill");
                }
                answered.add(event.commandSequence());
            }));
        final Server server = Server.launch(sharding.addTo(new Server.Context().errorHandler(errors::add)
            .deadLetters((stage, sequence, event, cause) -> dead.add(cause)).stallTimeoutNs(0)
            .onError(ErrorPolicy.STOP_AGENT).idle(() -> new BackoffIdleStrategy(10, 20, 1_000, 100_000))
            .agent("matching-risk", a -> a.onError(ErrorPolicy.SKIP_AND_RECORD))));
        users();
        publish(commands.claim().limit(ODD, 1, SELLER, ASK, 100, 2));
        // The reader's flow takes nothing after the trade, so the shard has no room for the RESULT.
        publish(commands.claim().limit(ODD, 5, BUYER, BID, 100, 1));
        Await.until("the shard has ended", () -> Thread.getAllStackTraces().keySet().stream()
            .noneMatch(thread -> thread.getName().equals("millrace-matching-1")));
        publish(commands.claim().limit(EVEN, 1, SELLER, ASK, 100, 1));
        publish(commands.claim().limit(ODD, 2, SELLER, ASK, 100, 1));
        publish(commands.claim().limit(EVEN, 2, SELLER, ASK, 100, 1));
        server.close();
        assertEquals(1, dead.size(), dead::toString);
        assertEquals("command 7 was not executed, no state has changed: shard 'matching-1' has ended",
            dead.get(0).getMessage());
        assertEquals(2, sharding.engine(0).book(EVEN).orderCount());
        assertEquals(1, sharding.engine(0).book(ODD).orderCount(), "the rest of the one that traded");
        sharding.engine(0).verify();
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 128})
    void shouldHoldNothingForACommandThatFoundNoRoom(final int capacity)
    {
        final Server server = Server.launch(
            blockedContext(BackPressure.FAIL, capacity).onError(ErrorPolicy.SKIP_AND_RECORD));
        users();
        final int orders = 200;
        for (int i = 0; i < orders; i++)
        {
            publish(commands.claim().limit(ODD, i, SELLER, ASK, 100, 1));
        }
        await(server, "matching-risk", 4 + orders);
        mayRead.countDown();
        server.close();
        assertEquals(List.of(), errors);
        assertTrue(dead.size() > 0 && dead.stream().allMatch(
            ex -> ex instanceof ExecutionCapacityException && !((ExecutionCapacityException)ex).isExecuted()),
            dead::toString);
        final MatchingEngine engine = sharding.engine(1);
        assertEquals(orders - dead.size(), engine.book(ODD).orderCount());
        assertEquals(4 + orders - dead.size(), answered.size());
        engine.verify();
        assertEquals(dead.size(), server.counters().value("matching-1.commands.noRoom"));
    }

    @Test
    void shouldLoseNothingWhenItIsClosedInTheMiddle()
    {
        final Server server = Server.launch(context().drainTimeoutNs(Await.LONG_NS));
        users();
        for (int i = 0; i < 500; i++)
        {
            final int symbol = i % 3 == 0 ? EVEN : ODD;
            publish(i % 2 == 0 ? commands.claim().limit(symbol, i, SELLER, ASK, 100, 1) :
                commands.claim().limit(symbol, i, BUYER, BID, 100, 1));
        }
        server.close();
        assertEquals(List.of(), errors);
        assertEquals(504, answered.size(), "each command is answered");
        sharding.engine(0).verify();
    }

    @Test
    void shouldNotHangWhenThereIsNoTimeToDrain()
    {
        final Server server = Server.launch(context().drainTimeoutNs(0));
        users();
        for (int i = 0; i < 200; i++)
        {
            publish(commands.claim().limit(ODD, i, SELLER, ASK, 100, 1));
        }
        server.close();
        assertTrue(errors.stream().noneMatch(ex -> ("" + ex.getMessage()).contains("hangs")), errors::toString);
    }

    @Test
    void shouldPublishMarketDataOfAllShardsInOneFlow()
    {
        final InVmSource<MarketDataEvent> changes = new InVmSource<>(MarketDataEvent::new, 1_024);
        final MarketDataPublisher feed = new MarketDataPublisher(changes);
        final List<Long> sequences = new ArrayList<>();
        mayRead.countDown();
        sharding = new ShardedMatching(engine().marketData(feed), 2).marketData(changes)
            .commands(f -> f.from(commands).onFull(BackPressure.BLOCK))
            .executions((output, flow) -> flow.through(Pipelines.ring()).to("read-" + output, this::ignore));
        final Server server = Server.launch(sharding.addTo(new Server.Context().errorHandler(errors::add)
            .stallTimeoutNs(0).service(feed).idle(() -> new BackoffIdleStrategy(10, 20, 1_000, 100_000)))
            .flow("changes", f -> f.from(changes).onFull(BackPressure.BLOCK).to("follow", (event, sequence, end) ->
            {
                if (event.kind() == MarketDataKind.ORDER_ADDED && event.symbol() == ODD)
                {
                    sequences.add(event.orderId());
                }
            })));
        users();
        final List<Long> expected = new ArrayList<>();
        for (long i = 0; i < 300; i++)
        {
            // Every third expires when the next command of its symbol comes, on the risk stage's thread.
            publish(commands.claim().goodTillDate(i % 2 == 0 ? EVEN : ODD, i, SELLER, ASK, 100, 1, i + 2)
                .timestampNs(i + 1));
            if (i % 2 == 1)
            {
                expected.add(i);
            }
        }
        server.close();
        assertEquals(List.of(), errors);
        assertNull(server.failure());
        assertEquals(expected, sequences);
        assertEquals(0, server.counters().value("market-data.lost"));
        sharding.engine(0).verify();
    }
}

package io.millrace.engine.service;

import io.millrace.engine.EngineContext;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.RiskLimits;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

import static io.millrace.engine.book.Side.ASK;
import static io.millrace.engine.book.Side.BID;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The shard that answers each command, on one thread. Each line starts with the number of the shard. */
class ShardAnswersTest
{
    private static final int SHARDS = 2;
    private static final int EVEN = 8;
    private static final int ODD = 7;
    private static final int NEGATIVE = -3;

    private final List<String> heard = new ArrayList<>();
    private final List<Throwable> errors = new ArrayList<>();
    private final InVmSource<OrderCommand> commands = new InVmSource<>(OrderCommand::new, 64);
    private ShardedMatching sharding;
    private Server server;

    private static EngineContext engine()
    {
        final EngineContext engine = new EngineContext();
        for (final int symbol : new int[] {EVEN, ODD, NEGATIVE})
        {
            engine.symbol(SymbolSpec.spot(symbol).withOrderCapacity(64).withWindowTicks(64));
        }
        return engine;
    }

    private void launch()
    {
        sharding = new ShardedMatching(engine(), SHARDS).inline().allowReset()
            .commands(f -> f.from(commands))
            .executions((shard, flow) -> flow.to("hear-" + shard, (event, sequence, endOfBatch) ->
                heard.add(shard + ": " + event.symbol() + " " + ExecutionText.of(event).split(" ", 2)[1])));
        server = Server.launch(sharding.addTo(
            new Server.Context().threadingMode(ThreadingMode.INVOKER).errorHandler(errors::add)));
    }

    @AfterEach
    void close()
    {
        if (server != null)
        {
            server.close();
        }
        assertEquals(List.of(), errors);
    }

    private List<String> give(final UnaryOperator<OrderCommand> filler)
    {
        heard.clear();
        commands.publish(filler.apply(commands.claim()));
        server.invoke();
        return List.copyOf(heard);
    }

    private void answersOfSymbols()
    {
        assertEquals(List.of("0: 8 RESULT 1/10 SUCCESS 0"), give(c -> c.limit(EVEN, 1, 10, ASK, 100, 5)));
        assertEquals(List.of("1: 7 RESULT 1/10 SUCCESS 0"), give(c -> c.limit(ODD, 1, 10, ASK, 100, 5)));
        assertEquals(List.of("1: -3 RESULT 1/10 SUCCESS 0"), give(c -> c.limit(NEGATIVE, 1, 10, ASK, 100, 5)));
        assertEquals(List.of("1: 7 TRADE 5@100 BID 2/11+ of 1/10+ reserve 100", "1: 7 RESULT 2/11 SUCCESS 1"),
            give(c -> c.limit(ODD, 2, 11, BID, 100, 5)));
        assertEquals(List.of("1: 7 RESULT 9/11 UNKNOWN_ORDER 0"), give(c -> c.cancel(ODD, 9, 11)));
        assertEquals(List.of("1: 9 RESULT 1/10 UNKNOWN_SYMBOL 0"), give(c -> c.cancel(9, 1, 10)));
        assertEquals(List.of("0: 10 RESULT 1/10 UNKNOWN_SYMBOL 0"), give(c -> c.cancel(10, 1, 10)));
        assertEquals(List.of("1: 7 RESULT 0/0 SUCCESS 0"), give(c -> c.haltSymbol(ODD)));
        assertEquals(List.of("1: 7 RESULT 3/11 SYMBOL_HALTED 0"), give(c -> c.limit(ODD, 3, 11, BID, 100, 5)));
        assertEquals(List.of("1: 7 RESULT 0/0 SUCCESS 0"), give(c -> c.resumeSymbol(ODD)));
        assertEquals(List.of("1: 7 RESULT 0/0 SUCCESS 0"), give(c -> c.removeSymbol(ODD)));
        assertEquals(List.of("1: 7 RESULT 0/0 UNKNOWN_SYMBOL 0"), give(c -> c.removeSymbol(ODD)));
        assertEquals(List.of("0: 8 LEVEL ASK 5@100 of 1 orders", "0: 8 RESULT 0/0 SUCCESS 1"),
            give(c -> c.orderBook(EVEN, -1)));
    }

    @Test
    void shouldAnswerFromTheShardOfTheSymbolOrFromTheFirst()
    {
        launch();
        answersOfSymbols();
        assertEquals(List.of("1: 7 RESULT 0/0 SUCCESS 0"), give(c -> c.addSymbol(SymbolSpec.spot(ODD), null)));
        assertEquals(List.of("1: 7 RESULT 1/10 SUCCESS 0"), give(c -> c.limit(ODD, 1, 10, BID, 100, 5)));
        assertEquals(List.of("0: 0 RESULT 0/5 NO_RISK 0"), give(c -> c.addUser(5)));
        assertEquals(List.of("0: 3 RESULT 1/5 NO_RISK 0"), give(c -> c.adjustBalance(5, 3, 1, 1)));
        assertEquals(List.of("0: 0 RESULT 0/0 SUCCESS 0"), give(OrderCommand::nop));
        assertEquals(List.of("0: 3 RESULT 0/0 UNKNOWN_COMMAND 0"),
            give(c -> c.set((byte)99, (byte)0, BID, 3, 0, 0, 0, 0, 0, 0)));
    }

    private void expire()
    {
        for (final int symbol : new int[] {EVEN, ODD, NEGATIVE})
        {
            give(c -> c.goodTillDate(symbol, 4, 10, ASK, 110, 1, 50));
        }
        final List<String> tick = give(c -> c.tick(50));
        assertEquals(List.of("0: 8 REDUCE 1@110 ASK 4/10+ reserve 0"),
            tick.stream().filter(line -> line.startsWith("0:") && line.contains("REDUCE")).toList());
        assertEquals(List.of("1: -3 REDUCE 1@110 ASK 4/10+ reserve 0", "1: 7 REDUCE 1@110 ASK 4/10+ reserve 0"),
            tick.stream().filter(line -> line.startsWith("1:")).toList(), "in the order of the symbols, unanswered");
        assertEquals(4, tick.size(), tick::toString);
    }

    @Test
    void shouldExpireInAllShardsAtATickAndAnswerOnce()
    {
        launch();
        expire();
        assertTrue(give(c -> c.tick(60)).contains("0: 0 RESULT 0/0 SUCCESS 0"));
        assertEquals(List.of("0: 0 RESULT 0/0 WRONG_TIME 0"), give(c -> c.tick(0)));
    }

    @Test
    void shouldReportTheHashInPartsThatAddUp()
    {
        launch();
        answersOfSymbols();
        final long whole = sharding.stateHash();
        final List<String> answers = give(OrderCommand::stateHash);
        assertEquals(4, answers.size(), "a row and a RESULT from each");
        final long sum = answers.stream().filter(line -> line.contains("HASH"))
            .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1))).sum();
        assertEquals(whole, sum);
        assertTrue(answers.containsAll(List.of("0: 0 RESULT 0/0 SUCCESS 1", "1: 0 RESULT 0/0 SUCCESS 1")));
    }

    @Test
    void shouldResetAllShards()
    {
        launch();
        final long empty = sharding.stateHash();
        give(c -> c.limit(EVEN, 1, 10, BID, 0, 5));
        give(c -> c.limit(ODD, 1, 10, BID, 0, 5));
        assertTrue(sharding.stateHash() != empty);
        assertEquals(List.of("0: 0 RESULT 0/0 SUCCESS 0"), give(OrderCommand::reset));
        assertEquals(empty, sharding.stateHash());
        assertThrows(IllegalStateException.class, () -> sharding.addTo(new Server.Context()), "once");
    }

    @Test
    void shouldRefuseAnEngineWithUsers()
    {
        final ShardedMatching withUsers = new ShardedMatching(engine().risk(new RiskLimits().withUsers(8)), SHARDS)
            .commands(f -> f.from(commands)).executions((shard, flow) -> flow);
        final Server.Context context = new Server.Context();
        assertEquals("sharding 'matching' has an engine with users: shards would share their money. " +
            "Use one MatchingService for all symbols, or leave out EngineContext.risk",
            assertThrows(IllegalArgumentException.class, () -> withUsers.addTo(context)).getMessage());
    }

    @Test
    void shouldRefuseIncompleteOrOutOfRangeSettings()
    {
        assertThrows(IllegalArgumentException.class, () -> new ShardedMatching(engine(), 0));
        assertThrows(IllegalArgumentException.class, () -> new ShardedMatching(engine(), 65));
        final ShardedMatching empty = new ShardedMatching(engine(), 1);
        assertEquals("sharding 'matching' has no commands", assertThrows(
            IllegalStateException.class, () -> empty.addTo(new Server.Context())).getMessage());
        empty.commands(f -> f.from(commands));
        assertEquals("sharding 'matching' has no executions", assertThrows(
            IllegalStateException.class, () -> empty.addTo(new Server.Context())).getMessage());
        assertThrows(IllegalStateException.class, empty::stateHash);
        assertThrows(IllegalArgumentException.class, () -> engine().risk(new RiskLimits()).shard(0, 2));
        assertThrows(IllegalArgumentException.class, () -> engine().shard(2, 2));
    }
}

package io.millrace.engine.service;

import io.millrace.engine.EngineContext;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OracleStream;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.function.BiConsumer;

import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * For any number of shards and threads: the same results, executions of each symbol and state, and a RESULT for each
 * command.
 */
@Tag("normal")
class ShardedMatchingTest
{
    private static final int MAX_SHARDS = 3;

    private static BiConsumer<Integer, OrderCommand> random(final long seed)
    {
        final ShardCommands random = new ShardCommands(seed);
        return (i, command) -> random.fill(command);
    }

    private static void compareRandom(final ThreadingMode mode, final long seed, final int count)
    {
        final ShardRun whole = ShardRun.whole(ShardCommands.engine(), count, random(seed));
        for (int shards = 1; shards <= MAX_SHARDS; shards++)
        {
            ShardRun.sharded(ShardCommands.engine(), shards, mode, count, random(seed)).assertSameAs(
                whole, "seed " + seed + ", " + shards + " shards, " + mode);
        }
        assertTrue(whole.count(CommandResult.SUCCESS.code()) > count / 4, "many commands do something");
        for (final CommandResult result : List.of(CommandResult.UNKNOWN_SYMBOL, CommandResult.NO_RISK,
            CommandResult.WOULD_TRADE, CommandResult.SYMBOL_HALTED, CommandResult.SYMBOL_EXISTS,
            CommandResult.UNKNOWN_COMMAND))
        {
            assertTrue(whole.count(result.code()) > 0, () -> "seed " + seed + ": no " + result);
        }
    }

    @Test
    void shouldAnswerTheSameOnOneThread()
    {
        compareRandom(ThreadingMode.INVOKER, 1, 100_000);
    }

    @Test
    void shouldAnswerTheSameOnASharedAgent()
    {
        compareRandom(ThreadingMode.SHARED, 2, 20_000);
    }

    @Test
    void shouldAnswerTheSameOnDedicatedThreads()
    {
        compareRandom(ThreadingMode.DEDICATED, 3, 100_000);
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    @Tag("faults")
    void shouldAnswerTheSameOverAMillionCommands(final ThreadingMode mode)
    {
        for (int seed = 10; seed < 20; seed++)
        {
            compareRandom(mode, seed, 100_000);
        }
    }

    private static void compareOracle(
        final EngineContext engine,
        final int count,
        final ThreadingMode mode,
        final BiConsumer<Integer, OrderCommand> filler)
    {
        final ShardRun whole = ShardRun.whole(engine, count, filler);
        for (int shards = mode == ThreadingMode.DEDICATED ? MAX_SHARDS : 1; shards <= MAX_SHARDS; shards++)
        {
            ShardRun.sharded(engine, shards, mode, count, filler).assertSameAs(whole, shards + " shards, " + mode);
        }
    }

    private static void compareOracle(final OracleStream stream, final ThreadingMode mode)
    {
        final EngineContext engine = new EngineContext();
        stream.symbols().forEach(engine::symbol);
        compareOracle(engine, stream.commands().size(), mode, (i, command) ->
        {
            final OracleStream.Command row = stream.commands().get(i);
            command.set(row.type(), row.orderType(), row.side(), row.symbol(), row.orderId(), row.uid(), row.price(),
                row.size(), row.reservePrice(), row.seq());
        });
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldReportTheOraclesEventsOfOneSymbol(final ThreadingMode mode)
    {
        compareOracle(mode == ThreadingMode.SHARED ? OracleStream.exchange100k() : OracleStream.margin100k(), mode);
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldReportTheOraclesEventsOfFourSymbols(final ThreadingMode mode)
    {
        compareOracle(OracleStream.coreRisk20k(), mode);
    }

    /** A sweep of hundreds of orders waits for capacity as it goes. */
    @Test
    void shouldLoseNothingOfCommandsWithMoreExecutionsThanTheReserve()
    {
        final int orders = 200;
        final int rounds = 20;
        final BiConsumer<Integer, OrderCommand> filler = (i, command) ->
        {
            final int symbol = i / (orders + 1) % 2;
            if (i % (orders + 1) < orders)
            {
                command.limit(symbol, i, 1, Side.ASK, 100, 1);
            }
            else
            {
                command.market(symbol, i, 2, Side.BID, orders);
            }
        };
        final EngineContext engine =
            new EngineContext().symbol(SymbolSpec.future(0)).symbol(SymbolSpec.future(1));
        compareOracle(engine, rounds * (orders + 1), ThreadingMode.DEDICATED, filler);
    }
}

package io.millrace.engine.service;

import io.millrace.engine.CommandType;
import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.OracleStream;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.risk.CoreRiskStream;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.List;
import java.util.function.BiConsumer;

import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Whatever the number of shards and the threads are: the same results, the same executions of each symbol, the same
 * state, and a RESULT for each command.
 */
@Tag("normal")
class ShardedMatchingTest
{
    private static final int MAX_SHARDS = 3;

    private static BiConsumer<Integer, OrderCommand> random(final long seed, final boolean users)
    {
        final ShardCommands random = new ShardCommands(seed);
        return (i, command) -> random.fill(command, users);
    }

    private static void compareRandom(final boolean users, final ThreadingMode mode, final long seed, final int count)
    {
        final ShardRun whole = ShardRun.whole(ShardCommands.engine(users), count, random(seed, users));
        for (int shards = 1; shards <= MAX_SHARDS; shards++)
        {
            ShardRun.sharded(ShardCommands.engine(users), shards, mode, count, random(seed, users)).assertSameAs(
                whole, "seed " + seed + ", " + shards + " shards, " + mode + (users ? ", users" : ", no users"));
        }
        assertTrue(whole.count(CommandResult.SUCCESS.code()) > count / 4, "many commands do something");
        for (final CommandResult result : users ? List.of(CommandResult.UNKNOWN_SYMBOL, CommandResult.UNKNOWN_USER,
            CommandResult.RISK_NSF, CommandResult.RISK_MARGIN, CommandResult.WOULD_TRADE, CommandResult.RATE_LIMIT,
            CommandResult.SYMBOL_HALTED, CommandResult.WRONG_TIME, CommandResult.USER_EXISTS) :
            List.of(CommandResult.UNKNOWN_SYMBOL, CommandResult.NO_RISK, CommandResult.WOULD_TRADE,
            CommandResult.SYMBOL_HALTED, CommandResult.SYMBOL_EXISTS, CommandResult.UNKNOWN_COMMAND))
        {
            assertTrue(whole.count(result.code()) > 0, () -> "seed " + seed + ": no " + result);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGiveTheSameOnOneThread(final boolean users)
    {
        compareRandom(users, ThreadingMode.INVOKER, 1, 100_000);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGiveTheSameOnASharedAgent(final boolean users)
    {
        compareRandom(users, ThreadingMode.SHARED, 2, 20_000);
    }

    /** With users a command waits for two threads that may sleep and share cores with the rest of the build. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGiveTheSameOnThreadsOfTheirOwn(final boolean users)
    {
        compareRandom(users, ThreadingMode.DEDICATED, 3, users ? 10_000 : 100_000);
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    @Tag("faults")
    void shouldGiveTheSameOverAMillionCommands(final ThreadingMode mode)
    {
        for (int seed = 10; seed < 20; seed++)
        {
            compareRandom(false, mode, seed, 100_000);
            compareRandom(true, mode, seed, 100_000);
        }
    }

    private static void compareOracle(
        final MatchingEngine.Context engine,
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
        final MatchingEngine.Context engine = new MatchingEngine.Context();
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
    void shouldGiveTheOraclesEventsOfOneSymbol(final ThreadingMode mode)
    {
        compareOracle(mode == ThreadingMode.SHARED ? OracleStream.exchange100k() : OracleStream.margin100k(), mode);
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldGiveTheOraclesEventsOfFourSymbols(final ThreadingMode mode)
    {
        compareOracle(OracleStream.coreRisk20k(), mode);
    }

    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldGiveTheOraclesEventsWithUsersAndRisk(final ThreadingMode mode) throws IOException
    {
        final CoreRiskStream stream = new CoreRiskStream();
        compareOracle(CoreRiskStream.context(), stream.commands().size(), mode,
            (i, command) -> fill(command, stream.commands().get(i)));
    }

    private static void fill(final OrderCommand command, final CoreRiskStream.Command row)
    {
        final long uid = row.number(4);
        switch (row.kind())
        {
            case "ADD_USER":
                command.addUser(uid);
                break;
            case "BALANCE_ADJUSTMENT":
                command.adjustBalance(uid, (int)row.number(10), row.number(5), row.number(3));
                break;
            case "SUSPEND_USER":
                command.suspendUser(uid);
                break;
            case "RESUME_USER":
                command.resumeUser(uid);
                break;
            case "PLACE_ORDER":
                command.set(CommandType.PLACE, row.orderType(), row.row()[7].equals("BID") ? Side.BID : Side.ASK,
                    row.symbol(), row.orderId(), uid, row.number(5), row.number(6), row.number(9), 0);
                break;
            case "CANCEL_ORDER":
                command.cancel(row.symbol(), row.number(3), uid);
                break;
            case "REDUCE_ORDER":
                command.reduce(row.symbol(), row.number(3), uid, row.number(6));
                break;
            default:
                command.move(row.symbol(), row.number(3), uid, row.number(5));
                break;
        }
    }

    /** Room for a sweep of hundreds of orders is found as it goes. */
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
        final MatchingEngine.Context engine =
            new MatchingEngine.Context().symbol(SymbolSpec.future(0)).symbol(SymbolSpec.future(1));
        compareOracle(engine, rounds * (orders + 1), ThreadingMode.DEDICATED, filler);
    }
}

package io.millrace.engine.service;

import io.millrace.engine.book.CommandResult;
import io.millrace.server.ThreadingMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.function.BiConsumer;

import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Whatever the number of shards and the threads are: the same results, the same executions of each symbol, the same
 * state.
 */
@Tag("normal")
class ShardedMatchingTest
{
    private static final int RANDOM_COMMANDS = 100_000;

    private static BiConsumer<Integer, OrderCommand> random(final long seed, final boolean users)
    {
        final ShardCommands random = new ShardCommands(seed);
        return (i, command) -> random.fill(command, users);
    }

    private static void compareRandom(final boolean users, final ThreadingMode mode, final long seed, final int count)
    {
        final ShardRun whole = ShardRun.whole(ShardCommands.engine(users), count, random(seed, users));
        for (int shards = 1; shards <= 3; shards++)
        {
            ShardRun.sharded(ShardCommands.engine(users), shards, mode, count, random(seed, users)).assertSameAs(
                whole, "seed " + seed + ", " + shards + " shards, " + mode + (users ? ", users" : ", no users"));
        }
        assertTrue(whole.count(CommandResult.SUCCESS.code()) > count / 4, "most commands do something");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGiveTheSameOnOneThread(final boolean users)
    {
        compareRandom(users, ThreadingMode.INVOKER, 1, RANDOM_COMMANDS);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGiveTheSameOnASharedAgent(final boolean users)
    {
        compareRandom(users, ThreadingMode.SHARED, 2, RANDOM_COMMANDS);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGiveTheSameOnThreadsOfTheirOwn(final boolean users)
    {
        compareRandom(users, ThreadingMode.DEDICATED, 3, users ? RANDOM_COMMANDS / 10 : RANDOM_COMMANDS);
    }
}

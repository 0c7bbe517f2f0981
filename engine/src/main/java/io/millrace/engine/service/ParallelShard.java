package io.millrace.engine.service;

import io.millrace.engine.CommandType;
import io.millrace.server.HandlerService;
import io.millrace.server.ServiceContext;

/**
 * One of several shards of an engine without users. Sees every command and executes the commands of its symbols. Has
 * its own engine and its own source of executions and shares nothing with the other shards, so they run in parallel.
 * Used by the thread of its stage only.
 */
final class ParallelShard implements HandlerService<OrderCommand>
{
    private final MatchingService matching;
    private final int shard;
    private final int shards;

    /**
     * @param matching executes and answers the commands of this shard; the stage has its name and its counters.
     */
    ParallelShard(final MatchingService matching, final int shard, final int shards)
    {
        this.matching = matching;
        this.shard = shard;
        this.shards = shards;
    }

    @Override
    public String name()
    {
        return matching.name();
    }

    @Override
    public Class<OrderCommand> eventType()
    {
        return OrderCommand.class;
    }

    @Override
    public void onStart(final ServiceContext context)
    {
        matching.onStart(context);
    }

    @Override
    public void onEvent(final OrderCommand command, final long sequence, final boolean endOfBatch)
    {
        final byte type = command.commandType();
        if (ShardKey.isOfSymbol(type))
        {
            if (ShardKey.shardOf(command, shards) == shard)
            {
                matching.onEvent(command, sequence, endOfBatch);
            }
        }
        else if (shard == 0 || type == CommandType.STATE_HASH)
        {
            // Each shard answers with its part of the hash.
            matching.onEvent(command, sequence, endOfBatch);
        }
        else if (type == CommandType.TICK || type == CommandType.RESET || type == CommandType.MASS_CANCEL_USER)
        {
            matching.onEventUnanswered(command, sequence);
        }
    }
}

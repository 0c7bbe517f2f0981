package io.millrace.engine.service;

import io.millrace.engine.CommandType;
import io.millrace.server.HandlerService;
import io.millrace.server.ServiceContext;

/**
 * One of several shards of an engine without users: sees every command and takes those of its symbols. It has an engine
 * and an executions' source of its own and shares nothing with the others, so they run in parallel. One thread, that of
 * its stage.
 */
final class ParallelShard implements HandlerService<OrderCommand>
{
    private final MatchingService matching;
    private final int shard;
    private final int shards;

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
            // Of the state's hash each shard knows a part.
            matching.onEvent(command, sequence, endOfBatch);
        }
        else if (type == CommandType.TICK || type == CommandType.RESET)
        {
            matching.onEventUnanswered(command, sequence);
        }
    }
}

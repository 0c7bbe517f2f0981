package io.millrace.engine.service;

import io.millrace.engine.CommandType;

/**
 * One of several shards of an engine without users: sees every command and takes those of its symbols. It has an engine
 * and an executions' source of its own and shares nothing with the others, so they run in parallel. One thread, that of
 * its stage.
 */
final class ParallelShard extends ShardStage
{
    private final int shard;
    private final int shards;

    ParallelShard(final MatchingService matching, final int shard, final int shards)
    {
        super(matching);
        this.shard = shard;
        this.shards = shards;
    }

    @Override
    public void onEvent(final OrderCommand command, final long sequence, final boolean endOfBatch)
    {
        final byte type = command.commandType();
        if (ShardKey.isOfSymbol(type))
        {
            if (ShardKey.shardOf(command, shards) == shard)
            {
                answers().onEvent(command, sequence, endOfBatch);
            }
        }
        else if (shard == 0 || type == CommandType.STATE_HASH)
        {
            // Of the state's hash each shard knows a part.
            answers().onEvent(command, sequence, endOfBatch);
        }
        else if (type == CommandType.TICK || type == CommandType.RESET)
        {
            answers().onEventUnanswered(command, sequence);
        }
    }
}

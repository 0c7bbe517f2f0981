package io.millrace.engine.service;

import io.millrace.engine.CommandType;

/**
 * Finds the shard of a command. A symbol belongs to the shard {@code floorMod(symbol, shards)}, even if it does not
 * exist. So exactly one shard answers for an unknown symbol.
 */
final class ShardKey
{
    private ShardKey()
    {
    }

    static int shardOf(final int symbol, final int shards)
    {
        return Math.floorMod(symbol, shards);
    }

    static int shardOf(final OrderCommand command, final int shards)
    {
        // The spec determines the added symbol; a decoder may have set another number in the command.
        return shardOf(command.spec() == null ? command.symbol() : command.spec().symbol(), shards);
    }

    /** Whether a command names a symbol that decides its shard. */
    static boolean isOfSymbol(final byte commandType)
    {
        switch (commandType)
        {
            case CommandType.PLACE:
            case CommandType.CANCEL:
            case CommandType.REDUCE:
            case CommandType.MOVE:
            case CommandType.REPLACE:
            case CommandType.REPLACE_OPEN:
            case CommandType.MASS_CANCEL:
            case CommandType.MASS_CANCEL_SYMBOL:
            case CommandType.ORDER_STATUS:
            case CommandType.OPEN_ORDERS:
            case CommandType.ORDER_BOOK_REQUEST:
            case CommandType.ADD_SYMBOL:
            case CommandType.HALT_SYMBOL:
            case CommandType.RESUME_SYMBOL:
            case CommandType.REMOVE_SYMBOL:
                return true;
            default:
                return false;
        }
    }
}

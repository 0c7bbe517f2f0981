package io.millrace.engine.service;

import io.millrace.engine.CommandType;
import io.millrace.engine.MatchingEngine;
import io.millrace.engine.book.CommandResult;

import java.util.function.IntConsumer;

/**
 * The stage in front of several shards of an engine with users: does the first half of each command about an order, and
 * passes the engine on to the shard of its symbol, which does the second; does all other commands itself. It waits for
 * the engine before it looks at the next command, so each is settled before the next one. One thread, that of its
 * stage.
 * <p>
 * A command that names a symbol is answered through the executions of the symbol's shard, whoever answers it, so these
 * are complete and in order; all other commands are answered through the executions of this stage. Orders of any symbol
 * that expire before a command leave through the executions of their symbol's shard.
 */
final class RiskStage extends ShardStage
{
    private final ExecutionPublisher publisher;
    private final MatchingEngine engine;
    private final PassedExecutions listener;
    private final MatchingShard[] shards;
    private final boolean inline;
    private final IntConsumer nextSymbol;
    /** Of the last command that was passed on. */
    private Turn turn;
    /** What was thrown in the middle of a command that may have changed a book: by a listener, which must not. */
    private Throwable failure;

    RiskStage(
        final MatchingService answers,
        final ExecutionPublisher publisher,
        final PassedExecutions listener,
        final MatchingShard[] shards,
        final boolean inline)
    {
        super(answers);
        this.publisher = publisher;
        this.listener = listener;
        this.shards = shards;
        this.inline = inline;
        engine = answers.engine();
        turn = shards[0].turn();
        nextSymbol = this::nextSymbol;
    }

    @Override
    public void onStart()
    {
        for (int i = 0; i < shards.length && !inline; i++)
        {
            shards[i].startRisk();
        }
    }

    /**
     * Begin a command, or do all of it.
     *
     * @throws ExecutionCapacityException when events of the command found no room; it says whether it was carried out.
     * @throws IllegalStateException  when a shard has ended or failed, or this stage in the middle of a command: this
     *                                command was not carried out.
     */
    @Override
    public void onEvent(final OrderCommand command, final long sequence, final boolean endOfBatch)
    {
        if (failure != null)
        {
            throw new IllegalStateException("stage '" + name() + "' failed with the engine in its hands: its state " +
                "is not to be trusted, no command is carried out any more", failure);
        }
        turn.await();
        final byte type = command.commandType();
        if (ShardKey.isOfSymbol(type))
        {
            onSymbol(shards[ShardKey.shardOf(command, shards.length)], command, sequence);
        }
        else if (type == CommandType.TICK)
        {
            tick(command, sequence);
        }
        else
        {
            final ExecutionCapacityException lost = expire(null, command, sequence);
            listener.to(publisher);
            answers().onEvent(command, sequence, true);
            rethrow(lost);
        }
    }

    /**
     * Take out all orders that expire before a command; those of its own shard, which has begun it, are part of it.
     *
     * @param own the shard that answers the command; null for none.
     * @return that executions of other shards were lost, or null.
     */
    private ExecutionCapacityException expire(final MatchingShard own, final OrderCommand command, final long sequence)
    {
        if (!engine.isDue(command.timestampNs()))
        {
            return null;
        }
        for (int i = 0; i < shards.length; i++)
        {
            if (shards[i] != own)
            {
                shards[i].begin(command, sequence);
            }
        }
        try
        {
            engine.time(command.timestampNs(), nextSymbol);
        }
        catch (final Throwable ex)
        {
            failure = ex;
            throw ex;
        }
        if (own != null)
        {
            own.publisher().symbol(command.symbol());
        }
        return endUnanswered(own);
    }

    private ExecutionCapacityException endUnanswered(final MatchingShard except)
    {
        ExecutionCapacityException lost = null;
        for (int i = 0; i < shards.length; i++)
        {
            try
            {
                if (shards[i] != except)
                {
                    shards[i].endUnanswered();
                }
            }
            catch (final ExecutionCapacityException ex)
            {
                lost = ex;
            }
        }
        return lost;
    }

    private static void rethrow(final ExecutionCapacityException lost)
    {
        if (lost != null)
        {
            throw lost;
        }
    }

    private void onSymbol(final MatchingShard shard, final OrderCommand command, final long sequence)
    {
        final boolean isOfOrder = ShardKey.isOfOrder(command.commandType());
        if (isOfOrder && shard.turn().isOver())
        {
            throw new IllegalStateException("command " + sequence + " was not executed, no state has changed: shard '" +
                shard.name() + "' has ended");
        }
        shard.begin(command, sequence);
        final ExecutionCapacityException lost = expire(shard, command, sequence);
        listener.to(shard.publisher());
        final CommandResult result = begin(shard, command, isOfOrder);
        if (!isOfOrder || result != CommandResult.SUCCESS)
        {
            shard.end(command, result);
        }
        else
        {
            passOn(shard, command);
        }
        rethrow(lost);
    }

    private void passOn(final MatchingShard shard, final OrderCommand command)
    {
        turn = shard.turn();
        if (!shard.forward(command))
        {
            // The server closes. What is held for the command must not stay: its second half is done here.
            shard.end(command, shard.carryOut(command));
        }
    }

    /** The first half of a command about an order, or all of another one. */
    private CommandResult begin(final MatchingShard shard, final OrderCommand command, final boolean isOfOrder)
    {
        try
        {
            engine.time(command.timestampNs());
            return isOfOrder ? shard.admit(command) : shard.answers().apply(command);
        }
        catch (final Throwable ex)
        {
            failure = failure != null || MatchingService.isHalfDone(command) ? ex : null;
            throw ex;
        }
    }

    private CommandResult tick(final long timeNs)
    {
        try
        {
            return engine.tick(timeNs, nextSymbol);
        }
        catch (final Throwable ex)
        {
            failure = ex;
            throw ex;
        }
    }

    private void tick(final OrderCommand command, final long sequence)
    {
        for (int i = 0; i < shards.length; i++)
        {
            shards[i].begin(command, sequence);
        }
        publisher.begin(sequence, command.timestampNs(), command.symbol());
        final CommandResult result = tick(command.timestampNs());
        final ExecutionCapacityException lost = endUnanswered(null);
        publisher.end(command.orderId(), command.uid(), result);
        rethrow(lost);
    }

    private void nextSymbol(final int symbol)
    {
        final ExecutionPublisher next = shards[ShardKey.shardOf(symbol, shards.length)].publisher();
        next.symbol(symbol);
        listener.to(next);
    }
}

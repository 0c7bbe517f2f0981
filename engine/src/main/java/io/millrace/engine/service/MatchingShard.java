package io.millrace.engine.service;

import io.millrace.engine.CommandHalves;
import io.millrace.engine.CommandType;
import io.millrace.engine.book.CommandResult;
import io.millrace.server.InVmSource;

/**
 * One of several shards behind a {@link RiskStage}: does the second half of the commands that were admitted for its
 * symbols. The engine and the publishing end of this shard's executions are its own from the poll of an admitted
 * command until it gives the {@link Turn} back, and the risk stage's all the time between.
 */
final class MatchingShard extends ShardStage
{
    private final ExecutionPublisher publisher;
    private final InVmSource<ExecutionEvent> executions;
    private final InVmSource<OrderCommand> admitted;
    private final CommandHalves halves;
    private final Turn turn;
    private final boolean inline;
    private final InVmSource<?>[] passed;

    /**
     * @param passed what else is published to by whoever has the engine.
     */
    MatchingShard(
        final MatchingService answers,
        final ExecutionPublisher publisher,
        final InVmSource<ExecutionEvent> executions,
        final InVmSource<OrderCommand> admitted,
        final boolean inline,
        final InVmSource<?>[] passed)
    {
        super(answers);
        this.publisher = publisher;
        this.executions = executions;
        this.admitted = admitted;
        this.inline = inline;
        this.passed = passed;
        halves = new CommandHalves(answers.engine());
        turn = new Turn(answers.name());
    }

    @Override
    public void onStart()
    {
        if (!inline)
        {
            turn.startShard();
        }
    }

    /**
     * The risk stage starts, on its thread.
     *
     * @throws IllegalStateException when it would wait for itself.
     */
    void startRisk()
    {
        turn.startRisk();
        if (executions.isHandledByCaller())
        {
            throw waitsForItself("the executions of shard '" + name() + "' are");
        }
        for (final InVmSource<?> source : passed)
        {
            if (source.isHandledByCaller())
            {
                throw waitsForItself("what shard '" + name() + "' publishes is");
            }
        }
    }

    private static IllegalStateException waitsForItself(final String what)
    {
        return new IllegalStateException(what + " read on the agent of the risk stage, and would wait for it while " +
            "it waits for the shard: read it on another agent, or make the sharding inline()");
    }

    @Override
    public void onClose()
    {
        turn.end();
    }

    /**
     * Carry an admitted command out, answer it and give the engine back.
     */
    @Override
    public void onEvent(final OrderCommand command, final long sequence, final boolean endOfBatch)
    {
        final CommandResult result;
        try
        {
            result = carryOut(command);
        }
        catch (final Throwable ex)
        {
            // A command that is half done: neither this stage nor the risk stage may go on, whatever the error policy.
            turn.fail(ex);
            throw ex;
        }
        try
        {
            end(command, result);
        }
        finally
        {
            // Also when a RESULT was lost: the state is right.
            turn.giveBack();
        }
    }

    /** Whoever has the engine: the second half of a command. */
    CommandResult carryOut(final OrderCommand command)
    {
        switch (command.commandType())
        {
            case CommandType.PLACE:
                return halves.carryOutPlace(command.symbol(), command.orderType(), command.side(),
                    command.selfTradePolicy(), command.orderId(), command.uid(), command.price(), command.size(),
                    command.reservePrice(), command.parameter());
            case CommandType.CANCEL:
                return halves.carryOutCancel(command.symbol(), command.orderId(), command.uid());
            case CommandType.REDUCE:
                return halves.carryOutReduce(command.symbol(), command.orderId(), command.uid(), command.size());
            case CommandType.MOVE:
                return halves.carryOutMove(command.symbol(), command.orderId(), command.uid(), command.price());
            default:
                return halves.carryOutReplace(
                    command.symbol(), command.orderId(), command.uid(), command.price(), command.size());
        }
    }

    /** Risk stage: the first half of a command. */
    CommandResult admit(final OrderCommand command)
    {
        switch (command.commandType())
        {
            case CommandType.PLACE:
                return halves.admitPlace(command.symbol(), command.orderType(), command.side(),
                    command.selfTradePolicy(), command.orderId(), command.uid(), command.price(), command.size(),
                    command.reservePrice(), command.parameter());
            case CommandType.MOVE:
                return halves.admitMove(command.symbol(), command.uid());
            case CommandType.REPLACE:
                return halves.admitReplace(
                    command.symbol(), command.orderId(), command.uid(), command.price(), command.size());
            default:
                return halves.admitCancel(command.symbol());
        }
    }

    /**
     * Risk stage: begin a command whose executions leave here.
     *
     * @throws ExecutionCapacityException when there is no room for them: it is not to be executed.
     */
    void begin(final OrderCommand command, final long sequence)
    {
        try
        {
            publisher.begin(sequence, command.timestampNs(), command.symbol());
        }
        catch (final ExecutionCapacityException ex)
        {
            handOver();
            throw ex;
        }
    }

    /** Whoever has the engine and publishes nothing more. */
    private void handOver()
    {
        executions.handOver();
        for (int i = 0; i < passed.length; i++)
        {
            passed[i].handOver();
        }
    }

    /** Whoever has the engine: answer a command and leave the publishing end to whoever is next. */
    void end(final OrderCommand command, final CommandResult result)
    {
        try
        {
            publisher.end(command.orderId(), command.uid(), result);
        }
        finally
        {
            handOver();
        }
    }

    /** Risk stage: end a command that is answered elsewhere. */
    void endUnanswered()
    {
        try
        {
            publisher.endUnanswered();
        }
        finally
        {
            handOver();
        }
    }

    /**
     * Risk stage: pass the engine on with an admitted command.
     *
     * @return false when the server closes and nobody will take it: the engine is still the caller's.
     */
    boolean forward(final OrderCommand command)
    {
        handOver();
        final OrderCommand event = admitted.claim();
        if (event == null)
        {
            return false;
        }
        event.set(command.commandType(), command.orderType(), command.side(), command.selfTradePolicy(),
            command.symbol(), command.orderId(), command.uid(), command.price(), command.size(),
            command.reservePrice(), command.parameter(), command.timestampNs());
        turn.give();
        if (admitted.publish(event))
        {
            return true;
        }
        turn.takeBack();
        event.release();
        return false;
    }

    ExecutionPublisher publisher()
    {
        return publisher;
    }

    Turn turn()
    {
        return turn;
    }
}

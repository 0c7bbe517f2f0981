package io.millrace.engine.service;

import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ExecutionListener;
import io.millrace.engine.book.ExecutionReason;
import io.millrace.engine.book.OrderSizes;
import io.millrace.pool.PaddedLong;
import io.millrace.pool.Padding;
import io.millrace.pool.PoolViolationException;
import io.millrace.server.Counters;
import io.millrace.server.InVmSource;

import java.util.Objects;

/**
 * Publishes the executions of a book as events, command by command. Used by the service's thread only, except the
 * counters.
 * <p>
 * Throws no exception through the book, which would stop in the middle of a command. An execution without capacity is
 * counted, and {@link #end} throws after the book has finished.
 */
final class ExecutionPublisher extends ExecutionPublisherFields implements ExecutionListener, OrderSizes
{
    /** The next execution and the RESULT after it. */
    private static final int NEXT_AND_RESULT = 2;

    byte p200, p201, p202, p203, p204, p205, p206, p207, p208, p209, p210, p211, p212, p213, p214, p215;
    byte p216, p217, p218, p219, p220, p221, p222, p223, p224, p225, p226, p227, p228, p229, p230, p231;
    byte p232, p233, p234, p235, p236, p237, p238, p239, p240, p241, p242, p243, p244, p245, p246, p247;
    byte p248, p249, p250, p251, p252, p253, p254, p255, p256, p257, p258, p259, p260, p261, p262, p263;
    byte p264, p265, p266, p267, p268, p269, p270, p271, p272, p273, p274, p275, p276, p277, p278, p279;
    byte p280, p281, p282, p283, p284, p285, p286, p287, p288, p289, p290, p291, p292, p293, p294, p295;
    byte p296, p297, p298, p299, p300, p301, p302, p303, p304, p305, p306, p307, p308, p309, p310, p311;
    byte p312, p313, p314, p315, p316, p317, p318, p319, p320, p321, p322, p323, p324, p325, p326, p327;

    ExecutionPublisher(final InVmSource<ExecutionEvent> source)
    {
        super(Objects.requireNonNull(source, "executions"));
        if (source.capacity() < MatchingService.MIN_EXECUTION_CAPACITY)
        {
            throw new IllegalArgumentException("the source of the executions has " + source.capacity() +
                " events, it needs at least " + MatchingService.MIN_EXECUTION_CAPACITY + ": " +
                MatchingService.RESERVE + " must be free before a command is executed");
        }
    }

    /**
     * @throws ExecutionCapacityException when there is no capacity for the command's events; do not execute it.
     */
    void begin(final long commandSequence, final long commandTimeNs, final int symbol, final long correlation)
    {
        if (!awaitReserve(commandSequence))
        {
            increment(refusedCommands);
            throw ExecutionCapacityException.notExecuted(commandSequence, MatchingService.RESERVE);
        }
        available = MatchingService.RESERVE;
        sequence = commandSequence;
        timeNs = commandTimeNs;
        commandSymbol = symbol;
        commandCorrelation = correlation;
        openSize = 0;
        count = 0;
        lost = 0;
        more = false;
        levelSequence = 0;
        cause = null;
    }

    private boolean awaitReserve(final long commandSequence)
    {
        try
        {
            return source.awaitCapacity(MatchingService.RESERVE);
        }
        catch (final PoolViolationException ex)
        {
            throw ex;
        }
        catch (final IllegalStateException ex)
        {
            increment(refusedCommands);
            throw ExecutionCapacityException.noFlow(commandSequence, ex);
        }
    }

    /** Stops or resumes the publishing and counting of executions. Call between two commands. */
    void mute(final boolean muted)
    {
        isMuted = muted;
        available = 0;
    }

    /** Sets where the report continues, for the RESULT. */
    void more(final byte side, final long price, final long levels)
    {
        more = true;
        nextSide = side;
        next = price;
        levelsReported = levels;
    }

    /** Sets what is open and filled of the command's order, for the RESULT. */
    @Override
    public void onSizes(final long open, final long filled)
    {
        openSize = open;
        this.filled = filled;
    }

    /** Sets the sequence of the last market-data message that the levels include, for the RESULT. */
    void levelSequence(final long levelSequence)
    {
        this.levelSequence = levelSequence;
    }

    /**
     * @throws ExecutionCapacityException when not all events of the command were published.
     */
    void end(final long orderId, final long uid, final CommandResult result)
    {
        increment(commands[result.ordinal()]);
        final ExecutionEvent event = claim(commandSymbol);
        if (event != null)
        {
            event.result(orderId, uid, result, count, levelSequence);
            if (openSize > 0)
            {
                event.open(openSize, filled);
            }
            if (more)
            {
                event.more(nextSide, next, levelsReported);
            }
        }
        final boolean published = publish(event);
        if (lost > 0 || !published)
        {
            throw ExecutionCapacityException.lost(sequence, lost, count, !published, cause);
        }
    }

    /**
     * Ends a command that another shard answers.
     *
     * @throws ExecutionCapacityException when not all executions of the command were published.
     */
    void endUnanswered()
    {
        if (lost > 0)
        {
            throw ExecutionCapacityException.lost(sequence, lost, count, false, cause);
        }
    }

    @Override
    public void onTrade(
        final long tradeId,
        final int symbol,
        final long makerOrderId,
        final long makerUid,
        final boolean makerCompleted,
        final long takerOrderId,
        final long takerUid,
        final byte takerSide,
        final boolean takerCompleted,
        final long price,
        final long size,
        final long bidReservePrice)
    {
        final ExecutionEvent event = claimExecution(symbol);
        if (event != null)
        {
            event.trade(tradeId, makerOrderId, makerUid, makerCompleted, takerOrderId, takerUid, takerSide,
                takerCompleted, price, size, bidReservePrice);
        }
        publishExecution(ExecutionKind.TRADE, event);
    }

    @Override
    public void onReject(
        final byte reason,
        final int symbol,
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final long reservePrice)
    {
        onLoss(reason, symbol, ExecutionKind.REJECT, orderId, uid, side, price, size, true, reservePrice);
    }

    @Override
    public void onReduce(
        final byte reason,
        final int symbol,
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final boolean completed,
        final long reservePrice)
    {
        onLoss(reason, symbol, ExecutionKind.REDUCE, orderId, uid, side, price, size, completed, reservePrice);
    }

    @Override
    public void onTrigger(
        final int symbol,
        final long orderId,
        final long uid,
        final byte side,
        final long stopPrice,
        final long reservePrice)
    {
        onLoss(ExecutionReason.NONE, symbol, ExecutionKind.TRIGGER, orderId, uid, side, stopPrice, 0, false,
            reservePrice);
    }

    private void onLoss(
        final byte reason,
        final int symbol,
        final byte kind,
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final boolean completed,
        final long reservePrice)
    {
        final ExecutionEvent event = claimExecution(symbol);
        if (event != null)
        {
            event.loss(kind, orderId, uid, side, price, size, completed, reservePrice);
            event.reason(reason);
        }
        publishExecution(kind, event);
    }

    /** Publishes an event of {@link #claimExecution}, or counts that there was none. */
    void publishExecution(final byte kind, final ExecutionEvent event)
    {
        if (event == null && isMuted)
        {
            return;
        }
        count++;
        increment(executions[kind]);
        if (!publish(event))
        {
            lost++;
            increment(lostExecutions);
        }
    }

    /** Claims an event of the command; null when there is no capacity. */
    ExecutionEvent claimExecution()
    {
        return claimExecution(commandSymbol);
    }

    private ExecutionEvent claimExecution(final int symbol)
    {
        if (available > 1)
        {
            available--;
            return claim(symbol);
        }
        return !isMuted && source.awaitCapacity(NEXT_AND_RESULT) ? claim(symbol) : null;
    }

    private ExecutionEvent claim(final int symbol)
    {
        try
        {
            final ExecutionEvent event = source.claim();
            if (event != null)
            {
                event.of(sequence, timeNs, symbol, commandCorrelation);
            }
            return event;
        }
        catch (final Throwable ex)
        {
            // Thrown by a pool in checked mode.
            keep(ex);
            return null;
        }
    }

    private boolean publish(final ExecutionEvent event)
    {
        if (event == null)
        {
            return false;
        }
        try
        {
            if (source.publish(event))
            {
                return true;
            }
            event.release();
        }
        catch (final Throwable ex)
        {
            // The event is not this thread's any more.
            keep(ex);
        }
        return false;
    }

    private void keep(final Throwable ex)
    {
        cause = cause == null ? ex : cause;
    }

    private static void increment(final PaddedLong cell)
    {
        cell.setOpaque(cell.getPlain() + 1);
    }

    void count(final Counters counters, final String name)
    {
        for (int i = 0; i < commands.length; i++)
        {
            counters.add(name + ".commands." + RESULTS[i], i == 0 ? "commands that the books executed" :
                "commands refused, see CommandResult." + RESULTS[i], commands[i]::getOpaque);
        }
        for (byte kind = 0; kind < executions.length; kind++)
        {
            if (kind != ExecutionKind.RESULT)
            {
                counters.add(name + ".executions." + ExecutionKind.name(kind),
                    "executions of this kind, see ExecutionKind", executions[kind]::getOpaque);
            }
        }
        counters.add(name + ".commands.insufficientCapacity",
            "commands not executed because there was no capacity for their executions",
            refusedCommands::getOpaque);
        counters.add(name + ".executions.lost", "executions without capacity: the reader of the events is too slow",
            lostExecutions::getOpaque);
    }
}

/** Written by the agent for each command, so padded. */
abstract class ExecutionPublisherFields extends Padding
{
    static final CommandResult[] RESULTS = CommandResult.values();

    final InVmSource<ExecutionEvent> source;
    final PaddedLong[] commands = cells(RESULTS.length);
    final PaddedLong[] executions = cells(ExecutionKind.count());
    final PaddedLong lostExecutions = new PaddedLong(0);
    final PaddedLong refusedCommands = new PaddedLong(0);
    long sequence;
    long timeNs;
    int commandSymbol;
    long commandCorrelation;
    long openSize;
    long filled;
    /** Number of claims that will succeed; at least 1 before the RESULT, for which one is reserved. */
    int available;
    int count;
    int lost;
    boolean more;
    byte nextSide;
    long next;
    long levelsReported;
    long levelSequence;
    Throwable cause;
    boolean isMuted;

    ExecutionPublisherFields(final InVmSource<ExecutionEvent> source)
    {
        this.source = source;
    }

    private static PaddedLong[] cells(final int count)
    {
        final PaddedLong[] cells = new PaddedLong[count];
        for (int i = 0; i < count; i++)
        {
            cells[i] = new PaddedLong(0);
        }
        return cells;
    }
}

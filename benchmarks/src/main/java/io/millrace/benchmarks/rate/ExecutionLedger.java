package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.flow.FieldChecksum;
import io.millrace.engine.book.CommandResult;
import io.millrace.engine.book.ExecutionListener;

/**
 * Counts executions by kind and folds all of their fields, and the result of each command, into one sum: what the
 * matching handlers' answers are checked with. One thread. The callbacks allocate nothing.
 * <p>
 * The sum is linear in the one that it starts with, as {@link FieldChecksum} is: {@link ExpectedExecutions} builds on
 * that.
 */
public final class ExecutionLedger implements ExecutionListener
{
    private static final int TRADE = 1;
    private static final int MAKER = 2;
    private static final int REJECT = 3;
    private static final int REDUCE = 4;
    private static final int RESULT = 5;
    // Above the kinds: the side, what is completed, and a result's code.
    private static final int SIDE_SHIFT = 4;
    private static final int COMPLETED = 1 << 12;
    private static final int CODE_SHIFT = 16;

    private long checksum;
    private long trades;
    private long rejects;
    private long reduces;
    private long results;
    private long refused;
    private int executions;

    /**
     * Nothing executed yet.
     *
     * @param checksum what to start with, {@link FieldChecksum#START} for an answer.
     */
    public ExecutionLedger(final long checksum)
    {
        this.checksum = checksum;
    }

    @Override
    public void onTrade(
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
        trades++;
        executions++;
        add(TRADE, takerSide, takerCompleted, takerOrderId, takerUid, price, size, bidReservePrice);
        add(MAKER, (byte)0, makerCompleted, makerOrderId, makerUid, 0, 0, 0);
    }

    @Override
    public void onReject(
        final int symbol,
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final long reservePrice)
    {
        rejects++;
        executions++;
        add(REJECT, side, true, orderId, uid, price, size, reservePrice);
    }

    @Override
    public void onReduce(
        final int symbol,
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final boolean completed,
        final long reservePrice)
    {
        reduces++;
        executions++;
        add(REDUCE, side, completed, orderId, uid, price, size, reservePrice);
    }

    private void add(
        final int kind,
        final byte side,
        final boolean completed,
        final long orderId,
        final long uid,
        final long price,
        final long size,
        final long reservePrice)
    {
        checksum = FieldChecksum.add(checksum, 0, kind | side << SIDE_SHIFT | (completed ? COMPLETED : 0),
            orderId, uid, price, size, reservePrice);
    }

    /**
     * The end of a command.
     *
     * @param orderId the order of the command.
     * @param uid     its user.
     * @param code    of the result, see {@link CommandResult#code()}.
     */
    public void onResult(final long orderId, final long uid, final int code)
    {
        onResult(orderId, uid, code, executions);
    }

    /**
     * The end of a command, with what its RESULT says.
     *
     * @param orderId        the order of the command.
     * @param uid            its user.
     * @param code           of the result; more than {@link CommandResult} has for a RESULT in the wrong place.
     * @param executionCount how many executions are said to have come before it.
     */
    public void onResult(final long orderId, final long uid, final int code, final int executionCount)
    {
        results++;
        if (code != 0)
        {
            refused++;
        }
        checksum = FieldChecksum.add(
            checksum, executionCount, RESULT | code << CODE_SHIFT, orderId, uid, 0, 0, 0);
        executions = 0;
    }

    /**
     * Commands that have ended.
     *
     * @return a count, which also is the place of the command under way.
     */
    public long results()
    {
        return results;
    }

    /**
     * Executions so far.
     *
     * @param resting orders that rest now.
     * @return a new record.
     */
    public Executions executions(final int resting)
    {
        return new Executions(trades, rejects, reduces, refused, checksum, resting);
    }
}

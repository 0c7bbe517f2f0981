package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.jmh.book.LevelHash;
import io.millrace.engine.book.ExecutionListener;

/**
 * Counts what an {@link ExchangeAnswer} says. Listens to our engine, and takes what others did. One thread at a time;
 * allocates nothing but the answer.
 */
public final class ExchangeTally implements ExecutionListener
{
    private long trades;
    private long volume;
    private long rejects;
    private long refused;

    /**
     * There was a trade.
     *
     * @param size in lots.
     */
    public void trade(final long size)
    {
        trades++;
        volume += size;
    }

    /**
     * An instant order, or a part of it, was rejected.
     */
    public void reject()
    {
        rejects++;
    }

    /**
     * A command was not carried out, which does not happen in any set-up: the answer is worth nothing then.
     */
    public void refuse()
    {
        refused++;
    }

    /**
     * Commands that were not carried out so far.
     *
     * @return a count.
     */
    public long refused()
    {
        return refused;
    }

    /**
     * What it came to.
     *
     * @param levels was told the levels of all symbols, in the order of their indexes.
     * @return the answer.
     */
    public ExchangeAnswer answer(final LevelHash levels)
    {
        return new ExchangeAnswer(trades, volume, rejects, levels.orders(), levels.hash());
    }

    @Override
    public void onTrade(
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
        trade(size);
    }

    @Override
    public void onReject(
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final long reservePrice)
    {
        reject();
    }

    @Override
    public void onReduce(
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final boolean completed,
        final long reservePrice)
    {
    }
}

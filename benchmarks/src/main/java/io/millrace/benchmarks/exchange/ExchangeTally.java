package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.flow.BookListener;
import io.millrace.benchmarks.jmh.book.LevelHash;

/**
 * Counts what an {@link ExchangeAnswer} says. Listens to our engine, and takes what others did. One thread at a time;
 * allocates nothing but the answer.
 */
public final class ExchangeTally extends BookListener
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

    /** Commands that were not carried out so far. */
    public long refused()
    {
        return refused;
    }

    /**
     * The result.
     *
     * @param levels has seen the levels of all symbols, in the order of their indexes.
     * @return the answer.
     */
    public ExchangeAnswer answer(final LevelHash levels)
    {
        return new ExchangeAnswer(trades, volume, rejects, levels.orders(), levels.hash());
    }

    @Override
    protected void trade(final long makerId, final long takerId, final long price, final long size)
    {
        trade(size);
    }

    @Override
    protected void reject(final long orderId, final long size)
    {
        reject();
    }
}

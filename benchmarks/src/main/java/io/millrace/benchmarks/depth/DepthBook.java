package io.millrace.benchmarks.depth;

import io.millrace.benchmarks.flow.DepthBatch;
import io.millrace.benchmarks.flow.EventHash;
import io.millrace.engine.book.PriceLevelConsumer;
import io.millrace.engine.book.SymbolSpec;

/**
 * A book of any size that takes batches of commands and keeps a hash over its events. One thread.
 */
public abstract class DepthBook
{
    /** What the events of the batch come to. */
    protected final EventHash hash = new EventHash();

    private long refused;

    /**
     * Make the book.
     *
     * @param spec its limits.
     */
    public abstract void open(SymbolSpec spec);

    /**
     * Get a batch ready, so that giving it takes nothing but the book.
     *
     * @param batch what is given next.
     */
    public void prepare(final DepthBatch batch)
    {
        hash.reset(false);
        refused = 0;
    }

    /**
     * Give a command of the batch that was got ready.
     *
     * @param batch the batch.
     * @param index which command.
     */
    public abstract void give(DepthBatch batch, int index);

    /**
     * Give all commands.
     *
     * @param batch the batch that was got ready.
     */
    public final void give(final DepthBatch batch)
    {
        for (int i = 0; i < batch.count(); i++)
        {
            give(batch, i);
        }
    }

    /**
     * Tell all levels: bids from the best down, then asks from the best up.
     *
     * @param levels is told.
     */
    public abstract void tellLevels(PriceLevelConsumer levels);

    /**
     * The book said no.
     */
    protected final void countRefusal()
    {
        refused++;
    }

    /**
     * Commands of the batch that the book refused.
     *
     * @return a count.
     */
    public final long refused()
    {
        return refused;
    }

    /**
     * Events of the batch.
     *
     * @return a count.
     */
    public final long events()
    {
        return hash.events();
    }

    /**
     * What the events of the batch come to.
     *
     * @return the quick form of {@link EventHash}.
     */
    public final long eventHash()
    {
        return hash.hash();
    }
}

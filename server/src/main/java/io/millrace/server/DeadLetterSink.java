package io.millrace.server;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.PaddedLong;

import java.util.Objects;

/**
 * Sends dead letters into a flow of their own, whose stages store, count or publish them like other events. The event
 * is copied into an event of that flow, because the failed one goes back to its pool.
 * <p>
 * Every agent with a failing handler publishes, so the flow needs a {@linkplain InVmSource#shared shared} source if
 * there are several. A handler of that flow must not fail on a dead letter, or use another policy on its agent.
 *
 * @param <D> type of the dead letters.
 */
public final class DeadLetterSink<D extends BasePoolAware> implements DeadLetterHandler
{
    /**
     * Copies what is needed of a failed event.
     *
     * @param <D> type of the dead letters.
     */
    @FunctionalInterface
    public interface Copier<D>
    {
        /**
         * Called on the agent's thread.
         *
         * @param stage    name of the stage whose handler failed.
         * @param sequence of the event.
         * @param event    as the handler left it; valid until this call returns.
         * @param cause    the exception of the handler.
         * @param into     the dead letter to fill.
         */
        void copy(String stage, long sequence, BasePoolAware event, Throwable cause, D into);
    }

    private final InVmSource<D> source;
    private final Copier<? super D> copier;
    private final PaddedLong lost = new PaddedLong(0);

    /**
     * @param source of the flow of dead letters.
     * @param copier fills a dead letter.
     */
    public DeadLetterSink(final InVmSource<D> source, final Copier<? super D> copier)
    {
        this.source = Objects.requireNonNull(source, "source");
        this.copier = Objects.requireNonNull(copier, "copier");
    }

    @Override
    public void onDeadLetter(final String stage, final long sequence, final BasePoolAware event, final Throwable cause)
    {
        final D letter = source.claim();
        if (letter == null)
        {
            lost.getAndAdd(1);
            return;
        }
        boolean published = false;
        // A publish that throws leaves it to nobody.
        boolean owned = true;
        try
        {
            copier.copy(stage, sequence, event, cause, letter);
            owned = false;
            published = source.publish(letter);
            owned = !published;
        }
        finally
        {
            if (!published)
            {
                lost.getAndAdd(1);
            }
            if (owned)
            {
                letter.release();
            }
        }
    }

    /** @return dead letters for which the flow had no capacity, or which could not be copied. Any thread. */
    public long lost()
    {
        return lost.getOpaque();
    }
}

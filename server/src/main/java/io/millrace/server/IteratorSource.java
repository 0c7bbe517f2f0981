package io.millrace.server;

import io.millrace.pool.BasePoolAware;

import java.util.Iterator;
import java.util.Objects;
import java.util.function.BiConsumer;

/**
 * Publishes an event for each element of an iterator, in order, and is then exhausted. Without capacity the iterator
 * waits; no element is lost. An exception of the iterator or the filler goes to the agent's error policy; under
 * SKIP_AND_RECORD the source continues with the next element. The source allocates nothing; the iterator may. Use a
 * source once.
 *
 * @param <T> type of the elements.
 * @param <E> type of the events.
 */
public final class IteratorSource<T, E extends BasePoolAware> implements EventSource<E>
{
    /** The default poll limit of a stage. */
    private static final int ELEMENTS_PER_POLL = 256;

    private final Iterator<? extends T> elements;
    private final BiConsumer<? super T, ? super E> filler;
    private final ClaimedEvent<E> claimed = new ClaimedEvent<>();
    /** Volatile: the polling thread writes it, any thread reads it. */
    private volatile boolean exhausted;

    /**
     * A source.
     *
     * @param elements called by the polling thread only; must not block.
     * @param filler   copies an element into an event.
     */
    public IteratorSource(final Iterator<? extends T> elements, final BiConsumer<? super T, ? super E> filler)
    {
        this.elements = Objects.requireNonNull(elements, "elements");
        this.filler = Objects.requireNonNull(filler, "filler");
    }

    @Override
    public int poll(final EventPublication<E> out)
    {
        int count = 0;
        while (count < ELEMENTS_PER_POLL && claimed.publish(out) && !exhausted)
        {
            if (!elements.hasNext())
            {
                claimed.release();
                exhausted = true;
                return count;
            }
            final E event = claimed.claim(out);
            if (event == null)
            {
                return count;
            }
            filler.accept(elements.next(), event);
            claimed.filled();
            count++;
        }
        claimed.publish(out);
        return count;
    }

    @Override
    public boolean isExhausted()
    {
        return exhausted;
    }

    @Override
    public void onClose()
    {
        claimed.release();
    }
}

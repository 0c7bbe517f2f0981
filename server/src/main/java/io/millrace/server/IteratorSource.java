package io.millrace.server;

import io.millrace.pool.BasePoolAware;

import java.util.Iterator;
import java.util.Objects;
import java.util.function.BiConsumer;

/**
 * Publishes an event for each element of an iterator, in order, and is then exhausted. Without capacity the iterator
 * waits; no element is lost. After a stop of the server the next start continues. An exception of the iterator or the
 * filler goes to the agent's error policy; under SKIP_AND_RECORD the source continues with the next element. The source
 * allocates nothing; the iterator may. Use a source in one flow.
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
    /** The element that was taken last. */
    private T last;
    /** Whether the flow had not taken its event at the last close: the next start begins with it. */
    private boolean isLeft;
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
            if (!isLeft && !elements.hasNext())
            {
                claimed.release();
                last = null;
                exhausted = true;
                return count;
            }
            final E event = claimed.claim(out);
            if (event == null)
            {
                return count;
            }
            last = isLeft ? last : elements.next();
            isLeft = false;
            filler.accept(last, event);
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
        isLeft |= claimed.release();
    }
}

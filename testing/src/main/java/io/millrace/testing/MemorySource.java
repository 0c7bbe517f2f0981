package io.millrace.testing;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.EventPublication;
import io.millrace.server.EventSource;

import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * A polled source in memory. A test adds what fills each event; the agent claims, fills and publishes. Any thread may
 * add. It is exhausted while nothing waits.
 * <p>
 * Where the flow has no capacity, the rest waits for the next poll.
 *
 * @param <E> type of the events.
 */
public final class MemorySource<E extends BasePoolAware> implements EventSource<E>
{
    /** Events of one poll: a source's work is bounded. */
    private static final int MAX_EVENTS = 256;

    private final Queue<Consumer<? super E>> waiting = new ConcurrentLinkedQueue<>();

    /** A source without events. */
    public MemorySource()
    {
    }

    /**
     * Add one event.
     *
     * @param fill fills it, on the agent's thread. The event has the values of its last use, so set every field. If it
     *             throws, the event is released and the agent's error policy applies.
     * @return this.
     */
    public MemorySource<E> add(final Consumer<? super E> fill)
    {
        waiting.add(Objects.requireNonNull(fill, "fill"));
        return this;
    }

    @Override
    public int poll(final EventPublication<E> out)
    {
        int published = 0;
        while (published < MAX_EVENTS && !waiting.isEmpty())
        {
            final E event = out.claim();
            if (event == null)
            {
                return published;
            }
            if (!publish(event, out))
            {
                event.release();
                return published;
            }
            published++;
        }
        return published;
    }

    private boolean publish(final E event, final EventPublication<E> out)
    {
        boolean filled = false;
        // An event whose filler or offer throws is not published again.
        boolean refused = false;
        try
        {
            waiting.element().accept(event);
            filled = true;
            refused = !out.offer(event);
        }
        finally
        {
            if (!refused)
            {
                waiting.remove();
            }
            if (!filled)
            {
                event.release();
            }
        }
        return !refused;
    }

    @Override
    public boolean isExhausted()
    {
        return waiting.isEmpty();
    }
}

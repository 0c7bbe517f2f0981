package io.millrace.server;

import io.millrace.pool.BasePoolAware;

/**
 * The event that a polled source has claimed and not yet published. It stays claimed when an input was no event, and
 * when the pipeline was full. For the polling thread.
 *
 * @param <E> type of the event.
 */
public final class ClaimedEvent<E extends BasePoolAware>
{
    private E event;
    private boolean filled;

    /** Nothing is claimed. */
    public ClaimedEvent()
    {
    }

    /**
     * An event to fill; claims one if none is there. Call {@link #publish} before: the event must not be filled.
     *
     * @param out where it is claimed.
     * @return the event; null if no capacity is free.
     */
    public E claim(final EventPublication<E> out)
    {
        if (event == null)
        {
            event = out.claim();
        }
        return event;
    }

    /** The event is filled: the next {@link #publish} offers it. */
    public void filled()
    {
        filled = true;
    }

    /**
     * Offers the event if it is filled.
     *
     * @param out where it was claimed.
     * @return false if the pipeline refused it, and it is still here.
     */
    public boolean publish(final EventPublication<E> out)
    {
        if (filled)
        {
            final E ready = event;
            // Do this first: an offer that throws has accepted the event.
            filled = false;
            event = null;
            if (!out.offer(ready))
            {
                event = ready;
                filled = true;
            }
        }
        return !filled;
    }

    /**
     * Releases the event, filled or not.
     *
     * @return whether a filled event was lost.
     */
    public boolean release()
    {
        final boolean lost = filled;
        if (event != null)
        {
            final E unused = event;
            event = null;
            filled = false;
            unused.release();
        }
        return lost;
    }
}

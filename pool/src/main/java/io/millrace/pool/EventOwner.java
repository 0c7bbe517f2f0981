package io.millrace.pool;

/**
 * What an event knows of the pool that made it: the rules by which its holds change and whom to tell of a wrong use.
 * In checked mode each event has a home of its own, its {@link CheckedOwner}, that keeps the names of the threads.
 */
abstract class EventOwner
{
    /**
     * True where consumers pass an event on by their position and write nothing into it: no hold is then the normal
     * state.
     */
    abstract boolean lendsWithoutHold();

    /**
     * True where the only holder may change the hold word by a plain release store.
     */
    abstract boolean soleHolderStores();

    /**
     * Give the last hold back by compare and set.
     *
     * @return false when the word was no longer {@code word}: look again.
     */
    abstract boolean returnLast(BasePoolAware event, long word);

    /**
     * The number of an event's lending while no hold is counted. Asked only where {@link #lendsWithoutHold()}.
     */
    long lendingOf(final BasePoolAware event)
    {
        return 0;
    }

    /**
     * Take back an event without a counted hold, from the thread that acquired it and did not publish it.
     *
     * @return false when the caller is not that thread, or the event is not so: nothing changed.
     */
    boolean abandon(final BasePoolAware event)
    {
        return false;
    }

    /**
     * Called before the first hold of an event is counted. Asked only where {@link #lendsWithoutHold()}.
     */
    void onHold()
    {
    }

    abstract void onUnheldRelease(BasePoolAware event);

    abstract void onUnheldRetain(BasePoolAware event);

    /** What to throw when somebody publishes an event that only pipelines hold, or nobody. */
    abstract IllegalArgumentException unheldOffer(BasePoolAware event);

    abstract void onLateRelease(BasePoolAware event);

    abstract void onDeadUse(BasePoolAware event);

    /**
     * Called by the pool when it lends the event. Overridden in checked mode only.
     */
    void onLent()
    {
    }
}

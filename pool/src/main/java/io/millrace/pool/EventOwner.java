package io.millrace.pool;

/**
 * Owner of an event: sets the rules for its reference count and handles wrong use. The owner is the pool that created
 * the event. In checked mode each event has its own {@link CheckedOwner}, which records thread names.
 */
abstract class EventOwner
{
    /**
     * True for a bound ring: consumers track a position and write nothing into the event, so an event in flight
     * normally has reference count 0.
     */
    abstract boolean inFlightUncounted();

    /**
     * True if the owner of the only reference may change the state word by a release store instead of compare and set.
     */
    abstract boolean soleReferenceStores();

    /**
     * Release the last reference by compare and set.
     *
     * @return false if the state was no longer {@code word}: read it again.
     */
    abstract boolean releaseLast(BasePoolAware event, long word);

    /**
     * Generation of an event while its reference count is 0. Called only if {@link #inFlightUncounted()}.
     */
    long generationOf(final BasePoolAware event)
    {
        return 0;
    }

    /**
     * Take back an acquired, unpublished event with reference count 0. Only the acquiring thread may do so.
     *
     * @param stamp generation that the event must have; {@link BasePoolAware#ANY_GENERATION} for any.
     * @return false if the caller is another thread or the event is in another state; nothing changed.
     */
    boolean abandon(final BasePoolAware event, final long stamp)
    {
        return false;
    }

    /**
     * Called before a retain raises the count from 0. Called only if {@link #inFlightUncounted()}.
     */
    void onFirstRetain()
    {
    }

    abstract void onReleaseWithoutReference(BasePoolAware event);

    abstract void onRetainWithoutReference(BasePoolAware event);

    /** The exception for publishing an event without a reference outside pipelines. */
    abstract IllegalArgumentException offerWithoutReference(BasePoolAware event);

    abstract void onLateRelease(BasePoolAware event);

    abstract void onUseAfterRelease(BasePoolAware event);

    /**
     * Called by the pool when the event is acquired. Overridden in checked mode only.
     */
    void onAcquired()
    {
    }
}

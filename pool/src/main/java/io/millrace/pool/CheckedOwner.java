package io.millrace.pool;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Owner of one event in checked mode. Records the threads that acquired and released it, and reports wrong use by a
 * {@link PoolViolationException} that names both threads.
 */
final class CheckedOwner extends EventOwner
{
    private static final String NOBODY = "nobody";

    private final EventPool<?> pool;
    private final int index;
    private volatile String acquiredBy = NOBODY;
    /** The thread that released the last reference; null while the event is in flight. */
    private final AtomicReference<String> releasedBy = new AtomicReference<>(NOBODY);
    /** The thread that released the previous generation, to report a late release by its stamp. */
    private volatile String releasedBefore = NOBODY;

    CheckedOwner(final EventPool<?> pool, final int index)
    {
        this.pool = pool;
        this.index = index;
    }

    @Override
    void onAcquired()
    {
        acquiredBy = Thread.currentThread().getName();
        releasedBefore = releasedBy.getAndSet(null);
    }

    @Override
    boolean inFlightUncounted()
    {
        return false;
    }

    @Override
    boolean soleReferenceStores()
    {
        return false;
    }

    @Override
    boolean releaseLast(final BasePoolAware event, final long word)
    {
        // Write the name first: if two threads release the same reference, the second finds the name of the first.
        if (!releasedBy.compareAndSet(null, Thread.currentThread().getName()))
        {
            onReleaseWithoutReference(event);
        }
        if (!pool.releaseLast(event, word))
        {
            releasedBy.set(null);
            return false;
        }
        return true;
    }

    @Override
    void onReleaseWithoutReference(final BasePoolAware event)
    {
        pool.onReleaseWithoutReference(event);
        throw violation("double release", event, "released again");
    }

    @Override
    void onRetainWithoutReference(final BasePoolAware event)
    {
        pool.onRetainWithoutReference(event);
        throw violation("use after release", event, "retained");
    }

    @Override
    IllegalArgumentException offerWithoutReference(final BasePoolAware event)
    {
        return pool.offerWithoutReference(event);
    }

    @Override
    void onLateRelease(final BasePoolAware event)
    {
        pool.onLateRelease(event);
        throw violation("late release", event, "released again with its stamp");
    }

    @Override
    void onUseAfterRelease(final BasePoolAware event)
    {
        throw violation("use after release", event, "used");
    }

    private PoolViolationException violation(final String what, final BasePoolAware event, final String now)
    {
        final String released = releasedBy.get();
        return new PoolViolationException(what + " of " + title(event) + ": acquired by thread '" + acquiredBy + "', " +
            (released == null ? "its previous use was released by thread '" + releasedBefore :
            "released by thread '" + released) + "', " + now + " by thread '" + Thread.currentThread().getName() + "'");
    }

    EventPool<?> pool()
    {
        return pool;
    }

    String describeInFlight(final BasePoolAware event)
    {
        return title(event) + " acquired by thread '" + acquiredBy + "' refCount=" + event.refCount();
    }

    private String title(final BasePoolAware event)
    {
        return event.getClass().getSimpleName() + "#" + index + " of pool " + pool.name();
    }
}

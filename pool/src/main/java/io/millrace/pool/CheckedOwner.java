package io.millrace.pool;

import java.util.concurrent.atomic.AtomicReference;

/**
 * The home of one event in checked mode: remembers who acquired and who released it, and turns every wrong use into a
 * {@link PoolViolationException} that names both.
 */
final class CheckedOwner extends EventOwner
{
    private static final String NOBODY = "nobody";

    private final EventPool<?> pool;
    private final int index;
    private volatile String acquiredBy = NOBODY;
    /** Who gave the last hold back: null while the event is lent. */
    private final AtomicReference<String> releasedBy = new AtomicReference<>(NOBODY);
    /** The same of the lending before, for who comes late with its stamp. */
    private volatile String releasedBefore = NOBODY;

    CheckedOwner(final EventPool<?> pool, final int index)
    {
        this.pool = pool;
        this.index = index;
    }

    @Override
    void onLent()
    {
        acquiredBy = Thread.currentThread().getName();
        releasedBefore = releasedBy.getAndSet(null);
    }

    @Override
    boolean lendsWithoutHold()
    {
        return false;
    }

    @Override
    boolean soleHolderStores()
    {
        return false;
    }

    @Override
    boolean returnLast(final BasePoolAware event, final long word)
    {
        // The name first: of two threads that see the one hold, the one that comes second finds the name of the first.
        if (!releasedBy.compareAndSet(null, Thread.currentThread().getName()))
        {
            onUnheldRelease(event);
        }
        if (!pool.returnLast(event, word))
        {
            releasedBy.set(null);
            return false;
        }
        return true;
    }

    @Override
    void onUnheldRelease(final BasePoolAware event)
    {
        pool.onUnheldRelease(event);
        throw violation("double release", event, "released again");
    }

    @Override
    void onUnheldRetain(final BasePoolAware event)
    {
        pool.onUnheldRetain(event);
        throw violation("use after release", event, "retained");
    }

    @Override
    IllegalArgumentException unheldOffer(final BasePoolAware event)
    {
        return pool.unheldOffer(event);
    }

    @Override
    void onLateRelease(final BasePoolAware event)
    {
        pool.onLateRelease(event);
        throw violation("late release", event, "released again with its stamp");
    }

    @Override
    void onDeadUse(final BasePoolAware event)
    {
        throw violation("use after release", event, "used");
    }

    private PoolViolationException violation(final String what, final BasePoolAware event, final String now)
    {
        final String released = releasedBy.get();
        return new PoolViolationException(what + " of " + title(event) + ": acquired by thread '" + acquiredBy + "', " +
            (released == null ? "the lending before was released by thread '" + releasedBefore :
            "released by thread '" + released) + "', " + now + " by thread '" + Thread.currentThread().getName() + "'");
    }

    String describeLent(final BasePoolAware event)
    {
        return title(event) + " acquired by thread '" + acquiredBy + "' holders=" + event.holders();
    }

    private String title(final BasePoolAware event)
    {
        return event.getClass().getSimpleName() + "#" + index + " of pool " + pool.name();
    }
}

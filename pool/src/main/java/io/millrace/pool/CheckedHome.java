package io.millrace.pool;

/**
 * The home of one event in checked mode: remembers who acquired and who released it, and turns every wrong use into a
 * {@link PoolViolationException} that names both. Names are written by the thread that does the thing, read when
 * something is wrong.
 */
final class CheckedHome extends PoolHome
{
    private final EventPool<?> pool;
    private final int index;
    private volatile String acquiredBy = "nobody";
    private volatile String releasedBy = "nobody";

    CheckedHome(final EventPool<?> pool, final int index)
    {
        this.pool = pool;
        this.index = index;
    }

    @Override
    void onLent()
    {
        acquiredBy = Thread.currentThread().getName();
        releasedBy = "nobody";
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
        releasedBy = Thread.currentThread().getName();
        return pool.returnLast(event, word);
    }

    @Override
    void onUnheldRelease(final BasePoolAware event)
    {
        pool.metrics().countDoubleRelease();
        throw violation("double release", event, "released again");
    }

    @Override
    void onUnheldRetain(final BasePoolAware event)
    {
        pool.onUnheldRetain(event);
        throw violation("use after release", event, "retained");
    }

    @Override
    void onLateRelease(final BasePoolAware event)
    {
        pool.onLateRelease(event);
        throw violation("late release", event, "released again with the stamp of an earlier lending");
    }

    @Override
    void onDeadUse(final BasePoolAware event)
    {
        throw violation("use after release", event, "used");
    }

    private PoolViolationException violation(final String what, final BasePoolAware event, final String now)
    {
        return new PoolViolationException(
            what + " of " + title(event) + ": acquired by thread '" + acquiredBy + "', released by thread '" +
            releasedBy + "', " + now + " by thread '" + Thread.currentThread().getName() + "'");
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

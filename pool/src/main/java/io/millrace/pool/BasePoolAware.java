package io.millrace.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Method;

/**
 * Base of every pooled event: two words of state in the object itself, so that an event is one memory access away from
 * its bookkeeping and usually on the same cache line.
 * <pre>
 *  offset (compressed class pointers)
 *   0        12       16               24               32
 *   +--------+--------+----------------+----------------+------------------
 *   | header | home   | sequence       | holds          | the fields of the event ...
 *   +--------+--------+----------------+----------------+------------------
 *    sequence   s &gt;= 0 published under sequence s; ~s published as a PAD, which consumers skip;
 *               MIN_VALUE never published
 *    holds      63        25    24        23           16    15      14           0
 *               | lending   | offered | in pipelines   | closing | holders      |
 * </pre>
 * <b>sequence</b> is written by the one publishing thread of a {@link RingPool} (release) and read by its consumers
 * (acquire).
 * <b>holds</b> is written plainly by the acquiring thread while nobody else can see the event, and afterwards changed
 * by compare and set (release), or by one release store where the caller is the only holder; the pool reads it
 * (acquire) before it lends the event again. The lending, a number that each lending of an event has for itself, makes
 * a {@linkplain #release(long) stamped} release that comes late harmless: it does not hit the next owner. Of the
 * holders, those <em>in pipelines</em> are the references that pipelines carry, so an event that nobody but pipelines
 * holds is not published again; <em>offered</em> says that this lending was in a pipeline at least once.
 * <p>
 * An instance that no pool made is a plain object: {@code retain} and {@code release} do nothing on it.
 */
public abstract class BasePoolAware implements PoolAware
{
    /**
     * Greatest number of holders of one event at one time: 15 bits, so that one {@code retain} too many cannot reach
     * the lending.
     */
    public static final int MAX_HOLDERS = 32_767;

    /**
     * Greatest number of references to one event that pipelines carry at one time: 8 bits. It is also the greatest
     * number of last stages of a pipeline that carries references.
     */
    public static final int MAX_IN_PIPELINES = 255;

    static final int LENDING_SHIFT = 25;
    static final long HOLDERS_MASK = MAX_HOLDERS;
    static final long NEVER_PUBLISHED = Long.MIN_VALUE;

    private static final long LENDING_MASK = -1L >>> LENDING_SHIFT;
    private static final long LENDING_BITS = -1L << LENDING_SHIFT;
    private static final long OFFERED = 1L << 24;
    private static final int IN_PIPELINES_SHIFT = 16;
    private static final long IN_PIPELINE = 1L << IN_PIPELINES_SHIFT;
    private static final long IN_PIPELINES_MASK = (long)MAX_IN_PIPELINES << IN_PIPELINES_SHIFT;
    /** The last hold is gone, but {@link #onRelease()} still runs: neither held nor free. */
    private static final long CLOSING = 1L << 15;
    private static final long NOT_FREE_MASK = CLOSING | HOLDERS_MASK;
    private static final VarHandle SEQUENCE;
    private static final VarHandle HOLDS;

    static
    {
        try
        {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            SEQUENCE = lookup.findVarHandle(BasePoolAware.class, "sequence", long.class);
            HOLDS = lookup.findVarHandle(BasePoolAware.class, "holds", long.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private EventOwner home;
    private long sequence = NEVER_PUBLISHED;
    private long holds;

    /**
     * Called once between two lendings, when the event is free: drop references, poison fields.
     * <p>
     * By the thread that releases the last hold, or, where consumers write nothing back (an event of a ring-bound
     * {@link RingPool}), by the acquiring thread just before it lends the event again. May be called on an event that
     * was never lent. It should not throw: the exception comes out of that release, and the event is free all the same;
     * or out of that acquire, which then has lent nothing.
     */
    protected void onRelease()
    {
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public final void retain(final int holders)
    {
        if (holders < 1 || holders > MAX_HOLDERS)
        {
            throw new IllegalArgumentException("holders " + holders + " is not in 1.." + MAX_HOLDERS);
        }
        final EventOwner pool = home;
        final long word = (long)HOLDS.getOpaque(this);
        if ((word & HOLDERS_MASK) == 1 && holders < MAX_HOLDERS && pool.soleHolderStores())
        {
            // The caller is the only holder, nobody else may change the word; pairs with the acquire load in release().
            HOLDS.setRelease(this, word + holders);
        }
        else
        {
            retainShared(pool, holders);
        }
    }

    private void retainShared(final EventOwner pool, final int holders)
    {
        if (pool == null)
        {
            return;
        }
        while (true)
        {
            final long word = (long)HOLDS.getAcquire(this);
            final long present = word & HOLDERS_MASK;
            if (present == 0 && !pool.lendsWithoutHold())
            {
                pool.onUnheldRetain(this);
                return;
            }
            if (present + holders > MAX_HOLDERS)
            {
                throw new IllegalArgumentException(
                    "holders " + (present + holders) + " is not in 1.." + MAX_HOLDERS + " of " + getClass().getName());
            }
            if (present == 0)
            {
                pool.onHold();
            }
            final long base = present == 0 ? pool.lendingOf(this) << LENDING_SHIFT : word;
            // Release: pairs with the acquire load of isFree() on the acquiring thread.
            if (HOLDS.weakCompareAndSetRelease(this, word, base + holders))
            {
                return;
            }
        }
    }

    /**
     * {@inheritDoc}
     */
    @Override
    public final void release()
    {
        release(home, 1);
    }

    private void release(final EventOwner pool, final long hold)
    {
        if (pool != null)
        {
            while (true)
            {
                final long word = (long)HOLDS.getAcquire(this);
                final long present = word & HOLDERS_MASK;
                if (present == 0)
                {
                    if (!pool.abandon(this))
                    {
                        pool.onUnheldRelease(this);
                    }
                    return;
                }
                if (dropOne(pool, word, present, hold))
                {
                    return;
                }
            }
        }
    }

    /**
     * Give one hold back, provided that the event still belongs to the lending that the stamp was taken from.
     * <p>
     * This is the release for code that cannot know whether somebody released too often: when the event was lent again
     * meanwhile, nothing happens to it. One gap is left, for speed, in an unbound {@link RingPool} outside of checked
     * mode, where the only holder gives back by a store: when two threads give back <em>the same</em> hold at the same
     * time and the pool lends the event between the look and the store of the slower one, that store frees it.
     *
     * @param stamp what {@link #stamp()} said while the caller held the event.
     * @return true when the hold was given back; false when the event had gone back before (counted by the pool as a
     * late release).
     */
    public final boolean release(final long stamp)
    {
        return release(stamp, 1);
    }

    /**
     * Pass the caller's hold on to a pipeline that carries references. For pipelines, on the publishing thread, before
     * the event can be taken out; each of its last stages gives one hold back by {@link #releasePassed(long)}.
     * <p>
     * Costs a load and a store of the event's own line where the caller is the only holder.
     *
     * @param stages number of last stages, 1 to {@link #MAX_IN_PIPELINES}.
     * @throws IllegalArgumentException when the caller cannot hold the event, because it was published or released
     * before, or when there are too many stages; nothing changed.
     */
    public final void passOn(final int stages)
    {
        final EventOwner pool = home;
        final long word = (long)HOLDS.getOpaque(this);
        if (pool != null && stages > 0 && stages <= MAX_IN_PIPELINES &&
            (word & (IN_PIPELINES_MASK | HOLDERS_MASK)) == 1 && !pool.lendsWithoutHold())
        {
            // Plain: the only holder's; what the pipeline then publishes makes it visible.
            holds = word + (stages - 1) + stages * IN_PIPELINE | OFFERED;
        }
        else if (pool != null)
        {
            passOnShared(pool, stages);
        }
    }

    private void passOnShared(final EventOwner pool, final int stages)
    {
        while (true)
        {
            final long word = (long)HOLDS.getAcquire(this);
            final long present = word & HOLDERS_MASK;
            final long carried = (word & IN_PIPELINES_MASK) >>> IN_PIPELINES_SHIFT;
            if (present - carried < 1)
            {
                throw pool.unheldOffer(this);
            }
            if (stages < 1 || carried + stages > MAX_IN_PIPELINES || present + stages - 1 > MAX_HOLDERS)
            {
                throw new IllegalArgumentException("references in pipelines " + (carried + stages) + " are not in 1.." +
                    MAX_IN_PIPELINES + ", or holders " + (present + stages - 1) + " not in 1.." + MAX_HOLDERS +
                    " of " + getClass().getName());
            }
            if (HOLDS.compareAndSet(this, word, word + (stages - 1) + stages * IN_PIPELINE | OFFERED))
            {
                return;
            }
        }
    }

    /**
     * Undo {@link #passOn(int)} of a pipeline that had no place after all.
     *
     * @param stages what was passed.
     */
    public final void takeBack(final int stages)
    {
        long word;
        do
        {
            word = (long)HOLDS.getAcquire(this);
        }
        while (home != null && !HOLDS.compareAndSet(this, word, word - (stages - 1) - stages * IN_PIPELINE));
    }

    /**
     * {@link #release(long)} for the hold that a pipeline carried. For pipelines.
     *
     * @param stamp what {@link #stamp()} said when the event was taken out.
     * @return true when the hold was given back; false when the event had gone back before.
     */
    public final boolean releasePassed(final long stamp)
    {
        return release(stamp, 1 + IN_PIPELINE);
    }

    /**
     * {@link #release()} for the hold that a pipeline carried, without a handler in between. For pipelines.
     */
    public final void releasePassed()
    {
        release(home, 1 + IN_PIPELINE);
    }

    private boolean release(final long stamp, final long hold)
    {
        final EventOwner pool = home;
        if (pool == null)
        {
            return true;
        }
        while (true)
        {
            final long word = (long)HOLDS.getAcquire(this);
            final long present = word & HOLDERS_MASK;
            if (present == 0)
            {
                return releaseUncounted(pool, stamp);
            }
            if (word >>> LENDING_SHIFT != stamp)
            {
                pool.onLateRelease(this);
                return false;
            }
            if (dropOne(pool, word, present, hold))
            {
                return true;
            }
        }
    }

    private boolean releaseUncounted(final EventOwner pool, final long stamp)
    {
        if (pool.lendsWithoutHold() && (pool.lendingOf(this) & LENDING_MASK) == stamp && pool.abandon(this))
        {
            return true;
        }
        pool.onLateRelease(this);
        return false;
    }

    private boolean dropOne(final EventOwner pool, final long word, final long present, final long hold)
    {
        if (present > 1)
        {
            // A release too many, of somebody else, may have taken the pipeline's reference out of the count.
            return HOLDS.compareAndSet(this, word, word - ((word & IN_PIPELINES_MASK) == 0 ? 1 : hold));
        }
        if (pool.soleHolderStores())
        {
            try
            {
                onRelease();
            }
            finally
            {
                // The only holder: one release store, pairs with the acquire load of isFree() on the acquiring thread.
                HOLDS.setRelease(this, word & LENDING_BITS);
            }
            return true;
        }
        return pool.returnLast(this, word);
    }

    /**
     * The number of this lending: it changes each time the pool lends the event.
     * A holder may call; the value of an event that the caller does not hold means nothing.
     *
     * @return the number of the current lending, for {@link #release(long)}; 39 bits.
     */
    public final long stamp()
    {
        final long word = (long)HOLDS.getOpaque(this);
        final EventOwner pool = home;
        return (word & HOLDERS_MASK) == 0 && pool != null && pool.lendsWithoutHold() ?
            pool.lendingOf(this) & LENDING_MASK : word >>> LENDING_SHIFT;
    }

    /**
     * How many holds are out. For tests and reports: the value may be old when it is read.
     *
     * @return 0 to {@value #MAX_HOLDERS}; an event on its way through a ring-bound pool reads 0 unless somebody
     * retained it.
     */
    public final int holders()
    {
        return (int)((long)HOLDS.getOpaque(this) & HOLDERS_MASK);
    }

    /**
     * In checked mode, refuse to go on with an event that nobody holds. In normal mode this costs nothing and checks
     * nothing. An event class calls it in its setters and getters to catch every use after release; pipelines call it
     * on offer.
     *
     * @throws PoolViolationException in checked mode, when the event was released; it names who released it and who
     *     uses it.
     */
    public final void checkLive()
    {
        if (PoolCheck.ENABLED && home != null && holders() == 0)
        {
            home.onDeadUse(this);
        }
    }

    // What follows is for the pools of this package.

    final void settle(final EventOwner newHome)
    {
        if (home != null)
        {
            throw new IllegalStateException(
                getClass().getName() + " came from a factory before: a factory must make a new event each time");
        }
        home = newHome;
    }

    /** Whether a class of events overrides {@link #onRelease()}. */
    static boolean hasReleaseHook(final Class<?> eventClass)
    {
        for (Class<?> type = eventClass; type != BasePoolAware.class; type = type.getSuperclass())
        {
            for (final Method method : type.getDeclaredMethods())
            {
                if ("onRelease".equals(method.getName()) && method.getParameterCount() == 0)
                {
                    return true;
                }
            }
        }
        return false;
    }

    final EventOwner home()
    {
        return home;
    }

    final boolean isFree()
    {
        // Acquire: pairs with the release of the last hold, so that the next owner's stores come after the last
        // holder's reads.
        return ((long)HOLDS.getAcquire(this) & NOT_FREE_MASK) == 0;
    }

    final void lend(final long lending)
    {
        // Plain: nobody else can see the event between this store and the publication that follows.
        holds = (lending << LENDING_SHIFT) + 1;
    }

    final long lastLending()
    {
        return holds >>> LENDING_SHIFT;
    }

    /** Whether somebody holds it who has not offered it to a pipeline yet. */
    final boolean isInHand()
    {
        final long word = (long)HOLDS.getAcquire(this);
        return (word & OFFERED) == 0 && (word & HOLDERS_MASK) > 0;
    }

    final boolean compareAndFree(final long word)
    {
        return HOLDS.compareAndSet(this, word, word & LENDING_BITS);
    }

    /**
     * Give the last hold back by compare and set, and run {@link #onRelease()} before the pool may lend the event.
     */
    final boolean compareAndClose(final long word)
    {
        if (!HOLDS.compareAndSet(this, word, word & LENDING_BITS | CLOSING))
        {
            return false;
        }
        try
        {
            onRelease();
        }
        finally
        {
            HOLDS.setRelease(this, word & LENDING_BITS);
        }
        return true;
    }

    final void runOnRelease()
    {
        onRelease();
    }

    final void sequenceRelease(final long value)
    {
        // Pairs with sequenceAcquire() of the consumers: everything stored into the event before is visible after.
        SEQUENCE.setRelease(this, value);
    }

    final long sequenceAcquire()
    {
        return (long)SEQUENCE.getAcquire(this);
    }

    final long sequencePlain()
    {
        return sequence;
    }
}

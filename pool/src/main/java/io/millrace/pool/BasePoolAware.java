package io.millrace.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Method;

/**
 * Base class of every pooled event. Two words of state are stored in the object itself, usually on the same cache line
 * as the event's fields.
 * <pre>
 *  offset (compressed references and class pointers)
 *   0        12       16               24               32
 *   +--------+--------+----------------+----------------+------------------
 *   | header | owner  | sequence       | state          | the fields of the event ...
 *   +--------+--------+----------------+----------------+------------------
 *    sequence   s &gt;= 0 published under sequence s; ~s published as a PAD, which consumers skip;
 *               MIN_VALUE never published
 *    state      63           25    24        23           16    15      14             0
 *               | generation   | offered | in pipelines   | closing | reference count |
 * </pre>
 * The one publishing thread of a {@link RingPool} writes <b>sequence</b> (release); its consumers read it (acquire). In
 * a {@link SharedRingPool} the word also says whether the event is claimed.
 * <p>
 * <b>state</b> is written plainly by the acquiring thread while no other thread can see the event. Later it is changed
 * by compare and set (release), or by one release store if the caller has the only reference. The pool reads it
 * (acquire) before it hands the event out again.
 * <ul>
 * <li>The <em>generation</em> changes each time the event is acquired. It makes a late {@linkplain #release(long)
 * stamped} release harmless: the release does not affect the next user of the event.</li>
 * <li><em>In pipelines</em> is the part of the reference count that pipelines carry. An event that only pipelines
 * reference cannot be published again.</li>
 * <li><em>Offered</em> means that the current generation was in a pipeline at least once.</li>
 * </ul>
 * An instance that was not created by a pool is a plain object: {@code retain} and {@code release} have no effect.
 */
public abstract class BasePoolAware implements PoolAware
{
    /**
     * Greatest reference count of one event: 15 bits. A {@code retain} beyond it is refused, so the count cannot
     * overflow into the generation.
     */
    public static final int MAX_REF_COUNT = 32_767;

    /**
     * Greatest number of references to one event that pipelines carry at one time: 8 bits. It is also the greatest
     * number of terminal stages of a pipeline that carries references.
     */
    public static final int MAX_IN_PIPELINES = 255;

    static final int GENERATION_SHIFT = 25;
    static final long REF_COUNT_MASK = MAX_REF_COUNT;
    static final long NEVER_PUBLISHED = Long.MIN_VALUE;
    /** Instead of a stamp, which is never negative. */
    static final long ANY_GENERATION = -1;

    private static final long GENERATION_MASK = -1L >>> GENERATION_SHIFT;
    private static final long GENERATION_BITS = -1L << GENERATION_SHIFT;
    private static final long OFFERED = 1L << 24;
    private static final int IN_PIPELINES_SHIFT = 16;
    private static final long IN_PIPELINE = 1L << IN_PIPELINES_SHIFT;
    private static final long IN_PIPELINES_MASK = (long)MAX_IN_PIPELINES << IN_PIPELINES_SHIFT;
    /** The reference count is 0, but {@link #onRelease()} still runs: the event is not free yet. */
    private static final long CLOSING = 1L << 15;
    private static final long NOT_FREE_MASK = CLOSING | REF_COUNT_MASK;
    private static final VarHandle SEQUENCE;
    private static final VarHandle STATE;

    static
    {
        try
        {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            SEQUENCE = lookup.findVarHandle(BasePoolAware.class, "sequence", long.class);
            STATE = lookup.findVarHandle(BasePoolAware.class, "state", long.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private EventOwner owner;
    private long sequence = NEVER_PUBLISHED;
    private long state;

    /**
     * Called once between two uses of the event, when it is free. Override it to clear references or poison fields.
     * <p>
     * The caller is the thread that releases the last reference. For a bound {@link RingPool}, whose consumers write
     * nothing into the event, it is the acquiring thread, just before it acquires the event again. The method may be
     * called on an event that was never acquired.
     * <p>
     * It should not throw. An exception propagates out of the release, and the event is free nevertheless; or out of
     * the acquire, which then acquires nothing.
     */
    protected void onRelease()
    {
    }

    @Override
    public final void retain(final int count)
    {
        if (count < 1 || count > MAX_REF_COUNT)
        {
            throw new IllegalArgumentException("count " + count + " is not in 1.." + MAX_REF_COUNT);
        }
        final EventOwner pool = owner;
        final long word = (long)STATE.getOpaque(this);
        if ((word & REF_COUNT_MASK) == 1 && count < MAX_REF_COUNT && pool.soleReferenceStores())
        {
            // The caller has the only reference, so no other thread may change the state.
            // Release: pairs with the acquire load in release().
            STATE.setRelease(this, word + count);
        }
        else
        {
            retainShared(pool, count);
        }
    }

    private void retainShared(final EventOwner pool, final int count)
    {
        if (pool == null)
        {
            return;
        }
        while (true)
        {
            final long word = (long)STATE.getAcquire(this);
            final long present = word & REF_COUNT_MASK;
            if (present == 0 && !pool.inFlightUncounted())
            {
                pool.onRetainWithoutReference(this);
                return;
            }
            if (present + count > MAX_REF_COUNT)
            {
                throw new IllegalArgumentException("reference count " + (present + count) + " is not in 1.." +
                    MAX_REF_COUNT + " of " + getClass().getName());
            }
            if (present == 0)
            {
                pool.onFirstRetain();
            }
            final long base = present == 0 ? pool.generationOf(this) << GENERATION_SHIFT : word;
            // Release: pairs with the acquire load of isFree() on the acquiring thread.
            if (STATE.weakCompareAndSetRelease(this, word, base + count))
            {
                return;
            }
        }
    }

    @Override
    public final void release()
    {
        release(owner, 1);
    }

    private void release(final EventOwner pool, final long reference)
    {
        if (pool != null)
        {
            while (true)
            {
                final long word = (long)STATE.getAcquire(this);
                final long present = word & REF_COUNT_MASK;
                if (present == 0)
                {
                    if (!pool.abandon(this, ANY_GENERATION))
                    {
                        pool.onReleaseWithoutReference(this);
                    }
                    return;
                }
                if (decrement(pool, word, present, reference))
                {
                    return;
                }
            }
        }
    }

    /**
     * Release one reference, if the event still has the generation of the stamp.
     * <p>
     * Use it if other code may have released once too often: if the event was acquired again meanwhile, this call does
     * nothing.
     * <p>
     * One race is not prevented, for speed: in an unbound {@link RingPool} outside checked mode the last release is a
     * plain store. Two threads release <em>the same</em> reference at the same time, and the pool hands the event out
     * before the slower thread's store. That store then frees the event.
     *
     * @param stamp value of {@link #stamp()}, read while the caller had a reference.
     * @return true if the reference was released; false if the event had been released before. The pool counts this
     * case as a late release.
     */
    public final boolean release(final long stamp)
    {
        return release(stamp, 1);
    }

    /**
     * Pass the caller's reference on to a pipeline that carries references. Called by pipelines on the publishing
     * thread, before a stage can take the event. Each terminal stage releases one reference by
     * {@link #releasePassed(long)}.
     * <p>
     * Costs one load and one store on the event's own cache line if the caller has the only reference.
     *
     * @param stages number of terminal stages, 1 to {@link #MAX_IN_PIPELINES}.
     * @throws IllegalArgumentException if the caller cannot have a reference, because the event was published or
     * released before, or if there are too many stages; nothing changed.
     */
    public final void passOn(final int stages)
    {
        final EventOwner pool = owner;
        final long word = (long)STATE.getOpaque(this);
        if (pool != null && stages > 0 && stages <= MAX_IN_PIPELINES &&
            (word & (IN_PIPELINES_MASK | REF_COUNT_MASK)) == 1 && !pool.inFlightUncounted())
        {
            // Plain: only this thread has a reference. The pipeline's publication makes the store visible.
            state = word + (stages - 1) + stages * IN_PIPELINE | OFFERED;
        }
        else if (pool != null)
        {
            passOnShared(pool, stages);
        }
    }

    /**
     * {@link #passOn(int)} to one stage that is called now, and is done with the event when the call returns. The
     * caller then calls {@link #takeBack}.
     *
     * @return the state of the event, for takeBack.
     * @throws IllegalArgumentException as passOn.
     */
    public final long passOn()
    {
        final EventOwner pool = owner;
        final long word = (long)STATE.getOpaque(this);
        if (pool != null && (word & (IN_PIPELINES_MASK | REF_COUNT_MASK)) == 1 && pool.soleReferenceStores())
        {
            final long passedOn = word + IN_PIPELINE | OFFERED;
            // Plain: only this thread has a reference.
            state = passedOn;
            return passedOn;
        }
        passOn(1);
        // No event with a reference has this state: takeBack then releases as any other caller.
        return state | CLOSING;
    }

    /**
     * Release the reference of {@link #passOn()}. Called on the same thread. If somebody has released it meanwhile, it
     * counts as a late release; checked mode throws.
     *
     * @param passedOn result of passOn.
     */
    public final void takeBack(final long passedOn)
    {
        // Acquire: pairs with the releases of other threads that had a reference.
        if ((long)STATE.getAcquire(this) == passedOn)
        {
            free(passedOn);
        }
        else
        {
            releasePassed(passedOn >>> GENERATION_SHIFT);
        }
    }

    private void free(final long word)
    {
        try
        {
            onRelease();
        }
        finally
        {
            // The last reference. Release: pairs with the acquire load of isFree() on the acquiring thread.
            STATE.setRelease(this, word & GENERATION_BITS);
        }
    }

    private void passOnShared(final EventOwner pool, final int stages)
    {
        while (true)
        {
            final long word = (long)STATE.getAcquire(this);
            final long present = word & REF_COUNT_MASK;
            final long carried = (word & IN_PIPELINES_MASK) >>> IN_PIPELINES_SHIFT;
            if (present - carried < 1)
            {
                throw pool.offerWithoutReference(this);
            }
            if (stages < 1 || carried + stages > MAX_IN_PIPELINES || present + stages - 1 > MAX_REF_COUNT)
            {
                throw new IllegalArgumentException("references in pipelines " + (carried + stages) + " are not in 1.." +
                    MAX_IN_PIPELINES + ", or reference count " + (present + stages - 1) + " not in 1.." +
                    MAX_REF_COUNT + " of " + getClass().getName());
            }
            if (STATE.compareAndSet(this, word, word + (stages - 1) + stages * IN_PIPELINE | OFFERED))
            {
                return;
            }
        }
    }

    /**
     * Undo {@link #passOn(int)}, for a pipeline that turned out to be full.
     *
     * @param stages the argument of that call.
     */
    public final void undoPassOn(final int stages)
    {
        long word;
        do
        {
            word = (long)STATE.getAcquire(this);
        }
        while (owner != null && !STATE.compareAndSet(this, word, word - (stages - 1) - stages * IN_PIPELINE));
    }

    /**
     * Release the reference of a publisher that gets an exception: a publish that throws leaves no event to its caller.
     * Called by pipelines. No effect if the publisher cannot have a reference, because the event is in pipelines only.
     *
     * @param why the exception; it gets that of {@link #onRelease()} as a suppressed one.
     */
    public final void releaseRefused(final Throwable why)
    {
        final long word = (long)STATE.getAcquire(this);
        if ((word & REF_COUNT_MASK) > (word & IN_PIPELINES_MASK) >>> IN_PIPELINES_SHIFT)
        {
            try
            {
                release();
            }
            catch (final Throwable ex)
            {
                if (ex != why)
                {
                    why.addSuppressed(ex);
                }
            }
        }
    }

    /**
     * {@link #release(long)} of a reference that a pipeline carried. Called by pipelines.
     *
     * @param stamp value of {@link #stamp()}, read when the stage took the event.
     * @return true if the reference was released; false if the event had been released before.
     */
    public final boolean releasePassed(final long stamp)
    {
        return release(stamp, 1 + IN_PIPELINE);
    }

    /**
     * {@link #release()} of a reference that a pipeline carried, for an event that no handler saw. Called by pipelines.
     */
    public final void releasePassed()
    {
        release(owner, 1 + IN_PIPELINE);
    }

    private boolean release(final long stamp, final long reference)
    {
        final EventOwner pool = owner;
        if (pool == null)
        {
            return true;
        }
        while (true)
        {
            final long word = (long)STATE.getAcquire(this);
            final long present = word & REF_COUNT_MASK;
            if (present == 0)
            {
                return releaseUncounted(pool, stamp);
            }
            if (word >>> GENERATION_SHIFT != stamp)
            {
                pool.onLateRelease(this);
                return false;
            }
            if (decrement(pool, word, present, reference))
            {
                return true;
            }
        }
    }

    /** Whether a sequence has the generation of a stamp. */
    static boolean isGeneration(final long sequence, final long stamp)
    {
        return stamp == ANY_GENERATION || (sequence & GENERATION_MASK) == stamp;
    }

    private boolean releaseUncounted(final EventOwner pool, final long stamp)
    {
        if (pool.inFlightUncounted() && pool.abandon(this, stamp))
        {
            return true;
        }
        pool.onLateRelease(this);
        return false;
    }

    private boolean decrement(final EventOwner pool, final long word, final long present, final long reference)
    {
        if (present > 1)
        {
            // An extra release by other code may already have removed the pipeline's reference from the count.
            return STATE.compareAndSet(this, word, word - ((word & IN_PIPELINES_MASK) == 0 ? 1 : reference));
        }
        if (pool.soleReferenceStores())
        {
            free(word);
            return true;
        }
        return pool.releaseLast(this, word);
    }

    /**
     * Generation of the event: it changes each time the event is acquired. The value is meaningful only while the
     * caller has a reference.
     *
     * @return the current generation, for {@link #release(long)}; 39 bits.
     */
    public final long stamp()
    {
        final long word = (long)STATE.getOpaque(this);
        final EventOwner pool = owner;
        return (word & REF_COUNT_MASK) == 0 && pool != null && pool.inFlightUncounted() ?
            pool.generationOf(this) & GENERATION_MASK : word >>> GENERATION_SHIFT;
    }

    /**
     * Current reference count. For tests and reports: the value may be out of date when the caller sees it.
     *
     * @return 0 to {@value #MAX_REF_COUNT}. An event of a bound ring has count 0 in flight, unless it was retained.
     */
    public final int refCount()
    {
        return (int)((long)STATE.getOpaque(this) & REF_COUNT_MASK);
    }

    /**
     * In checked mode, throw if the event was released. In normal mode this call does nothing, and the compiler removes
     * it. An event class calls it in its setters and getters to catch every use after release; pipelines call it on
     * offer.
     *
     * @throws PoolViolationException in checked mode, if the event was released. The message names the thread that
     *     released it and the thread that uses it.
     */
    public final void checkLive()
    {
        if (PoolCheck.ENABLED && owner != null && refCount() == 0)
        {
            owner.onUseAfterRelease(this);
        }
    }

    /**
     * Whether a pool has created this event. Any thread.
     *
     * @param pool a pool.
     * @return true if it has.
     */
    public final boolean isOf(final ObjectPool<?> pool)
    {
        return (owner instanceof CheckedOwner ? ((CheckedOwner)owner).pool() : owner) == pool;
    }

    // The methods below are for the pools of this package.

    final void setOwner(final EventOwner newOwner)
    {
        if (owner != null)
        {
            throw new IllegalStateException(
                getClass().getName() + " came from a factory before: a factory must create a new event each time");
        }
        owner = newOwner;
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

    final EventOwner owner()
    {
        return owner;
    }

    final boolean isFree()
    {
        // Acquire: pairs with the release of the last reference, so that the next user's stores come after the last
        // user's reads.
        return ((long)STATE.getAcquire(this) & NOT_FREE_MASK) == 0;
    }

    final void beginGeneration(final long generation)
    {
        // Plain: no other thread can see the event between this store and its publication.
        state = (generation << GENERATION_SHIFT) + 1;
    }

    final long lastGeneration()
    {
        return state >>> GENERATION_SHIFT;
    }

    /** Whether the event is referenced and was not offered to a pipeline since it was acquired. */
    final boolean isUnoffered()
    {
        final long word = (long)STATE.getAcquire(this);
        return (word & OFFERED) == 0 && (word & REF_COUNT_MASK) > 0;
    }

    final boolean compareAndFree(final long word)
    {
        return STATE.compareAndSet(this, word, word & GENERATION_BITS);
    }

    /**
     * Release the last reference by compare and set, and run {@link #onRelease()} before the event becomes free.
     */
    final boolean compareAndClose(final long word)
    {
        if (!STATE.compareAndSet(this, word, word & GENERATION_BITS | CLOSING))
        {
            return false;
        }
        try
        {
            onRelease();
        }
        finally
        {
            STATE.setRelease(this, word & GENERATION_BITS);
        }
        return true;
    }

    final void runOnRelease()
    {
        onRelease();
    }

    final void sequenceRelease(final long value)
    {
        // Release: pairs with sequenceAcquire() of the consumers, which then see all earlier stores to the event.
        SEQUENCE.setRelease(this, value);
    }

    final void sequenceOpaque(final long value)
    {
        SEQUENCE.setOpaque(this, value);
    }

    final boolean compareAndSetSequence(final long expected, final long value)
    {
        // Also a release: pairs with sequenceAcquire() of the consumers.
        return SEQUENCE.compareAndSet(this, expected, value);
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

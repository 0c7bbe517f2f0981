package io.millrace.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * A pool whose events form a ring. One thread acquires them in ring order; any thread may release them.
 * <p>
 * <b>Unbound</b>: an event is free if its reference count is 0. {@code acquire} is one read and one plain store; the
 * release of the only reference is one release store. An event that stays in use stops the ring: the pool is then
 * exhausted even if later events are free.
 * <p>
 * <b>Bound</b> to a ring pipeline by {@link #bind(GatingSequence)}: pool and pipeline are one ring, and events are
 * published in the order in which they were acquired. An event is free if all consumers' positions have passed it and
 * it is not {@linkplain BasePoolAware#retain(int) retained}. Consumers write nothing into it. An acquired event that is
 * not published (released instead, or overtaken by a later one) becomes a PAD: consumers skip it, and it is counted.
 * <p>
 * The acquiring thread of a bound ring has an uncounted reference to each event until it publishes it. Its releases
 * drop counted references first (for example of a {@code retain} for a failed offer), the uncounted one last. After a
 * {@code retain} for another thread, release an unpublished event only after that thread has released it. An earlier
 * release would drop the other thread's reference.
 * <p>
 * The cost of a cycle is the transfer of the event's cache line between the cores: see {@code docs/pooling.md}.
 *
 * @param <E> type of the events.
 */
public final class RingPool<E extends BasePoolAware> extends RingPoolProducer<E>
{
    /**
     * Greatest first sequence: 2^20 events before overflow. From 0, overflow takes 292 years at 10^9 events a second.
     */
    public static final long MAX_FIRST_SEQUENCE = Long.MAX_VALUE - (1L << 20);

    private static final VarHandle RING;

    static
    {
        try
        {
            RING = MethodHandles.lookup().findVarHandle(RingPool.class, "ring", BasePoolAware[].class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    byte p400, p401, p402, p403, p404, p405, p406, p407, p408, p409, p410, p411, p412, p413, p414, p415;
    byte p416, p417, p418, p419, p420, p421, p422, p423, p424, p425, p426, p427, p428, p429, p430, p431;
    byte p432, p433, p434, p435, p436, p437, p438, p439, p440, p441, p442, p443, p444, p445, p446, p447;
    byte p448, p449, p450, p451, p452, p453, p454, p455, p456, p457, p458, p459, p460, p461, p462, p463;
    byte p464, p465, p466, p467, p468, p469, p470, p471, p472, p473, p474, p475, p476, p477, p478, p479;
    byte p480, p481, p482, p483, p484, p485, p486, p487, p488, p489, p490, p491, p492, p493, p494, p495;
    byte p496, p497, p498, p499, p500, p501, p502, p503, p504, p505, p506, p507, p508, p509, p510, p511;
    byte p512, p513, p514, p515, p516, p517, p518, p519, p520, p521, p522, p523, p524, p525, p526, p527;

    /**
     * Creates a ring that is named after its event class and returns null when it is exhausted.
     *
     * @param factory  creates one new event at each call.
     * @param capacity number of events, a power of two in 1..{@link ObjectPool#MAX_CAPACITY}.
     * @throws IllegalArgumentException if the capacity is out of range.
     * @throws NullPointerException     if the factory returns null.
     * @throws IllegalStateException    if the factory returns the same event twice.
     */
    public RingPool(final Supplier<? extends E> factory, final int capacity)
    {
        this(factory, capacity, Exhaustion.fail(), 0L, null);
    }

    /**
     * Creates a ring.
     *
     * @param name          for messages and reports.
     * @param factory       creates one new event at each call.
     * @param capacity      number of events, a power of two in 1..{@link ObjectPool#MAX_CAPACITY}.
     * @param policy        policy for a request when no event is free.
     * @param firstSequence sequence of the first event, 0 to {@link #MAX_FIRST_SEQUENCE}; 0 except in tests near the
     *                      overflow.
     * @throws IllegalArgumentException if a value is out of range.
     * @throws NullPointerException     if the factory returns null.
     * @throws IllegalStateException    if the factory returns the same event twice.
     */
    public RingPool(
        final String name,
        final Supplier<? extends E> factory,
        final int capacity,
        final Exhaustion policy,
        final long firstSequence)
    {
        this(factory, capacity, policy, firstSequence, Objects.requireNonNull(name, "name"));
    }

    private RingPool(
        final Supplier<? extends E> factory,
        final int capacity,
        final Exhaustion policy,
        final long firstSequence,
        final String nameOrNull)
    {
        super(nameOrNull, factory, policy);
        createEvents(capacity, firstSequence, MAX_FIRST_SEQUENCE);
        if (policy.grows())
        {
            ObjectPool.checkRingCapacity("maxCapacity", policy.limit(capacity));
        }
        claimed = firstSequence;
        published = firstSequence;
        limit = firstSequence;
        freeTo = firstSequence;
    }

    /**
     * Bind this pool to a pipeline, as its memory. Call it once, before the first event is acquired.
     *
     * @param consumers position of the consumers.
     * @throws IllegalStateException if the pool is bound already, was used, or may grow (a bound ring's capacity is
     *     the pipeline's).
     */
    public void bind(final GatingSequence consumers)
    {
        bindTo(consumers, claimed != published || reused != 0);
        padsAhead = 0;
        // An earlier answer of hasCapacity() is for a pool without consumers: forget it.
        limit = claimed;
        freeTo = claimed;
    }

    /**
     * {@inheritDoc}
     * The one acquiring thread only.
     */
    @Override
    public E acquire()
    {
        if (PoolCheck.ENABLED)
        {
            claimOwnership();
        }
        final long sequence = claimed;
        return isNextFree() ? take(ring[(int)sequence & mask], sequence) : acquireSlow();
    }

    private E acquireSlow()
    {
        final E event = tryAcquire();
        return event != null ? event : acquireByPolicy();
    }

    @Override
    E tryAcquire()
    {
        final long sequence = claimed;
        return hasCapacityTo(sequence + 1) ? take(ring[(int)sequence & mask], sequence) : null;
    }

    @SuppressWarnings("unchecked")
    private E take(final BasePoolAware event, final long sequence)
    {
        if (prepares)
        {
            prepare(event, sequence);
        }
        claimedOpaque(sequence + 1);
        return (E)event;
    }

    private void prepare(final BasePoolAware event, final long sequence)
    {
        if (PoolCheck.ENABLED)
        {
            event.beginGeneration(sequence);
            event.owner().onAcquired();
        }
        else if (gate == null)
        {
            event.beginGeneration(sequence + reused);
        }
        else
        {
            event.runOnRelease();
        }
    }

    /**
     * Acquire the event that was acquired last once more, if it is free again; otherwise as {@link #acquire()}. For a
     * caller that gets its events back before it acquires another: their lines are then in the nearest cache. Each use
     * of an event has a generation of its own. The acquiring thread only.
     * <p>
     * In a bound pool and in checked mode this is the same as {@code acquire}. In checked mode, a use after release is
     * so noticed for as long as before. A pool whose policy waits does not see the last event while it waits. Before
     * the first acquire, the event of the last slot counts as the last one.
     *
     * @return an event with reference count 1, or null as {@code acquire}.
     */
    @SuppressWarnings("unchecked")
    public E acquireLast()
    {
        final long last = claimed - 1;
        final BasePoolAware event = ring[(int)last & mask];
        if (PoolCheck.ENABLED || gate != null || !event.isFree())
        {
            return acquire();
        }
        event.beginGeneration(last + ++reused);
        return (E)event;
    }

    /**
     * Whether the next {@link #acquireLast} takes the event that was acquired last. The acquiring thread only.
     *
     * @return true if it does; false means that it acquires the next one.
     */
    public boolean isLastFree()
    {
        return !PoolCheck.ENABLED && gate == null && ring[(int)(claimed - 1) & mask].isFree();
    }

    /**
     * Whether the next {@link #acquire} takes an event that is known to be free. The acquiring thread only.
     *
     * @return true if it does; false means that it has to look, or that none is free.
     */
    public boolean isNextFree()
    {
        return claimed - freeTo < 0;
    }

    /**
     * Acquire several events at once. The acquiring thread only; bound pools only. The call never waits, under any
     * policy.
     *
     * @param count number of events, 1 to the capacity.
     * @return sequence of the first event, for {@link #event(long)} and {@link #publish(long, int)}; -1 if fewer events
     * are free in a row.
     * @throws IllegalArgumentException if the count is out of range.
     * @throws IllegalStateException    if the pool is not bound.
     */
    public long claim(final int count)
    {
        checkBound("claim from");
        checkCount(count);
        if (PoolCheck.ENABLED)
        {
            claimOwnership();
        }
        final long first = claimed;
        final long end = first + count;
        if (end - freeTo > 0 && !hasCapacityTo(end))
        {
            metrics().countExhausted();
            return -1;
        }
        take(first, end);
        return first;
    }

    private void take(final long first, final long end)
    {
        for (long sequence = first; sequence < end && prepares; sequence++)
        {
            prepare(ring[(int)sequence & mask], sequence);
        }
        // Last: if a hook throws, no event is acquired.
        claimedOpaque(end);
    }

    /**
     * Publish an event to the consumers. The acquiring thread only; bound pools only. Events that were acquired before
     * it and not published become PADs.
     *
     * @param event acquired from this pool and not yet published.
     * @throws IllegalArgumentException if the event is from another pool or already published; nothing changed.
     * @throws IllegalStateException    if the pool is not bound.
     * @throws PoolViolationException   in checked mode, if the pool belongs to another thread or the event was
     *     released.
     */
    public void publish(final E event)
    {
        if (PoolCheck.ENABLED && event != null)
        {
            checkPublishable(event);
        }
        final long sequence = published;
        if (ring[(int)sequence & mask] == event && sequence != claimed && padsAhead == 0)
        {
            publishedOpaque(sequence + 1);
            event.sequenceRelease(sequence);
        }
        else
        {
            publishSlow(event);
        }
    }

    private void publishSlow(final BasePoolAware event)
    {
        checkBound("publish to");
        final long sequence = unpublishedSequence(Objects.requireNonNull(event, "event"));
        if (sequence < 0 || isPad(sequence))
        {
            throw cannotPublish(event);
        }
        padTo(sequence);
        publishedOpaque(sequence + 1);
        event.sequenceRelease(sequence);
        publishedTo(sequence + 1);
    }

    /**
     * Publish the events of {@link #claim(int)} at once. The sequence of the first event is written last, so a consumer
     * that waits for it finds the whole batch. Events of the batch that were released stay PADs. The acquiring thread
     * only; bound pools only.
     *
     * @param first sequence of the first event.
     * @param count number of events.
     * @throws IllegalArgumentException if these are not claimed and unpublished events; nothing changed.
     * @throws IllegalStateException    if the pool is not bound.
     */
    public void publish(final long first, final int count)
    {
        checkBound("publish to");
        if (count < 1 || first < 0 || first > claimed || count > claimed - first ||
            !areUnpublished(first, first + count))
        {
            throw new IllegalArgumentException(count + " events from " + first + " of ring " + name() +
                " cannot be published: claimed and unpublished are " + published + " to " + (claimed - 1));
        }
        final long end = first + count;
        if (PoolCheck.ENABLED)
        {
            checkPublishable(first, end);
        }
        if (end <= published)
        {
            return;
        }
        padTo(first);
        final long next = Math.max(first, published);
        publishedOpaque(end);
        if (padsAhead == 0)
        {
            final BasePoolAware[] events = ring;
            for (long sequence = end - 1; sequence >= next; sequence--)
            {
                events[(int)sequence & mask].sequenceRelease(sequence);
            }
        }
        else
        {
            publishAmongPads(next, end);
        }
    }

    /**
     * Hand the pool over to another acquiring thread: the next thread that acquires. The current acquiring thread calls
     * this. It must then pass the pool on by a happens-before edge (starting a thread, a lock, a queue).
     */
    public void handOver()
    {
        if (PoolCheck.ENABLED)
        {
            checkOwner("handed over", ring[(int)claimed & mask]);
        }
        // The next thread becomes the owner when it reads the consumers' position: make it read at its first acquire.
        limit = claimed;
        freeTo = claimed;
        owner = null;
    }

    /**
     * An event that its acquiring thread releases instead of publishing becomes a PAD at once. Consumers skip it when
     * they reach it.
     */
    @Override
    boolean abandon(final BasePoolAware event, final long stamp)
    {
        if (gate == null || !isAcquiringThread())
        {
            return false;
        }
        // One look: after a hand-over the next thread may acquire the event meanwhile, with the next generation.
        final long sequence = unpublishedSequence(event);
        if (sequence < 0 || !BasePoolAware.isGeneration(sequence, stamp) || isPad(sequence))
        {
            return false;
        }
        pad(event, sequence);
        padsAhead++;
        publishedTo(published);
        return true;
    }

    @Override
    E grow()
    {
        final BasePoolAware[] old = ring;
        final int size = old.length;
        if (size * 2 > policy().limit(size))
        {
            return null;
        }
        final BasePoolAware[] larger = new BasePoolAware[size * 2];
        final int next = (int)claimed;
        for (int i = 0; i < size; i++)
        {
            // The new events are acquired next, then the old ones, starting with the one acquired first.
            larger[next + i & larger.length - 1] = create(size + i);
            larger[next + size + i & larger.length - 1] = old[next + i & mask];
        }
        metrics().countGrown(size);
        mask = larger.length - 1;
        RING.setRelease(this, larger);
        return tryAcquire();
    }

    @Override
    public int capacity()
    {
        return events().length;
    }

    @Override
    BasePoolAware[] events()
    {
        // Acquire: pairs with the release in grow(), so that a reporting thread sees the new events.
        return (BasePoolAware[])RING.getAcquire(this);
    }
}

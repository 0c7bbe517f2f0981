package io.millrace.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * A pool whose events stand in a ring and are lent in ring order, by one acquiring thread; any thread may give them
 * back.
 * <p>
 * <b>Unbound</b>, an event is free when its hold word says so: lend is a look and a plain store, release by the only
 * holder is one release store. An event that is held for long stops the ring there: the pool is then exhausted although
 * others may be free.
 * <p>
 * <b>Bound</b> to the pipeline of a ring by {@link #bind(GatingSequence)}, acquire order is publish order and pool and
 * pipeline are one: an event is free when all consumers' positions have passed it and nobody
 * {@linkplain BasePoolAware#retain(int) retained} it. Consumers write nothing into it. An event that was acquired but
 * not published (released instead, or overtaken by a later one) is published as a PAD that consumers skip, and counted.
 * <p>
 * Until it publishes an event, the acquiring thread of a bound ring holds it without a count. Its releases give back
 * counted holds first (those of a {@code retain} for an offer that failed) and its own hold last. So who retained an
 * event for somebody else and then does not want to publish it, lets the other release first: a release before that
 * would give back the other's hold.
 * <p>
 * The cost of a cycle is the cache line of the event that travels between the cores, see {@code docs/pooling.md}.
 *
 * @param <E> type of the events.
 */
public final class RingPool<E extends BasePoolAware> extends RingPoolProducer<E>
{
    /**
     * Greatest first sequence: 2^20 events before the sequence would overflow. From 0 it is 292 years at 10^9 a second.
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

    byte p100, p101, p102, p103, p104, p105, p106, p107, p108, p109, p110, p111, p112, p113, p114, p115;
    byte p116, p117, p118, p119, p120, p121, p122, p123, p124, p125, p126, p127, p128, p129, p130, p131;
    byte p132, p133, p134, p135, p136, p137, p138, p139, p140, p141, p142, p143, p144, p145, p146, p147;
    byte p148, p149, p150, p151, p152, p153, p154, p155, p156, p157, p158, p159, p160, p161, p162, p163;

    /**
     * A ring named after the class of its events, that says null when it is exhausted.
     *
     * @param factory  makes one new event at each call.
     * @param capacity number of events, a power of two in 1..{@link ObjectPool#MAX_CAPACITY}.
     * @throws IllegalArgumentException when the capacity is out of range.
     * @throws NullPointerException     when the factory makes none.
     * @throws IllegalStateException    when the factory makes the same event again.
     */
    public RingPool(final Supplier<? extends E> factory, final int capacity)
    {
        this(factory, capacity, Exhaustion.fail(), 0L, null);
    }

    /**
     * A ring of events.
     *
     * @param name          for messages and reports.
     * @param factory       makes one new event at each call.
     * @param capacity      number of events, a power of two in 1..{@link ObjectPool#MAX_CAPACITY}.
     * @param policy        what to do when none is free.
     * @param firstSequence sequence of the first event, 0 to {@link #MAX_FIRST_SEQUENCE}; 0 but in tests of the far
     *                      end.
     * @throws IllegalArgumentException when a value is out of range.
     * @throws NullPointerException     when the factory makes none.
     * @throws IllegalStateException    when the factory makes the same event again.
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
        ObjectPool.checkRingCapacity("capacity", capacity);
        if (policy.grows())
        {
            ObjectPool.checkRingCapacity("maxCapacity", policy.limit(capacity));
        }
        if (firstSequence < 0 || firstSequence > MAX_FIRST_SEQUENCE)
        {
            throw new IllegalArgumentException(
                "firstSequence " + firstSequence + " is not in 0.." + MAX_FIRST_SEQUENCE);
        }
        ring = new BasePoolAware[capacity];
        mask = capacity - 1;
        for (int i = 0; i < capacity; i++)
        {
            ring[i] = create(i);
        }
        // Each class once: reflection copies its methods.
        hasReleaseHook =
            Arrays.stream(ring).map(Object::getClass).distinct().anyMatch(BasePoolAware::hasReleaseHook);
        claimed = firstSequence;
        published = firstSequence;
        limit = firstSequence;
        freeTo = firstSequence;
    }

    /**
     * Make this pool the memory of a pipeline. Once, before the first event is acquired.
     *
     * @param consumers tells how far the consumers are.
     * @throws IllegalStateException when the pool is bound already, was used, or may grow (a bound ring's capacity is
     *     the pipeline's).
     */
    public void bind(final GatingSequence consumers)
    {
        final boolean used = claimed != published;
        if (gate != null || used || policy().grows())
        {
            throw new IllegalStateException("pool " + name() + " cannot be bound to a pipeline: " +
                (gate != null ? "it is bound already" :
                used ? "it was used before" : "its policy is " + policy()));
        }
        gate = Objects.requireNonNull(consumers, "consumers");
        padsAhead = 0;
        // Whoever asked for room before was told of a pool without consumers.
        limit = claimed;
        freeTo = claimed;
        holdsSeen = PoolCheck.ENABLED;
        prepares = PoolCheck.ENABLED || hasReleaseHook;
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
            takeOwnership();
        }
        final long sequence = claimed;
        return sequence - freeTo < 0 ? lend(ring[(int)sequence & mask], sequence) : acquireSlow();
    }

    /**
     * As {@link #acquire()}, but only where nothing has to be looked at or done: the common case of a bound ring, small
     * enough to become part of whatever calls it. The acquiring thread only.
     *
     * @return the event; null says nothing, then it is for {@code acquire()} to say.
     */
    public E acquireKnownFree()
    {
        final long sequence = claimed;
        if (prepares || sequence - freeTo >= 0)
        {
            return null;
        }
        claimedOpaque(sequence + 1);
        return event(sequence);
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
        return isRoomTo(sequence + 1) ? lend(ring[(int)sequence & mask], sequence) : null;
    }

    @SuppressWarnings("unchecked")
    private E lend(final BasePoolAware event, final long sequence)
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
            event.lend(sequence);
            event.home().onLent();
        }
        else if (gate == null)
        {
            event.lend(sequence);
        }
        else
        {
            event.runOnRelease();
        }
    }

    /**
     * Borrow several events at once. The acquiring thread only; bound pools only; no waiting, whatever the policy.
     *
     * @param count how many, 1 to the capacity.
     * @return sequence of the first, to be read by {@link #event(long)} and published by {@link #publish(long, int)};
     * -1 when there are not that many free in a row.
     * @throws IllegalArgumentException when the count is out of range.
     * @throws IllegalStateException    when the pool is not bound.
     */
    public long claim(final int count)
    {
        checkBound("claim from");
        checkCount(count);
        if (PoolCheck.ENABLED)
        {
            takeOwnership();
        }
        final long first = claimed;
        final long end = first + count;
        if (end - freeTo > 0 && !isRoomTo(end))
        {
            metrics().countExhausted();
            return -1;
        }
        lend(first, end);
        return first;
    }

    private void lend(final long first, final long end)
    {
        for (long sequence = first; sequence < end && prepares; sequence++)
        {
            prepare(ring[(int)sequence & mask], sequence);
        }
        // At the end: when a hook throws, nothing is lent.
        claimedOpaque(end);
    }

    /**
     * The event at a place of the ring. Acquiring thread: between claim and publish. Consumers: from published to
     * passed.
     *
     * @param sequence of the event.
     * @return the event that has, had or will have this sequence.
     */
    @SuppressWarnings("unchecked")
    public E event(final long sequence)
    {
        return (E)ring[(int)sequence & mask];
    }

    /**
     * What is published in an event. Consumers call; acquire, pairs with the release of
     * {@link #publish(BasePoolAware)}.
     *
     * @param event of this ring.
     * @return its sequence; {@code ~sequence} for a PAD; something else when the awaited sequence is not published yet.
     */
    public static long sequenceOf(final BasePoolAware event)
    {
        return event.sequenceAcquire();
    }

    /**
     * Publish an event to the consumers. The acquiring thread only; bound pools only. Events acquired before it and not
     * published become PADs.
     *
     * @param event acquired from this pool and not yet published.
     * @throws IllegalArgumentException when it is not such an event; nothing changed.
     * @throws IllegalStateException    when the pool is not bound.
     * @throws PoolViolationException   in checked mode, when another thread acquires from this pool, or when somebody
     *     released the event.
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
            throw new IllegalArgumentException(
                describe(event) + " cannot be published to ring " + name() + ": " + (isMember(event) ?
                "it is not lent (published or released before)" : "it is not of this pool"));
        }
        padTo(sequence);
        publishedOpaque(sequence + 1);
        event.sequenceRelease(sequence);
        publishedTo(sequence + 1);
    }

    /**
     * Publish what {@link #claim(int)} gave, all of it at once: the first event's word is written last, so a consumer
     * that waits for it finds the whole batch. Events of the batch that were released instead stay PADs. The acquiring
     * thread only; bound pools only.
     *
     * @param first sequence of the first event.
     * @param count how many.
     * @throws IllegalArgumentException when these are not claimed and unpublished events; nothing changed.
     * @throws IllegalStateException    when the pool is not bound.
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
     * Hand the acquiring end to another thread: the next thread that acquires becomes the owner. The present owner
     * calls and then passes the pool on with a happens-before edge of its own (starting a thread, a lock, a queue).
     */
    public void handOver()
    {
        if (PoolCheck.ENABLED)
        {
            checkOwner("handed over", ring[(int)claimed & mask]);
        }
        // The next owner makes itself known when it looks at the consumers' position: let it look at once.
        limit = claimed;
        freeTo = claimed;
        owner = null;
    }

    @Override
    boolean lendsWithoutHold()
    {
        return gate != null;
    }

    @Override
    boolean soleHolderStores()
    {
        return gate == null;
    }

    @Override
    boolean returnLast(final BasePoolAware event, final long word)
    {
        if (!PoolCheck.ENABLED)
        {
            return event.compareAndFree(word);
        }
        boolean freed = true;
        try
        {
            freed = event.compareAndClose(word);
        }
        finally
        {
            if (freed)
            {
                // Only in checked mode does the hold word count the acquiring thread's own hold: it is nobody's now.
                abandon(event);
            }
        }
        return freed;
    }

    /**
     * An event that its acquiring thread gives back instead of publishing becomes a PAD at once; consumers reach it in
     * their turn.
     */
    @Override
    boolean abandon(final BasePoolAware event)
    {
        if (gate == null || !isOwnedByCaller())
        {
            return false;
        }
        final long sequence = unpublishedSequence(event);
        if (sequence < 0 || isPad(sequence))
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
            // The new events are lent next, then the old ones, the longest lent of them first.
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

    /**
     * {@inheritDoc}
     * Of a bound ring whose events nobody has ever retained, the difference of two positions; else it looks at each
     * event. A bound ring's consumers are asked for their exact position, so the next look is exact if they polled.
     */
    @Override
    public int available()
    {
        final BasePoolAware[] events = events();
        final long first = claimed();
        final long end = gate == null ? first + events.length : announced() + events.length;
        // The position may have passed the sequence that was read first.
        return Math.min(areHoldsSeen() ? free(events, first, end) : (int)Math.max(0, end - first), events.length);
    }
}

package io.millrace.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * A ring of events that any number of threads claim and publish. It is always bound to a pipeline by {@link
 * #bind(GatingSequence)}; consumers poll the sequence word of the event, as for a {@link RingPool}.
 * <pre>
 *  sequence word of the event in the slot of s
 *   claim: compare and set of the ring's claim word s -&gt; s + 1, then   2^62 + s        claimed
 *   publish: release store                                             s               published
 *   release instead of publish: compare and set                        ~s              PAD, skipped and counted
 *   revoke: compare and set                                            MIN_VALUE + s   a new event takes the slot
 *   never claimed                                                      MIN_VALUE + 2^62 - 1
 * </pre>
 * A claim is one compare and set, a publish is one store. The word next to the claim word caches how far events are
 * known to be free; a publisher gets both with one cache line. The consumers touch neither.
 * <p>
 * An event that is claimed and neither published nor released stops the consumers in front of it. They can {@linkplain
 * #revoke(long, long) revoke} it. The publisher that was too late keeps the old event for itself: its publish returns
 * false, and its stores harm no one.
 * <p>
 * There is no fence between a publish and a revocation. The consumer first announces the revocation, waits {@value
 * #QUIET_NS} ns and then looks again. A publisher looks for announcements after its store. Either it has seen the
 * announcement, and both decide under a lock, or its store came before it: a store becomes visible within nanoseconds.
 * Until they have decided, the old event may look published. So a consumer reads the slot again after the word ({@link
 * #sequenceInSlot}): another consumer may have revoked the event between its two reads.
 *
 * @param <E> type of the events.
 */
public final class SharedRingPool<E extends BasePoolAware> extends SharedRingPoolFields<E>
{
    /** Greatest first sequence: 2^20 events before the two bits above the sequence. */
    public static final long MAX_FIRST_SEQUENCE = (1L << 62) - (1L << 20);

    /** Time between the announcement of a revocation and the revocation: one millisecond. */
    static final long QUIET_NS = 1_000_000;

    private static final long CLAIMED = 1L << 62;
    private static final long REVOKED = 1L << 63;
    /** Differs from the word of every revoked event: no sequence gets so far. */
    private static final long NEVER_CLAIMED = REVOKED | CLAIMED - 1;
    private static final int KIND_SHIFT = 62;
    private static final int CLAIMED_KIND = 1;
    private static final int PAD_KIND = 3;
    /**
     * Refused claims before the pool requests a position that the consumers announce anyway: about 20 microseconds of
     * retries, or 20 milliseconds of a waiting publisher that parks. A ring of one publisher waits longer; here a
     * claimed event may keep the consumers from their next announcement.
     */
    private static final int PATIENCE = 512;
    private static final VarHandle CLAIM;
    private static final VarHandle LIMIT;
    private static final VarHandle ANNOUNCEMENTS;
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(BasePoolAware[].class);

    static
    {
        try
        {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            CLAIM = lookup.findVarHandle(SharedRingPoolFields.class, "claim", long.class);
            LIMIT = lookup.findVarHandle(SharedRingPoolFields.class, "limit", long.class);
            ANNOUNCEMENTS = lookup.findVarHandle(SharedRingPoolFields.class, "announcements", int.class);
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
     * @param factory  creates one new event at each call; also called by {@link #revoke(long, long)}.
     * @param capacity number of events, a power of two in 1..{@link ObjectPool#MAX_CAPACITY}.
     * @throws IllegalArgumentException if the capacity is out of range.
     * @throws NullPointerException     if the factory returns null.
     * @throws IllegalStateException    if the factory returns the same event twice.
     */
    public SharedRingPool(final Supplier<? extends E> factory, final int capacity)
    {
        this(factory, capacity, Exhaustion.fail(), 0L, null);
    }

    /**
     * Creates a ring.
     *
     * @param name          for messages and reports.
     * @param factory       creates one new event at each call; also called by {@link #revoke(long, long)}.
     * @param capacity      number of events, a power of two in 1..{@link ObjectPool#MAX_CAPACITY}.
     * @param policy        policy for a request when no event is free; not GROW.
     * @param firstSequence sequence of the first event, 0 to {@link #MAX_FIRST_SEQUENCE}; 0 except in tests near the
     *                      overflow.
     * @throws IllegalArgumentException if a value is out of range.
     * @throws NullPointerException     if the factory returns null.
     * @throws IllegalStateException    if the factory returns the same event twice.
     */
    public SharedRingPool(
        final String name,
        final Supplier<? extends E> factory,
        final int capacity,
        final Exhaustion policy,
        final long firstSequence)
    {
        this(factory, capacity, policy, firstSequence, Objects.requireNonNull(name, "name"));
    }

    private SharedRingPool(
        final Supplier<? extends E> factory,
        final int capacity,
        final Exhaustion policy,
        final long firstSequence,
        final String nameOrNull)
    {
        super(nameOrNull, factory, policy);
        createEvents(capacity, firstSequence, MAX_FIRST_SEQUENCE);
        for (final BasePoolAware event : ring)
        {
            event.sequenceOpaque(NEVER_CLAIMED);
        }
        first = firstSequence;
        claim = firstSequence;
        limit = firstSequence;
    }

    /**
     * Bind this pool to a pipeline, as its memory. Call it once, before the first event is acquired.
     *
     * @param consumers position of the consumers.
     * @throws IllegalStateException if the pool is bound already, or may grow (a ring's capacity is the pipeline's).
     */
    public void bind(final GatingSequence consumers)
    {
        bindTo(consumers, false);
    }

    /**
     * {@inheritDoc}
     * Any thread; lock-free. Publish or release the event soon: the consumers wait for it.
     *
     * @throws IllegalStateException if the pool is not bound.
     */
    @Override
    public E acquire()
    {
        final E event = tryAcquire();
        return event != null ? event : acquireByPolicy();
    }

    @Override
    E tryAcquire()
    {
        long sequence = nextFree(1);
        while (sequence >= 0 && !CLAIM.compareAndSet(this, sequence, sequence + 1))
        {
            sequence = nextFree(1);
        }
        return sequence < 0 ? null : take(ring[(int)sequence & mask], sequence);
    }

    /** The next sequence to claim, if that many events from it on are free; otherwise -1. */
    private long nextFree(final int count)
    {
        long before = -1;
        for (long sequence = claimedPosition(); sequence != before; sequence = claimedPosition())
        {
            if (isFree(sequence, sequence + count))
            {
                return sequence;
            }
            before = sequence;
        }
        return -1;
    }

    /** False also if another thread claimed one of them meanwhile and its slot is full. */
    private boolean isFree(final long from, final long end)
    {
        // Acquire: pairs with the release in hasCapacityTo(), whose thread has seen the consumers' positions.
        return (end <= (long)LIMIT.getAcquire(this) || hasCapacityTo(end)) &&
            (!isEverRetained() || firstNotFree(from, end) == end);
    }

    /**
     * {@inheritDoc}
     * Reads up to all events.
     */
    @Override
    public long resolvedPosition()
    {
        final long end = claimedPosition();
        long sequence = Math.max(first, end - mask - 1);
        while (sequence < end && isResolved(sequence))
        {
            sequence++;
        }
        return sequence;
    }

    private boolean isResolved(final long sequence)
    {
        // Acquire: pairs with the release in publish(), and the compare and set in abandon(). A slot in a later use
        // counts, too: its publisher could claim it only after the consumers had passed this sequence.
        final long word = event(sequence).sequenceAcquire();
        final long use = word >>> KIND_SHIFT == PAD_KIND ? ~word : word & CLAIMED - 1;
        return word == sequence || word == ~sequence || use > sequence && word != NEVER_CLAIMED;
    }

    @SuppressWarnings("unchecked")
    private E take(final BasePoolAware event, final long sequence)
    {
        // Opaque: consumers that read it just keep waiting, until they revoke it.
        event.sequenceOpaque(CLAIMED | sequence);
        if (prepares)
        {
            prepare(event, sequence);
        }
        return (E)event;
    }

    private void prepare(final BasePoolAware event, final long sequence)
    {
        if (PoolCheck.ENABLED)
        {
            event.beginGeneration(sequence);
            event.owner().onAcquired();
            return;
        }
        boolean done = false;
        try
        {
            event.runOnRelease();
            done = true;
        }
        finally
        {
            if (!done)
            {
                abandon(event, BasePoolAware.ANY_GENERATION);
            }
        }
    }

    /** Whether the consumers have passed the events of all sequences below {@code end}, one wrap before. */
    private boolean hasCapacityTo(final long end)
    {
        checkBound("acquire from");
        final long passed = gate.position();
        final long newLimit = passed + mask + 1;
        if (newLimit > (long)LIMIT.getOpaque(this))
        {
            // Of two threads the one with the older position may store last: the limit is then read again sooner.
            // Release: pairs with the acquire in isFree().
            LIMIT.setRelease(this, newLimit);
        }
        if (end <= newLimit)
        {
            return true;
        }
        final long wanted = end - mask - 1;
        final boolean comesUnasked =
            wanted - claimedPosition() + GatingSequence.announceInterval(mask + 1) <= 1;
        // Racy, like the patience that it measures.
        if (!comesUnasked || ++refusals % PATIENCE == 0)
        {
            gate.requestPosition(wanted);
        }
        return false;
    }

    /**
     * Whether at least {@code count} events are free. Other threads may acquire them meanwhile. Never waits, under any
     * policy.
     *
     * @param count number of events, 1 to the capacity.
     * @return true if they are free.
     * @throws IllegalArgumentException if the count is out of range.
     */
    @Override
    public boolean hasCapacity(final int count)
    {
        checkCount(count);
        return nextFree(count) >= 0;
    }

    /**
     * Publish an event to the consumers. Any thread, normally the one that claimed it; it must not touch the event
     * afterwards.
     *
     * @param event acquired from this pool and not yet published.
     * @return true if it was published; false if it was {@linkplain #revoke(long, long) revoked} before, also by
     *     another ring.
     * @throws IllegalArgumentException if the event is from another pool, already published or released; nothing
     *     changed.
     * @throws PoolViolationException   in checked mode, if the event was released.
     */
    public boolean publish(final E event)
    {
        final int before = (int)ANNOUNCEMENTS.getAcquire(this);
        final long word = event.sequencePlain();
        if ((before & 1) == 0 && word >>> KIND_SHIFT == CLAIMED_KIND && ring[(int)word & mask] == event)
        {
            return publish(event, word ^ CLAIMED, before);
        }
        return publishSlow(event);
    }

    /** The event may have been revoked since the announcements were read. */
    final boolean publish(final BasePoolAware event, final long sequence, final int announcementsBefore)
    {
        event.sequenceRelease(sequence);
        return (int)ANNOUNCEMENTS.getAcquire(this) == announcementsBefore || isStillPublished(event, sequence);
    }

    /** A revocation was announced at the same time. */
    boolean isStillPublished(final BasePoolAware event, final long sequence)
    {
        revoking.lock();
        try
        {
            // Another word: the consumers have passed the event, and it was revoked in a later use.
            if (ring[(int)sequence & mask] == event || event.sequencePlain() != sequence)
            {
                return true;
            }
            event.sequenceRelease(REVOKED | sequence);
            return false;
        }
        finally
        {
            revoking.unlock();
        }
    }

    private boolean publishSlow(final BasePoolAware event)
    {
        if (PoolCheck.ENABLED)
        {
            event.checkLive();
        }
        revoking.lock();
        try
        {
            final long word = event.sequenceAcquire();
            if (word >>> KIND_SHIFT == CLAIMED_KIND && ring[(int)word & mask] == event &&
                event.compareAndSetSequence(word, word ^ CLAIMED))
            {
                return true;
            }
        }
        finally
        {
            revoking.unlock();
        }
        // By another ring: that of a flow that was removed, if its source belongs to this one's flow now.
        if (!hasRevokedWord(event) || ringOf(event) == null)
        {
            throw cannotPublish(event);
        }
        return false;
    }

    /**
     * Whether an event was revoked: its publish returns false, its release has no effect. Any thread.
     *
     * @param event of this pool.
     * @return true from the revocation on, for ever.
     */
    public boolean isRevoked(final BasePoolAware event)
    {
        return hasRevokedWord(event) && ringOf(event) == this;
    }

    private static boolean hasRevokedWord(final BasePoolAware event)
    {
        // Acquire: pairs with the compare and set in revoke(). Only the event's word decides: its slot changes later.
        final long word = event.sequenceAcquire();
        return word >>> KIND_SHIFT == REVOKED >>> KIND_SHIFT && word != NEVER_CLAIMED;
    }

    /** The shared ring of an event; null if it is of another pool. */
    private static SharedRingPool<?> ringOf(final BasePoolAware event)
    {
        final EventOwner owner = event.owner();
        final EventOwner pool = owner instanceof CheckedOwner ? ((CheckedOwner)owner).pool() : owner;
        return pool instanceof SharedRingPool ? (SharedRingPool<?>)pool : null;
    }

    /**
     * Whether a sequence is claimed, and its event neither published nor released. Any thread; reads only the event.
     *
     * @param sequence between the consumers' position and {@link #claimedPosition()}.
     * @return true if a publisher still owns the event.
     */
    public boolean isClaimed(final long sequence)
    {
        return event(sequence).sequenceAcquire() == (CLAIMED | sequence);
    }

    /**
     * Take claimed events from their publishers: a new event takes each slot, as a PAD that consumers skip. For a
     * consumer that waits for an event, when its publisher has ended, or takes too long. The publisher keeps the old
     * event and may still write into it; its publish returns false. Allocates one event each.
     * <p>
     * The first call only announces the revocation. Call again until the event is published or revoked; a call revokes
     * at the earliest a millisecond after the announcement. Any thread; consumers and a closing thread may call at the
     * same time.
     *
     * @param from sequence that the caller waits for.
     * @param end  end of the sequences; at most {@link #claimedPosition()}. If it is {@code from}, the call only ends
     *             an announcement, at once: for a consumer that has announced a revocation and leaves.
     * @return number of revoked events; 0 if they were published or released meanwhile, or at the announcement.
     */
    public int revoke(final long from, final long end)
    {
        revoking.lock();
        try
        {
            if ((announcements & 1) != 0)
            {
                return from < end && System.nanoTime() - announcedNs < quietNs ? 0 : revokeClaimed(from, end);
            }
            if (isAnyClaimed(from, end))
            {
                announcedNs = System.nanoTime();
                ANNOUNCEMENTS.setVolatile(this, announcements + 1);
            }
            return 0;
        }
        finally
        {
            revoking.unlock();
        }
    }

    private int revokeClaimed(final long from, final long end)
    {
        int revoked = 0;
        try
        {
            for (long sequence = from; sequence < end; sequence++)
            {
                revoked += revoke(sequence) ? 1 : 0;
            }
        }
        finally
        {
            // Last: a publisher that has seen the announcement decides under the lock.
            ANNOUNCEMENTS.setVolatile(this, announcements + 1);
        }
        return revoked;
    }

    /**
     * Whether a revocation is announced and not made. Publishes are slower meanwhile. Any thread.
     *
     * @return true from the announcement to the call of {@link #revoke(long, long)} that carries it out.
     */
    public boolean isRevocationAnnounced()
    {
        return ((int)ANNOUNCEMENTS.getAcquire(this) & 1) != 0;
    }

    private boolean isAnyClaimed(final long from, final long end)
    {
        long sequence = from;
        while (sequence < end && !isClaimed(sequence))
        {
            sequence++;
        }
        return sequence < end;
    }

    private boolean revoke(final long sequence)
    {
        if (!isClaimed(sequence))
        {
            return false;
        }
        final int slot = (int)sequence & mask;
        final BasePoolAware event = ring[slot];
        // First the new event: if the factory throws, nothing has changed.
        final E replacement = create(slot);
        replacement.sequenceRelease(CLAIMED | sequence);
        // Release: a consumer that sees the new event sees it whole. Publishers that claim the slot next have seen the
        // position of a consumer that has seen this event. Before the old event is revoked: a consumer that reads a
        // late store into its word, and then the slot in sequenceInSlot(), sees the new event there. The memory model
        // does not say so, since that store is no release of this thread; the processors do (multi-copy atomicity:
        // x86, ARMv8).
        SLOT.setRelease(ring, slot, replacement);
        if (!event.compareAndSetSequence(CLAIMED | sequence, REVOKED | sequence))
        {
            SLOT.setRelease(ring, slot, event);
            return false;
        }
        replacement.sequenceRelease(~sequence);
        metrics().countRevoked();
        return true;
    }

    /**
     * An event that is released instead of published becomes a PAD at once. Consumers skip it when they reach it.
     */
    @Override
    boolean abandon(final BasePoolAware event, final long stamp)
    {
        final long word = event.sequenceAcquire();
        if (!BasePoolAware.isGeneration(word, stamp))
        {
            return false;
        }
        if (word >>> KIND_SHIFT == CLAIMED_KIND && event.compareAndSetSequence(word, ~(word ^ CLAIMED)))
        {
            metrics().countAbandoned();
            return true;
        }
        return isRevoked(event);
    }

    @Override
    long generationOf(final BasePoolAware event)
    {
        return event.sequencePlain();
    }

    @Override
    E grow()
    {
        return null;
    }

    /**
     * {@inheritDoc}
     * Claimed events count, because consumers will reach them: as events, or as PADs.
     */
    @Override
    public long publishedPosition()
    {
        return claimedPosition();
    }

    @Override
    public long claimedPosition()
    {
        return (long)CLAIM.getOpaque(this);
    }

    @Override
    public int capacity()
    {
        return ring.length;
    }

    @Override
    BasePoolAware[] events()
    {
        return ring;
    }
}

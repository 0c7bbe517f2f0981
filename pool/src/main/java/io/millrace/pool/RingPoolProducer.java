package io.millrace.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Supplier;

/**
 * The fields of a {@link RingPool}, in the order of memory: those that are hardly ever written, 64 bytes of padding,
 * those that the acquiring thread alone writes. RingPool adds the padding behind.
 */
abstract class RingPoolProducer<E extends BasePoolAware> extends RingPoolBefore<E>
{
    private static final long UNLIMITED = 1L << 61;
    /**
     * Refusals until a ring asks for a position that its consumers will announce unasked before long. About ten
     * microseconds of trying again and again: consumers that pass an event in up to 40 ns come first, and are spared
     * a cache miss for each poll while they are behind.
     */
    private static final int PATIENCE = 256;
    private static final VarHandle CLAIMED;
    private static final VarHandle PUBLISHED;
    private static final VarHandle OWNER;
    private static final VarHandle HOLDS_SEEN;

    static
    {
        try
        {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            CLAIMED = lookup.findVarHandle(RingPoolProducer.class, "claimed", long.class);
            PUBLISHED = lookup.findVarHandle(RingPoolProducer.class, "published", long.class);
            OWNER = lookup.findVarHandle(RingPoolProducer.class, "owner", Thread.class);
            HOLDS_SEEN = lookup.findVarHandle(RingPoolShared.class, "holdsSeen", boolean.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    /** Sequence of the next event to lend. */
    long claimed;
    /** Sequence of the next event to publish; at most {@code claimed}. Bound pools only. */
    long published;
    /**
     * PADs from {@code published} on, so not yet in their turn; 0 lets an event be published without a further look. An
     * unbound pool keeps 1, so that publishing there comes to the slow path, which refuses it.
     */
    int padsAhead = 1;
    /** Sequences below this are known to be passed by all consumers. */
    long limit;
    /** Events from {@code claimed} to this are free; nobody can hold one of them before it is lent. */
    long freeTo;
    /** The acquiring thread, as far as it made itself known. */
    Thread owner;
    /** How often the consumers' position was too small and a consumer's next stretch will do. */
    private int refusals;

    RingPoolProducer(final String name, final Supplier<? extends E> factory, final Exhaustion policy)
    {
        super(name, factory, policy);
    }

    /**
     * How many events were published, PADs before the last event included. Any thread; opaque.
     *
     * @return sequence of the next event to publish.
     */
    public long published()
    {
        return (long)PUBLISHED.getOpaque(this);
    }

    /**
     * How many events were lent. Any thread; opaque.
     *
     * @return sequence of the next event to lend.
     */
    public long claimed()
    {
        return (long)CLAIMED.getOpaque(this);
    }

    /**
     * Forget which thread acquires: the next one that does is the owner. Any thread. For a server, whose calls of one
     * handler change from a thread to another one, after the last call of the one and before the first of the other.
     */
    public void disown()
    {
        // Volatile: the edge between the two threads is the caller's own, as with a hand-over.
        OWNER.setVolatile(this, null);
    }

    /** Also when nobody has made itself known since the pool changed hands. */
    final boolean isOwnedByCaller()
    {
        final Thread present = owner;
        return present == null || present == Thread.currentThread();
    }

    /**
     * Whether that many acquires in a row find an event each. Takes nothing; looks at each event once, however often it
     * is asked. The acquiring thread only; without waiting, whatever the policy.
     *
     * @param count how many, 1 to the capacity.
     * @return true: so it is, and it stays so until they are acquired.
     * @throws IllegalArgumentException when the count is out of range.
     */
    @Override
    public boolean hasCapacity(final int count)
    {
        return !PoolCheck.ENABLED && count > 0 && claimed + count - freeTo <= 0 || hasCapacitySlow(count);
    }

    /**
     * Whether that many acquires in a row need an event that the acquiring thread itself has acquired and neither
     * published nor given back: then no waiting helps. The acquiring thread only.
     * <p>
     * A bound ring knows. Of an unbound one it is said when the first event that is not free was never offered to a
     * pipeline since it was lent: right where events go into pipelines and nowhere else, as in a flow.
     *
     * @param count how many, 1 to the capacity.
     * @return true: only the acquiring thread can make that room.
     * @throws IllegalArgumentException when the count is out of range.
     */
    public boolean blocksItself(final int count)
    {
        checkCount(count);
        return gate != null ? claimed + count - published > mask + 1 :
            !hasCapacity(count) && ring[(int)freeTo & mask].isInHand();
    }

    private boolean hasCapacitySlow(final int count)
    {
        checkCount(count);
        if (PoolCheck.ENABLED)
        {
            takeOwnership();
        }
        return isRoomTo(claimed + count);
    }

    /** Whether the events up to a sequence are free. */
    final boolean isRoomTo(final long end)
    {
        if (end - limit > 0)
        {
            refreshLimit();
            if (end - limit > 0)
            {
                wantPosition(end - mask - 1);
                return false;
            }
        }
        if (end - freeTo > 0)
        {
            freeTo = firstNotFree(Math.max(freeTo, claimed), end);
        }
        return end - freeTo <= 0;
    }

    /**
     * Consumers that have passed all that is published have announced it but for less than a stretch. What lies behind
     * that they announce only when asked.
     */
    private void wantPosition(final long position)
    {
        final boolean comesUnasked = position - published + GatingSequence.stretch(mask + 1) <= 1;
        if (!comesUnasked || ++refusals % PATIENCE == 0)
        {
            gate.want(position);
        }
    }

    private void refreshLimit()
    {
        owner = Thread.currentThread();
        limit = gate == null ? claimed + UNLIMITED : gate.position() + mask + 1;
        if (!areHoldsSeen())
        {
            // Who holds an event said so before it let its position pass it, and the positions were read by acquire.
            freeTo = limit;
        }
    }

    @Override
    final void onHold()
    {
        if (!areHoldsSeen())
        {
            HOLDS_SEEN.setOpaque(this, true);
        }
    }

    final boolean areHoldsSeen()
    {
        return (boolean)HOLDS_SEEN.getOpaque(this);
    }

    static int free(final BasePoolAware[] events, final long first, final long end)
    {
        int free = 0;
        for (long sequence = first; sequence - end < 0; sequence++)
        {
            free += events[(int)sequence & events.length - 1].isFree() ? 1 : 0;
        }
        return free;
    }

    /** The consumers' position, for a report; asked for where it may lag, so that the next look is exact. */
    final long announced()
    {
        final long position = gate.position();
        if (position < published())
        {
            gate.want(published());
        }
        return position;
    }

    final void claimedOpaque(final long sequence)
    {
        CLAIMED.setOpaque(this, sequence);
    }

    final void publishedOpaque(final long sequence)
    {
        PUBLISHED.setOpaque(this, sequence);
    }

    /** Checked mode. By compare and set: of two first threads one is told. */
    final void takeOwnership()
    {
        final Thread current = Thread.currentThread();
        final Thread present = (Thread)OWNER.compareAndExchange(this, null, current);
        if (present != null && present != current)
        {
            throw wrongThread(present, "acquired from", ring[(int)claimed() & mask]);
        }
    }

    /** Checked mode. */
    final void checkOwner(final String what, final BasePoolAware event)
    {
        final Thread present = (Thread)OWNER.getAcquire(this);
        if (present != null && present != Thread.currentThread())
        {
            throw wrongThread(present, what, event);
        }
    }

    private PoolViolationException wrongThread(final Thread present, final String what, final BasePoolAware event)
    {
        return new PoolViolationException("wrong thread: ring pool " + name() + " belongs to thread '" +
            present.getName() + "' and was " + what + " by thread '" + Thread.currentThread().getName() + "' at " +
            describe(event));
    }

    /** Checked mode. */
    final void checkPublishable(final BasePoolAware event)
    {
        checkOwner("published to", event);
        event.checkLive();
    }

    /** Checked mode. */
    final void checkPublishable(final long first, final long end)
    {
        for (long sequence = first; sequence < end; sequence++)
        {
            if (!isPad(sequence))
            {
                checkPublishable(ring[(int)sequence & mask]);
            }
        }
    }

    final void checkBound(final String what)
    {
        if (gate == null)
        {
            throw new IllegalStateException("pool " + name() + " is not bound to a pipeline: cannot " + what + " it");
        }
    }

    final boolean isMember(final BasePoolAware event)
    {
        for (final BasePoolAware member : ring)
        {
            if (member == event)
            {
                return true;
            }
        }
        return false;
    }

    final void checkCount(final int count)
    {
        if (count < 1 || count > mask + 1)
        {
            throw new IllegalArgumentException("count " + count + " is not in 1.." + (mask + 1));
        }
    }

    /** Sequence of the first event that somebody holds; the end when nobody holds any. */
    final long firstNotFree(final long first, final long end)
    {
        long sequence = first;
        while (sequence < end && ring[(int)sequence & mask].isFree())
        {
            sequence++;
        }
        return sequence;
    }

    /** The events from {@code next} on that are no PADs, the first one last. */
    final void publishAmongPads(final long next, final long end)
    {
        for (long sequence = end - 1; sequence >= next; sequence--)
        {
            if (isPad(sequence))
            {
                padsAhead--;
            }
            else
            {
                ring[(int)sequence & mask].sequenceRelease(sequence);
            }
        }
        publishedTo(end);
    }

    final boolean isPad(final long sequence)
    {
        return ring[(int)sequence & mask].sequencePlain() == ~sequence;
    }

    /**
     * Publish what is not published before a sequence as PADs.
     */
    final void padTo(final long end)
    {
        for (long sequence = published; sequence < end; sequence++)
        {
            if (isPad(sequence))
            {
                padsAhead--;
            }
            else
            {
                pad(ring[(int)sequence & mask], sequence);
            }
        }
    }

    final void pad(final BasePoolAware event, final long sequence)
    {
        metrics().countAbandoned();
        event.sequenceRelease(~sequence);
        if (PoolCheck.ENABLED && event.holders() > 0)
        {
            // The acquiring thread's own hold, which is counted in checked mode; others may hold the event still.
            event.release(event.stamp());
        }
    }

    /**
     * Move on to the next event that waits to be published: what became a PAD out of turn is in its turn now.
     */
    final void publishedTo(final long end)
    {
        long sequence = end;
        while (padsAhead > 0 && sequence < claimed && isPad(sequence))
        {
            sequence++;
            padsAhead--;
        }
        publishedOpaque(sequence);
    }

    /**
     * What was released at the head of a batch is behind {@code published} already.
     */
    final boolean areUnpublished(final long first, final long end)
    {
        for (long sequence = first; sequence < Math.min(end, published); sequence++)
        {
            if (!isPad(sequence))
            {
                return false;
            }
        }
        return true;
    }

    final long unpublishedSequence(final BasePoolAware event)
    {
        for (long sequence = published; sequence < claimed; sequence++)
        {
            if (ring[(int)sequence & mask] == event)
            {
                return sequence;
            }
        }
        return -1;
    }

    @Override
    final long lendingOf(final BasePoolAware event)
    {
        if (isOwnedByCaller())
        {
            final long sequence = unpublishedSequence(event);
            if (sequence >= 0)
            {
                return sequence;
            }
        }
        return event.sequencePlain();
    }
}

abstract class RingPoolBefore<E extends BasePoolAware> extends RingPoolShared<E>
{
    byte p000, p001, p002, p003, p004, p005, p006, p007, p008, p009, p010, p011, p012, p013, p014, p015;
    byte p016, p017, p018, p019, p020, p021, p022, p023, p024, p025, p026, p027, p028, p029, p030, p031;
    byte p032, p033, p034, p035, p036, p037, p038, p039, p040, p041, p042, p043, p044, p045, p046, p047;
    byte p048, p049, p050, p051, p052, p053, p054, p055, p056, p057, p058, p059, p060, p061, p062, p063;

    RingPoolBefore(final String name, final Supplier<? extends E> factory, final Exhaustion policy)
    {
        super(name, factory, policy);
    }
}

abstract class RingPoolShared<E extends BasePoolAware> extends EventPool<E>
{
    /** Replaced by the acquiring thread alone, and only in an unbound pool that grows. */
    BasePoolAware[] ring;
    int mask;
    GatingSequence gate;
    /** Whether the events do something when they are released. */
    boolean hasReleaseHook;
    /**
     * Whether anything is to be done with an event before it is lent. Not in a bound ring of events without a hook,
     * outside of checked mode.
     */
    boolean prepares = true;
    /**
     * Whether anybody ever retained an event of this ring. While nobody did, what the consumers have passed is free,
     * and the events need not be looked at one by one. Set once, by whichever thread is the first, before its position
     * passes the event. Always true of an unbound pool and in checked mode, where every lent event is held.
     */
    boolean holdsSeen = true;

    RingPoolShared(final String name, final Supplier<? extends E> factory, final Exhaustion policy)
    {
        super(name, factory, policy);
    }
}

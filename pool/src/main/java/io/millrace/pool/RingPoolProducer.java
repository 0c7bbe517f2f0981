package io.millrace.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Supplier;

/**
 * Fields of a {@link RingPool}, in memory order: rarely written fields, 128 bytes of padding, fields that only the
 * acquiring thread writes. Padding is also before and, in RingPool, after them.
 */
abstract class RingPoolProducer<E extends BasePoolAware> extends RingPoolBefore<E>
{
    private static final long UNLIMITED = 1L << 61;
    /**
     * Failed attempts before a ring requests a position that its consumers announce anyway: about a millisecond of
     * retries. A request costs both sides a cache miss and frees only a few events, so a ring at full speed must not
     * make one between two announcements.
     */
    private static final int PATIENCE = 65_536;
    private static final VarHandle CLAIMED;
    private static final VarHandle PUBLISHED;
    private static final VarHandle OWNER;

    static
    {
        try
        {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            CLAIMED = lookup.findVarHandle(RingPoolProducer.class, "claimed", long.class);
            PUBLISHED = lookup.findVarHandle(RingPoolProducer.class, "published", long.class);
            OWNER = lookup.findVarHandle(RingPoolProducer.class, "owner", Thread.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    /** Sequence of the next event to acquire. */
    long claimed;
    /** Sequence of the next event to publish; at most {@code claimed}. Bound pools only. */
    long published;
    /**
     * Number of PADs at or after {@code published}. At 0 the fast path can publish. In an unbound pool the number stays
     * 1, so that publish takes the slow path, which refuses the call.
     */
    int padsAhead = 1;
    /** Sequences below this are known to be passed by all consumers. */
    long limit;
    /** Events from {@code claimed} to this are free, and stay free until they are acquired. */
    long freeTo;
    /** The acquiring thread; null until it is known. */
    Thread owner;
    /** Number of failed attempts for which the consumers' next announcement will be enough. */
    private int refusals;
    /**
     * Number of acquires that took the last event once more. An unbound pool adds it to the sequence, so that each use
     * of an event has a generation of its own.
     */
    long reused;

    RingPoolProducer(final String name, final Supplier<? extends E> factory, final Exhaustion policy)
    {
        super(name, factory, policy);
    }

    /**
     * Number of published events, including PADs before the last event. Any thread; opaque.
     *
     * @return sequence of the next event to publish.
     */
    @Override
    public long publishedPosition()
    {
        return (long)PUBLISHED.getOpaque(this);
    }

    @Override
    public long resolvedPosition()
    {
        return publishedPosition();
    }

    /**
     * Number of acquired events, except those that were acquired again, see {@link RingPool#acquireLast}. Any thread;
     * opaque.
     *
     * @return sequence of the next event to acquire.
     */
    @Override
    public long claimedPosition()
    {
        return (long)CLAIMED.getOpaque(this);
    }

    /**
     * Forget the acquiring thread: the next thread that acquires becomes the owner. Any thread may call, after the last
     * acquire of the old thread and before the first of the new one. For a server that moves a handler to another
     * thread.
     */
    public void clearAcquiringThread()
    {
        // Volatile: the caller provides the happens-before edge between the two threads, as for handOver().
        OWNER.setVolatile(this, null);
    }

    /** Also true if the acquiring thread is not known yet. */
    final boolean isAcquiringThread()
    {
        final Thread present = owner;
        return present == null || present == Thread.currentThread();
    }

    /**
     * Whether the next {@code count} acquires find an event each. Acquires nothing; never waits, under any policy.
     * Repeated calls read each event once, except the last of a full capacity. The acquiring thread only.
     *
     * @param count number of acquires, 1 to the capacity.
     * @return true if the events are free; they stay free until they are acquired.
     * @throws IllegalArgumentException if the count is out of range.
     */
    @Override
    public boolean hasCapacity(final int count)
    {
        return !PoolCheck.ENABLED && count > 0 && claimed + count - freeTo <= 0 || hasCapacitySlow(count);
    }

    /**
     * Whether the next {@code count} acquires need an event that the acquiring thread itself has acquired and neither
     * published nor released. Waiting does not help then. The acquiring thread only.
     * <p>
     * The answer is exact for a bound ring. For an unbound ring it is true if the first event that is not free was not
     * offered to a pipeline since it was acquired. This is right if events go only into pipelines, as in a flow.
     *
     * @param count number of acquires, 1 to the capacity.
     * @return true if only the acquiring thread can free that capacity.
     * @throws IllegalArgumentException if the count is out of range.
     */
    public boolean blocksItself(final int count)
    {
        checkCount(count);
        return gate != null ? claimed + count - published > mask + 1 :
            !hasCapacity(count) && ring[(int)freeTo & mask].isUnoffered();
    }

    private boolean hasCapacitySlow(final int count)
    {
        checkCount(count);
        if (PoolCheck.ENABLED)
        {
            claimOwnership();
        }
        return hasCapacityTo(claimed + count);
    }

    /** Whether all events from {@code claimed} to a sequence are free. */
    final boolean hasCapacityTo(final long end)
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
        if (end - freeTo <= 0)
        {
            return true;
        }
        final long free = firstNotFree(Math.max(freeTo, claimed), end);
        // An unbound pool may lend the last event again: never remember that its slot is free.
        freeTo = gate != null ? free : Math.min(free, claimed + mask);
        return end == free;
    }

    /**
     * Consumers that have passed all published events may not have announced the last ones, less than an interval. They
     * announce the rest only on request.
     */
    private void wantPosition(final long position)
    {
        final boolean comesUnasked = position - published + GatingSequence.announceInterval(mask + 1) <= 1;
        if (!comesUnasked || ++refusals % PATIENCE == 0)
        {
            gate.requestPosition(position);
        }
    }

    private void refreshLimit()
    {
        owner = Thread.currentThread();
        limit = gate == null ? claimed + UNLIMITED : gate.position() + mask + 1;
        if (!isEverRetained())
        {
            // A consumer that retains an event does so before its position passes it; the position was read by acquire.
            freeTo = limit;
        }
    }

    final void claimedOpaque(final long sequence)
    {
        CLAIMED.setOpaque(this, sequence);
    }

    final void publishedOpaque(final long sequence)
    {
        PUBLISHED.setOpaque(this, sequence);
    }

    /** Checked mode. By compare and set: of two threads that acquire first, one gets the exception. */
    final void claimOwnership()
    {
        final Thread current = Thread.currentThread();
        final Thread present = (Thread)OWNER.compareAndExchange(this, null, current);
        if (present != null && present != current)
        {
            throw wrongThread(present, "acquired from", ring[(int)claimedPosition() & mask]);
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

    /** Publishes the events from {@code next} on that are not PADs, the first one last. */
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
     * Publish all unpublished events before a sequence as PADs.
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
        if (PoolCheck.ENABLED && event.refCount() > 0)
        {
            // The acquiring thread's own reference, which checked mode counts. Others may still have references.
            event.release(event.stamp());
        }
    }

    /**
     * Advance {@code published} to the next event that is not a PAD.
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
     * Events released at the head of a batch are before {@code published} already.
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
    final long generationOf(final BasePoolAware event)
    {
        if (isAcquiringThread())
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

abstract class RingPoolBefore<E extends BasePoolAware> extends EventRing<E>
{
    byte p200, p201, p202, p203, p204, p205, p206, p207, p208, p209, p210, p211, p212, p213, p214, p215;
    byte p216, p217, p218, p219, p220, p221, p222, p223, p224, p225, p226, p227, p228, p229, p230, p231;
    byte p232, p233, p234, p235, p236, p237, p238, p239, p240, p241, p242, p243, p244, p245, p246, p247;
    byte p248, p249, p250, p251, p252, p253, p254, p255, p256, p257, p258, p259, p260, p261, p262, p263;
    byte p264, p265, p266, p267, p268, p269, p270, p271, p272, p273, p274, p275, p276, p277, p278, p279;
    byte p280, p281, p282, p283, p284, p285, p286, p287, p288, p289, p290, p291, p292, p293, p294, p295;
    byte p296, p297, p298, p299, p300, p301, p302, p303, p304, p305, p306, p307, p308, p309, p310, p311;
    byte p312, p313, p314, p315, p316, p317, p318, p319, p320, p321, p322, p323, p324, p325, p326, p327;

    RingPoolBefore(final String name, final Supplier<? extends E> factory, final Exhaustion policy)
    {
        super(name, factory, policy);
    }
}

package io.millrace.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * A pool whose events form a ring: the event of a sequence is in slot {@code sequence & (capacity - 1)}. Base of {@link
 * RingPool} (one acquiring thread) and {@link SharedRingPool} (many). Consumers use both alike: they poll the sequence
 * word of the event that they wait for.
 *
 * @param <E> type of the events.
 */
public abstract class EventRing<E extends BasePoolAware> extends EventPool<E>
{
    /** Differs from each sequence of a shared ring and its complement. */
    private static final long NOT_PUBLISHED = 1L << 62;
    private static final VarHandle EVER_RETAINED;

    static
    {
        try
        {
            EVER_RETAINED = MethodHandles.lookup().findVarHandle(EventRing.class, "everRetained", boolean.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    /** Replaced only by the acquiring thread, and only in an unbound pool that grows. */
    BasePoolAware[] ring;
    int mask;
    GatingSequence gate;
    /** Whether an event class overrides {@code onRelease()}. */
    boolean hasReleaseHook;
    /**
     * Whether an event needs preparation when it is acquired. False for a bound ring of events without a release hook,
     * outside of checked mode.
     */
    boolean prepares = true;
    /**
     * Whether an event of this ring was ever retained. While it is false, every event that the consumers have passed is
     * free, and the events need not be read one by one. The first thread that retains sets it, before its position
     * passes the event. Always true for an unbound pool and in checked mode, where every event in flight is counted.
     */
    boolean everRetained = true;

    EventRing(final String name, final Supplier<? extends E> factory, final Exhaustion policy)
    {
        super(name, factory, policy);
    }

    /** Called once by the constructor of the pool. */
    final void createEvents(final int capacity, final long firstSequence, final long maxFirstSequence)
    {
        ObjectPool.checkRingCapacity("capacity", capacity);
        Range.check("firstSequence", firstSequence, 0, maxFirstSequence);
        ring = new BasePoolAware[capacity];
        mask = capacity - 1;
        for (int i = 0; i < capacity; i++)
        {
            ring[i] = create(i);
        }
        // Check each class once: reflection copies its methods.
        hasReleaseHook =
            Arrays.stream(ring).map(Object::getClass).distinct().anyMatch(BasePoolAware::hasReleaseHook);
    }

    final void bindTo(final GatingSequence consumers, final boolean used)
    {
        if (gate != null || used || policy().grows())
        {
            throw new IllegalStateException("pool " + name() + " cannot be bound to a pipeline: " +
                (gate != null ? "it is bound already" :
                used ? "it was used before" : "its policy is " + policy()));
        }
        gate = Objects.requireNonNull(consumers, "consumers");
        everRetained = PoolCheck.ENABLED;
        prepares = PoolCheck.ENABLED || hasReleaseHook;
    }

    /**
     * Event of a sequence. The acquiring thread may use it between claim and publish; a consumer, from publication
     * until its position has passed it.
     *
     * @param sequence of the event.
     * @return the event in the sequence's slot; other sequences share the slot.
     */
    @SuppressWarnings("unchecked")
    public final E event(final long sequence)
    {
        return (E)ring[(int)sequence & mask];
    }

    /**
     * Published sequence of an event. Called by consumers. Acquire: pairs with the release, or the compare and set, of
     * the pool's {@code publish}.
     *
     * @param event of this ring.
     * @return its sequence; {@code ~sequence} for a PAD; another value if the awaited sequence is not published yet.
     */
    public static long sequenceOf(final BasePoolAware event)
    {
        return event.sequenceAcquire();
    }

    /**
     * As {@link #sequenceOf}, for a consumer that is not the only one to {@linkplain SharedRingPool#revoke revoke}
     * events.
     *
     * @param event    read from the slot of the sequence.
     * @param sequence that the consumer waits for.
     * @return as {@link #sequenceOf}; no published sequence if the slot contains another event by now.
     */
    public final long sequenceInSlot(final E event, final long sequence)
    {
        // Acquire: also keeps the read of the slot behind that of the word.
        final long word = event.sequenceAcquire();
        return event(sequence) == event ? word : NOT_PUBLISHED;
    }

    /**
     * End of the sequences that consumers may reach. Any thread; opaque.
     *
     * @return a {@link RingPool}: sequence of the next event to publish. A {@link SharedRingPool}: of the next one to
     * claim.
     */
    public abstract long publishedPosition();

    /**
     * Sequence of the next event to acquire. Any thread; opaque.
     *
     * @return the sequence.
     */
    public abstract long claimedPosition();

    /**
     * End of the events that publishers are done with, for a pipeline without consumers. Any thread.
     *
     * @return sequence of the first event that is not acquired, or acquired and neither published nor released.
     */
    public abstract long resolvedPosition();

    @Override
    final boolean inFlightUncounted()
    {
        return gate != null;
    }

    @Override
    final boolean soleReferenceStores()
    {
        return gate == null;
    }

    @Override
    final boolean releaseLast(final BasePoolAware event, final long word)
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
                // Only checked mode counts the acquiring thread's own reference. An unpublished event was released
                // instead. In this generation only: since the event is free, another thread may acquire it.
                abandon(event, word >>> BasePoolAware.GENERATION_SHIFT);
            }
        }
        return freed;
    }

    @Override
    final void onFirstRetain()
    {
        if (!isEverRetained())
        {
            EVER_RETAINED.setOpaque(this, true);
        }
    }

    final boolean isEverRetained()
    {
        return (boolean)EVER_RETAINED.getOpaque(this);
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

    final IllegalArgumentException cannotPublish(final BasePoolAware event)
    {
        return new IllegalArgumentException(
            describe(event) + " cannot be published to ring " + name() + ": " + (isMember(event) ?
            "it is not acquired (published or released before, or passed over by a later publish)" :
            "it is not of this pool"));
    }

    final void checkCount(final int count)
    {
        if (count < 1 || count > mask + 1)
        {
            throw new IllegalArgumentException("count " + count + " is not in 1.." + (mask + 1));
        }
    }

    final void checkBound(final String what)
    {
        if (gate == null)
        {
            throw new IllegalStateException("pool " + name() + " is not bound to a pipeline: cannot " + what + " it");
        }
    }

    /** Sequence of the first event that is not free; the end if all are free. */
    final long firstNotFree(final long first, final long end)
    {
        long sequence = first;
        while (sequence < end && ring[(int)sequence & mask].isFree())
        {
            sequence++;
        }
        return sequence;
    }

    /**
     * {@inheritDoc} A bound ring whose events were never retained subtracts two positions; any other ring reads each
     * event. The call requests the exact position of a bound ring's consumers, so the next call is exact if they polled
     * since.
     */
    @Override
    public final int available()
    {
        final BasePoolAware[] events = events();
        final long first = claimedPosition();
        final long end = gate == null ? first + events.length : announced() + events.length;
        // The position may have passed the sequence that was read before it.
        return Math.min(isEverRetained() ? free(events, first, end) : (int)Math.max(0, end - first), events.length);
    }

    private static int free(final BasePoolAware[] events, final long first, final long end)
    {
        int free = 0;
        for (long sequence = first; sequence - end < 0; sequence++)
        {
            free += events[(int)sequence & events.length - 1].isFree() ? 1 : 0;
        }
        return free;
    }

    /** The consumers' position, for a report. Requests the exact position if this one may lag. */
    private long announced()
    {
        final long position = gate.position();
        if (position < publishedPosition())
        {
            gate.requestPosition(publishedPosition());
        }
        return position;
    }
}

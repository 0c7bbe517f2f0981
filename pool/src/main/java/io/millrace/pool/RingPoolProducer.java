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
    private static final VarHandle CLAIMED;
    private static final VarHandle PUBLISHED;

    static
    {
        try
        {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            CLAIMED = lookup.findVarHandle(RingPoolProducer.class, "claimed", long.class);
            PUBLISHED = lookup.findVarHandle(RingPoolProducer.class, "published", long.class);
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
    /** Sequences below this are known to be passed by all consumers. */
    long limit;
    Thread owner;

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

    final void claimedOpaque(final long sequence)
    {
        CLAIMED.setOpaque(this, sequence);
    }

    final void publishedOpaque(final long sequence)
    {
        PUBLISHED.setOpaque(this, sequence);
    }

    final void padTo(final long end)
    {
        for (long sequence = published; sequence < end; sequence++)
        {
            pad(ring[(int)sequence & mask], sequence);
        }
    }

    final void pad(final BasePoolAware event, final long sequence)
    {
        if (event.sequencePlain() != ~sequence)
        {
            metrics().countAbandoned();
            event.sequenceRelease(~sequence);
            if (PoolCheck.ENABLED && event.holders() == 1)
            {
                event.release(event.stamp());
            }
        }
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
    RingGate gate;

    RingPoolShared(final String name, final Supplier<? extends E> factory, final Exhaustion policy)
    {
        super(name, factory, policy);
    }
}

package io.millrace.pool;

import java.util.Objects;
import java.util.function.Supplier;

/**
 * Common base of both pools: creates the events, applies the exhaustion policy, and counts requests.
 */
abstract class EventPool<E extends BasePoolAware> extends EventPoolBefore implements ObjectPool<E>
{
    private String name;
    private final Supplier<? extends E> factory;
    private final Exhaustion policy;
    private final PoolMetrics metrics = new PoolMetrics();

    /**
     * A pool without a name takes the simple name of its event class.
     */
    EventPool(final String name, final Supplier<? extends E> factory, final Exhaustion policy)
    {
        this.name = name;
        this.factory = Objects.requireNonNull(factory, "factory");
        this.policy = Objects.requireNonNull(policy, "policy");
    }

    @Override
    public final String name()
    {
        return name;
    }

    @Override
    public final PoolMetrics metrics()
    {
        return metrics;
    }

    final Exhaustion policy()
    {
        return policy;
    }

    final E create(final int index)
    {
        final E event = factory.get();
        if (event == null)
        {
            throw new NullPointerException("the factory of pool " + name + " returned null for event " + index);
        }
        if (name == null)
        {
            name = event.getClass().getSimpleName();
        }
        event.setOwner(PoolCheck.ENABLED ? new CheckedOwner(this, index) : this);
        return event;
    }

    /**
     * Try once, without policy and without counting.
     */
    abstract E tryAcquire();

    /**
     * Create at least one more event and acquire it.
     *
     * @return the event; null if the limit is reached.
     */
    abstract E grow();

    final E acquireByPolicy()
    {
        metrics.countExhausted();
        if (policy.grows())
        {
            return grow();
        }
        return policy.waits() ? await() : null;
    }

    private E await()
    {
        metrics.countWait();
        final long deadlineNs = System.nanoTime() + policy.timeoutNs();
        int round = 0;
        while (System.nanoTime() - deadlineNs < 0 && !Thread.currentThread().isInterrupted())
        {
            final E event = tryAcquire();
            if (event != null)
            {
                return event;
            }
            round = Backoff.idle(round);
        }
        final E event = tryAcquire();
        if (event == null)
        {
            metrics.countWaitTimeout();
        }
        return event;
    }

    @Override
    final void onReleaseWithoutReference(final BasePoolAware event)
    {
        metrics.countDoubleRelease();
    }

    @Override
    final void onRetainWithoutReference(final BasePoolAware event)
    {
        metrics.countDoubleRelease();
        if (!PoolCheck.ENABLED)
        {
            throw new IllegalStateException("retain of a released event of pool " + name + "; -D" +
                PoolCheck.PROPERTY + "=true names the thread that released it");
        }
    }

    @Override
    final IllegalArgumentException offerWithoutReference(final BasePoolAware event)
    {
        return new IllegalArgumentException(describe(event) + " of pool " + name + " cannot be published: the " +
            "publisher has no reference (published or released before, or forwarded without retain(1))");
    }

    @Override
    final void onLateRelease(final BasePoolAware event)
    {
        metrics.countLateRelease();
    }

    @Override
    final void onUseAfterRelease(final BasePoolAware event)
    {
    }

    /**
     * The events that the pool owns; the rest of the array is null.
     */
    abstract BasePoolAware[] events();

    @Override
    public final String describeInFlight()
    {
        final int size = capacity();
        final int inFlight = size - available();
        final StringBuilder text = new StringBuilder();
        if (inFlight > 0)
        {
            text.append(inFlight).append(" of ").append(size).append(" events of pool ").append(name)
                .append(" are in flight");
            final BasePoolAware[] events = events();
            for (int i = 0; i < size; i++)
            {
                if (!events[i].isFree())
                {
                    text.append("; ").append(describe(events[i]));
                }
            }
        }
        return text.toString();
    }

    static String describe(final BasePoolAware event)
    {
        return event.owner() instanceof CheckedOwner ?
            ((CheckedOwner)event.owner()).describeInFlight(event) :
            event.getClass().getSimpleName() + " refCount=" + event.refCount();
    }
}

/** 128 bytes of padding, as in {@link Padding}. */
abstract class EventPoolBefore extends EventOwner
{
    byte p000, p001, p002, p003, p004, p005, p006, p007, p008, p009, p010, p011, p012, p013, p014, p015;
    byte p016, p017, p018, p019, p020, p021, p022, p023, p024, p025, p026, p027, p028, p029, p030, p031;
    byte p032, p033, p034, p035, p036, p037, p038, p039, p040, p041, p042, p043, p044, p045, p046, p047;
    byte p048, p049, p050, p051, p052, p053, p054, p055, p056, p057, p058, p059, p060, p061, p062, p063;
    byte p064, p065, p066, p067, p068, p069, p070, p071, p072, p073, p074, p075, p076, p077, p078, p079;
    byte p080, p081, p082, p083, p084, p085, p086, p087, p088, p089, p090, p091, p092, p093, p094, p095;
    byte p096, p097, p098, p099, p100, p101, p102, p103, p104, p105, p106, p107, p108, p109, p110, p111;
    byte p112, p113, p114, p115, p116, p117, p118, p119, p120, p121, p122, p123, p124, p125, p126, p127;
}

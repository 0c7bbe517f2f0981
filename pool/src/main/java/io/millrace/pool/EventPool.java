package io.millrace.pool;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * What both pools share: making the events, the exhaustion policy, counting.
 */
abstract class EventPool<E extends BasePoolAware> extends EventOwner implements ObjectPool<E>
{
    /** About 1 microsecond of spinning before the first yield. */
    private static final int SPINS = 50;
    private static final int YIELDS = 100;
    private static final long MIN_PARK_NS = TimeUnit.MICROSECONDS.toNanos(1);
    private static final long MAX_PARK_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private String name;
    private final Supplier<? extends E> factory;
    private final Exhaustion policy;
    private final PoolMetrics metrics = new PoolMetrics();

    /**
     * A pool without a name takes that of its events' class.
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
        event.settle(PoolCheck.ENABLED ? new CheckedOwner(this, index) : this);
        return event;
    }

    /**
     * One attempt, without policy and without counting.
     */
    abstract E tryAcquire();

    /**
     * Make room for one more event and lend it.
     *
     * @return null when the limit is reached.
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
        long parkNs = MIN_PARK_NS;
        for (int i = 0; System.nanoTime() - deadlineNs < 0 && !Thread.currentThread().isInterrupted(); i++)
        {
            final E event = tryAcquire();
            if (event != null)
            {
                return event;
            }
            if (i < SPINS)
            {
                Thread.onSpinWait();
            }
            else if (i < SPINS + YIELDS)
            {
                Thread.yield();
            }
            else
            {
                LockSupport.parkNanos(parkNs);
                parkNs = Math.min(parkNs * 2, MAX_PARK_NS);
            }
        }
        final E event = tryAcquire();
        if (event == null)
        {
            metrics.countWaitTimeout();
        }
        return event;
    }

    @Override
    final void onUnheldRelease(final BasePoolAware event)
    {
        metrics.countDoubleRelease();
    }

    @Override
    final void onUnheldRetain(final BasePoolAware event)
    {
        metrics.countDoubleRelease();
        if (!PoolCheck.ENABLED)
        {
            throw new IllegalStateException("retain of an event of pool " + name +
                " that nobody holds: it was released before; -D" + PoolCheck.PROPERTY + "=true tells by whom");
        }
    }

    @Override
    final IllegalArgumentException unheldOffer(final BasePoolAware event)
    {
        return new IllegalArgumentException(describe(event) + " of pool " + name + " cannot be published: it is not " +
            "lent to its publisher (published or released before, or forwarded without retain(1))");
    }

    @Override
    final void onLateRelease(final BasePoolAware event)
    {
        metrics.countLateRelease();
    }

    @Override
    final void onDeadUse(final BasePoolAware event)
    {
    }

    /**
     * The events that the pool owns, nulls behind the last one.
     */
    abstract BasePoolAware[] events();

    @Override
    public final String describeLent()
    {
        final int size = capacity();
        final int lent = size - available();
        final StringBuilder text = new StringBuilder();
        if (lent > 0)
        {
            text.append(lent).append(" of ").append(size).append(" events of pool ").append(name).append(" are out");
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
        return event.home() instanceof CheckedOwner ?
            ((CheckedOwner)event.home()).describeLent(event) :
            event.getClass().getSimpleName() + " holders=" + event.holders();
    }
}

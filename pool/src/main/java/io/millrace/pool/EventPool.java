package io.millrace.pool;

import java.util.Objects;
import java.util.function.Supplier;

/**
 * Common base of both pools: creates the events, applies the exhaustion policy, and counts requests.
 */
abstract class EventPool<E extends BasePoolAware> extends EventOwner implements ObjectPool<E>
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

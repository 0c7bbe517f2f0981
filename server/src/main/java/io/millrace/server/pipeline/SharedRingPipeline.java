package io.millrace.server.pipeline;

import io.millrace.pool.Backoff;
import io.millrace.pool.BasePoolAware;
import io.millrace.pool.PoolCheck;
import io.millrace.pool.SharedRingPool;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * A ring for any number of publishing threads. Pool and pipeline are one, as in a {@link RingPipeline}, and the stages
 * are the same.
 * <pre>
 *  publisher A   claim s, fill, offer ----+
 *  publisher B   claim s + 1, fill, offer +--&gt; | e | e | e | e | --&gt; stages, in the order of the claims
 *  publisher C   claim s + 2, fill, offer +       sequence word in e
 * </pre>
 * A stage waits for each claimed event in turn. A publisher that ends between claim and offer would stop it for ever.
 * The rule: when a first stage has waited for a claimed event for the <em>claim timeout</em>, its polling thread
 * revokes the event ({@link SharedRingPool#revoke(long, long)}) and continues. For a late publisher
 * {@link #offer} returns false.
 * <p>
 * Each subscription has one polling thread. A stage is added while no thread publishes.
 *
 * @param <E> type of the events.
 */
public final class SharedRingPipeline<E extends BasePoolAware> extends SharedRingPipelineFields<E>
{
    /** Claim timeout by default: one second, in nanoseconds. */
    public static final long DEFAULT_CLAIM_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);

    /** Shortest claim timeout: one millisecond, in nanoseconds. */
    public static final long MIN_CLAIM_TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Longest claim timeout: one hour, in nanoseconds. */
    public static final long MAX_CLAIM_TIMEOUT_NS = TimeUnit.HOURS.toNanos(1);

    /**
     * A close revokes all claimed events at once, a millisecond after its announcement. An event that is between the
     * two stores of its claim is revoked in the next round.
     */
    private static final long CLOSE_TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(100);

    byte p200, p201, p202, p203, p204, p205, p206, p207, p208, p209, p210, p211, p212, p213, p214, p215;
    byte p216, p217, p218, p219, p220, p221, p222, p223, p224, p225, p226, p227, p228, p229, p230, p231;
    byte p232, p233, p234, p235, p236, p237, p238, p239, p240, p241, p242, p243, p244, p245, p246, p247;
    byte p248, p249, p250, p251, p252, p253, p254, p255, p256, p257, p258, p259, p260, p261, p262, p263;
    byte p264, p265, p266, p267, p268, p269, p270, p271, p272, p273, p274, p275, p276, p277, p278, p279;
    byte p280, p281, p282, p283, p284, p285, p286, p287, p288, p289, p290, p291, p292, p293, p294, p295;
    byte p296, p297, p298, p299, p300, p301, p302, p303, p304, p305, p306, p307, p308, p309, p310, p311;
    byte p312, p313, p314, p315, p316, p317, p318, p319, p320, p321, p322, p323, p324, p325, p326, p327;

    /**
     * A pipeline over a pool, with the default claim timeout.
     *
     * @param pool not bound yet; it belongs to this pipeline from now on.
     * @throws IllegalStateException if the pool cannot be bound, see {@link SharedRingPool#bind}.
     */
    public SharedRingPipeline(final SharedRingPool<E> pool)
    {
        this(pool, DEFAULT_CLAIM_TIMEOUT_NS);
    }

    /**
     * A pipeline over a pool.
     *
     * @param pool           not bound yet; it belongs to this pipeline from now on.
     * @param claimTimeoutNs time for which a first stage waits for a claimed event, {@link #MIN_CLAIM_TIMEOUT_NS} to
     *                       {@link #MAX_CLAIM_TIMEOUT_NS} in nanoseconds; 0: it waits for ever.
     * @throws IllegalArgumentException if the timeout is out of range.
     * @throws IllegalStateException    if the pool cannot be bound, see {@link SharedRingPool#bind}.
     */
    public SharedRingPipeline(final SharedRingPool<E> pool, final long claimTimeoutNs)
    {
        super(Objects.requireNonNull(pool, "pool"), checkClaimTimeout(claimTimeoutNs));
        pool.bind(gate());
    }

    /**
     * Check a claim timeout against the allowed range.
     *
     * @param claimTimeoutNs in nanoseconds.
     * @return the timeout.
     * @throws IllegalArgumentException if it is out of range.
     */
    public static long checkClaimTimeout(final long claimTimeoutNs)
    {
        if (claimTimeoutNs != 0 && (claimTimeoutNs < MIN_CLAIM_TIMEOUT_NS || claimTimeoutNs > MAX_CLAIM_TIMEOUT_NS))
        {
            throw new IllegalArgumentException("claimTimeoutNs " + claimTimeoutNs + " is not in " +
                MIN_CLAIM_TIMEOUT_NS + ".." + MAX_CLAIM_TIMEOUT_NS + ", nor 0 (wait for ever)");
        }
        return claimTimeoutNs;
    }

    /**
     * Action for each event that is revoked by a stage. Set it before the first stage is added.
     *
     * @param action called with the sequence, by the stage's polling thread.
     */
    public void onRevoked(final LongConsumer action)
    {
        onRevoked = Objects.requireNonNull(action, "action");
    }

    /**
     * The pool whose events it carries.
     *
     * @return the pool that the publishing threads acquire from.
     */
    public SharedRingPool<E> pool()
    {
        return pool;
    }

    /**
     * {@inheritDoc}
     * Any thread. False also if the event was revoked: a release has no effect then, and another offer is refused too.
     *
     * @throws IllegalArgumentException if the event was not acquired from this ring's pool, or was published already.
     */
    @Override
    public boolean offer(final E event)
    {
        // Read once: a close may change it meanwhile.
        final int last = terminalStages;
        Objects.requireNonNull(event, "event");
        return last > 0 && (PoolCheck.ENABLED ? offerChecked(event, last) : pool.publish(event));
    }

    /** In checked mode every terminal stage releases the events that it passed, so the reference count shows misuse. */
    private boolean offerChecked(final E event, final int last)
    {
        event.checkLive();
        event.passOn(last);
        boolean accepted = false;
        try
        {
            accepted = pool.publish(event);
        }
        finally
        {
            if (!accepted)
            {
                event.undoPassOn(last);
            }
        }
        return accepted;
    }

    @Override
    ClaimWatch newClaimWatch()
    {
        return claimTimeoutNs == 0 ? null : new ClaimWatch(pool, claimTimeoutNs, onRevoked);
    }

    /** A publisher that offers after this gets false; one that offered before has published. */
    @Override
    void resolveClaims(final long end)
    {
        final long deadlineNs = System.nanoTime() + CLOSE_TIMEOUT_NS;
        int round = 0;
        for (long next = pool.resolvedPosition(); next < end && System.nanoTime() - deadlineNs < 0;
            next = pool.resolvedPosition())
        {
            pool.revoke(next, end);
            round = Backoff.idle(round);
        }
    }

    /**
     * {@inheritDoc}
     * No effect: any thread publishes.
     */
    @Override
    public void handOver()
    {
    }
}

/** Read by the publishing threads for each event, so padded. */
abstract class SharedRingPipelineFields<E extends BasePoolAware> extends RingSubscriptions<E>
{
    final SharedRingPool<E> pool;
    final long claimTimeoutNs;
    LongConsumer onRevoked = sequence ->
    {
    };

    SharedRingPipelineFields(final SharedRingPool<E> pool, final long claimTimeoutNs)
    {
        super(pool);
        this.pool = pool;
        this.claimTimeoutNs = claimTimeoutNs;
    }
}

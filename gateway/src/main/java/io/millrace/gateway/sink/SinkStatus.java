package io.millrace.gateway.sink;

import io.millrace.pool.PaddedLong;
import io.millrace.server.Counters;

import java.util.Objects;

/**
 * Counters and health of one sink. The sink writes, on any of its threads; any thread reads.
 * <p>
 * Each event that the sink took is counted once: delivered, refused or unknown, or it is still pending in the client
 * library of a broker.
 */
public final class SinkStatus
{
    /** Health and reason, which change together. */
    private static final class State
    {
        final SinkHealth health;
        final String reason;

        State(final SinkHealth health, final String reason)
        {
            this.health = health;
            this.reason = reason;
        }

        @Override
        public String toString()
        {
            return reason.isEmpty() ? health.name() :
                health + ": " + reason.strip().replaceAll("\\p{Cntrl}+", " ");
        }
    }

    private static final State UP = new State(SinkHealth.UP, "");
    private static final String CLOSED = "closed";

    private final PaddedLong delivered = new PaddedLong(0);
    private final PaddedLong refused = new PaddedLong(0);
    private final PaddedLong unknown = new PaddedLong(0);
    private final PaddedLong failures = new PaddedLong(0);
    private final PaddedLong reconnects = new PaddedLong(0);
    private boolean wasUp;
    /** The last one that was not UP, for a sink that falls behind and catches up again and again. */
    private State trouble = new State(SinkHealth.DOWN, "not started");
    /** Written under the lock; volatile for the readers. */
    private volatile State state = trouble;

    /** Counters at 0; health DOWN, because nothing has started. */
    public SinkStatus()
    {
    }

    /**
     * Count events that the other side has acknowledged; without acknowledgements, events handed to the operating
     * system.
     *
     * @param count number of events.
     */
    public void delivered(final long count)
    {
        delivered.getAndAdd(count);
    }

    /**
     * Count events that were certainly not delivered and will not be.
     *
     * @param count number of events.
     */
    public void refused(final long count)
    {
        refused.getAndAdd(count);
    }

    /**
     * Count events that may or may not have been delivered: sent, and no acknowledgement came.
     *
     * @param count number of events.
     */
    public void unknown(final long count)
    {
        unknown.getAndAdd(count);
    }

    /** The sink is UP. A return after it was UP before counts as a reconnect. */
    public synchronized void up()
    {
        if (state.health != SinkHealth.UP)
        {
            if (wasUp && state.health == SinkHealth.DOWN)
            {
                reconnects.getAndAdd(1);
            }
            wasUp = true;
            state = UP;
        }
    }

    /**
     * The sink is DEGRADED. Does nothing if it has that health and reason. Allocates nothing if the last trouble, also
     * before it was UP, had that health and reason.
     *
     * @param reason what is wrong.
     */
    public synchronized void degraded(final String reason)
    {
        set(SinkHealth.DEGRADED, reason);
    }

    /** The sink is DEGRADED, except when it is DOWN. */
    synchronized void degradedUnlessDown(final String reason)
    {
        if (state.health != SinkHealth.DOWN)
        {
            set(SinkHealth.DEGRADED, reason);
        }
    }

    /** The sink is UP if it was DEGRADED. */
    synchronized void recovered()
    {
        if (state.health == SinkHealth.DEGRADED)
        {
            state = UP;
        }
    }

    /**
     * The sink is DOWN; counted as a failure, also if it was DOWN.
     *
     * @param reason what is wrong.
     */
    public synchronized void down(final String reason)
    {
        failures.getAndAdd(1);
        set(SinkHealth.DOWN, reason);
    }

    /** The sink was closed: DOWN, without a failure. */
    public synchronized void closed()
    {
        set(SinkHealth.DOWN, CLOSED);
    }

    private void set(final SinkHealth health, final String reason)
    {
        if (trouble.health != health || !trouble.reason.equals(reason))
        {
            trouble = new State(health, Objects.requireNonNull(reason, "reason"));
        }
        if (state != trouble)
        {
            state = trouble;
        }
    }

    /** @return the current health. */
    public SinkHealth health()
    {
        return state.health;
    }

    /** @return why the sink is not UP; empty if it is. */
    public String reason()
    {
        return state.reason;
    }

    /** @return health and reason, read together, in one line: for example {@code DOWN: Connection refused}. */
    public String describe()
    {
        return state.toString();
    }

    /** As {@link #describe()}; null if the sink is UP, or closed: its flow has left the server, or its agent ended. */
    String problem()
    {
        final State now = state;
        return now.health == SinkHealth.UP || now.reason.equals(CLOSED) ? null : now.toString();
    }

    /** @return events that the other side acknowledged, or that were handed to the operating system. */
    public long delivered()
    {
        return delivered.getOpaque();
    }

    /** @return events that were certainly not delivered. */
    public long refused()
    {
        return refused.getOpaque();
    }

    /** @return events that may or may not have been delivered. */
    public long unknown()
    {
        return unknown.getOpaque();
    }

    /** @return failed attempts and lost connections. */
    public long failures()
    {
        return failures.getOpaque();
    }

    /** @return returns from DOWN to UP, without the first start. */
    public long reconnects()
    {
        return reconnects.getOpaque();
    }

    void addTo(final Counters counters, final String name)
    {
        counters.add(name + ".delivered", "events acknowledged, or handed to the operating system", this::delivered);
        counters.add(name + ".refused", "events that the sink took and certainly did not deliver", this::refused);
        counters.add(name + ".unknown", "events that the sink sent without an answer", this::unknown);
        counters.add(name + ".failures", "failed attempts and lost connections of the sink", this::failures);
        counters.add(name + ".reconnects", "returns of the sink from DOWN to UP", this::reconnects);
        counters.tagged().gauge(name + ".health", "state", "health of the sink: 0 UP, 1 DEGRADED, 2 DOWN",
            () -> health().ordinal());
    }
}

package io.millrace.gateway.sink;

import io.millrace.pool.Range;

import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Delays between attempts to connect. They double from the smallest to the greatest; each is reduced by a random part
 * of up to a half, so that many clients of one broker do not return at the same moment. Not thread-safe.
 */
public final class ReconnectBackoff
{
    /** Default of the smallest delay: 100 milliseconds, so that a short outage is short for us too. */
    public static final long DEFAULT_MIN_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Default of the greatest delay: 30 seconds. */
    public static final long DEFAULT_MAX_NS = TimeUnit.SECONDS.toNanos(30);

    private static final long LIMIT_NS = TimeUnit.HOURS.toNanos(1);

    private final long minNs;
    private final long maxNs;
    private final RandomGenerator random;
    private long nextNs;

    /** A back-off with the default delays and random reductions. */
    public ReconnectBackoff()
    {
        this(DEFAULT_MIN_NS, DEFAULT_MAX_NS, new SplittableRandom());
    }

    /**
     * A back-off at its smallest delay.
     *
     * @param minNs  smallest delay before its random reduction, 1 to an hour, in nanoseconds.
     * @param maxNs  greatest delay, {@code minNs} to an hour, in nanoseconds.
     * @param random decides the reduction; seeded by the caller.
     * @throws IllegalArgumentException if a delay is out of range.
     */
    public ReconnectBackoff(final long minNs, final long maxNs, final RandomGenerator random)
    {
        this.minNs = Range.check("minNs", minNs, 1, LIMIT_NS);
        this.maxNs = Range.check("maxNs", maxNs, minNs, LIMIT_NS);
        this.random = Objects.requireNonNull(random, "random");
        nextNs = minNs;
    }

    /**
     * The delay before the next attempt; the one after it is twice as long.
     *
     * @return nanoseconds, between a half of the current step and the step.
     */
    public long nextNs()
    {
        final long step = nextNs;
        nextNs = Math.min(maxNs, step * 2);
        return step - random.nextLong(step / 2 + 1);
    }

    /** An attempt succeeded: the next delay is the smallest again. */
    public void reset()
    {
        nextNs = minNs;
    }
}

package io.millrace.gateway.sink;

import org.junit.jupiter.api.Test;

import java.util.SplittableRandom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** B2: back-off with jitter, at most 30 seconds by default. */
class ReconnectBackoffTest
{
    private static ReconnectBackoff backoff(final long seed)
    {
        return new ReconnectBackoff(
            ReconnectBackoff.DEFAULT_MIN_NS, ReconnectBackoff.DEFAULT_MAX_NS, new SplittableRandom(seed));
    }

    @Test
    void shouldDoubleUpToTheGreatestDelayWithAJitterOfAHalf()
    {
        final ReconnectBackoff backoff = backoff(7);
        long step = ReconnectBackoff.DEFAULT_MIN_NS;
        for (int i = 0; i < 100; i++)
        {
            final long delay = backoff.nextNs();
            assertTrue(delay >= step / 2 && delay <= step, "delay " + delay + " of step " + step);
            step = Math.min(30_000_000_000L, 2 * step);
        }
        assertEquals(30_000_000_000L, step);
        backoff.reset();
        assertTrue(backoff.nextNs() <= ReconnectBackoff.DEFAULT_MIN_NS);
    }

    @Test
    void shouldDependOnTheSeedOnly()
    {
        assertEquals(backoff(1).nextNs(), backoff(1).nextNs());
        assertNotEquals(backoff(1).nextNs(), backoff(2).nextNs());
    }

    @Test
    void shouldRefuseImpossibleDelays()
    {
        assertEquals("minNs 0 is not in 1..3600000000000", assertThrows(IllegalArgumentException.class,
            () -> new ReconnectBackoff(0, 1, new SplittableRandom())).getMessage());
        assertEquals("maxNs 4 is not in 5..3600000000000", assertThrows(IllegalArgumentException.class,
            () -> new ReconnectBackoff(5, 4, new SplittableRandom())).getMessage());
    }
}

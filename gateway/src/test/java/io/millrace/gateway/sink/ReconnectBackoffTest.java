package io.millrace.gateway.sink;

import io.millrace.gateway.BboEvent;
import org.agrona.concurrent.NanoClock;
import org.junit.jupiter.api.Test;

import java.util.List;
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

    /** Counts what it does; its resource can be broken. */
    private static final class Counting extends ReopeningSink
    {
        private boolean isBroken = true;
        private int opens;
        private int abandons;

        Counting(final NanoClock clock)
        {
            super(backoff(3), clock);
        }

        @Override
        protected void open()
        {
            opens++;
            if (isBroken && opens % 2 == 0)
            {
                throw new OutOfMemoryError("planned");
            }
            if (isBroken)
            {
                throw new IllegalStateException("planned");
            }
        }

        @Override
        protected void abandon()
        {
            abandons++;
        }

        @Override
        public void onEvent(final BboEvent event, final long sequence, final boolean endOfBatch)
        {
            fail(new IllegalStateException("planned"));
        }
    }

    /** What is opened in part must be given up before the next attempt: otherwise each attempt costs a descriptor. */
    @Test
    void shouldAbandonTheResourceAfterEachFailure()
    {
        final long[] nowNs = {0};
        final Counting sink = new Counting(() -> nowNs[0]);
        sink.onStart();
        for (int i = 1; i <= 5; i++)
        {
            assertEquals(0, sink.demand());
            assertEquals(List.of(i, i), List.of(sink.opens, sink.abandons));
            nowNs[0] += ReconnectBackoff.DEFAULT_MAX_NS;
            assertEquals(0, sink.demand());
        }
        sink.isBroken = false;
        nowNs[0] += ReconnectBackoff.DEFAULT_MAX_NS;
        assertTrue(sink.demand() > 0);
        assertEquals(List.of(7, 6), List.of(sink.opens, sink.abandons));
        sink.onEvent(null, 0, true);
        assertEquals(7, sink.abandons);
        // The delay is the smallest again.
        assertEquals(0, sink.demand());
        nowNs[0] += ReconnectBackoff.DEFAULT_MIN_NS;
        assertTrue(sink.demand() > 0);
        sink.onClose();
        assertEquals(List.of(8, 8), List.of(sink.opens, sink.abandons));
    }

    @Test
    void shouldDependOnTheSeedOnly()
    {
        assertEquals(backoff(1).nextNs(), backoff(1).nextNs());
        assertNotEquals(backoff(1).nextNs(), backoff(2).nextNs());
    }

    @Test
    void shouldBeginWithTheSmallestDelayByDefault()
    {
        final long delayNs = new ReconnectBackoff().nextNs();
        assertTrue(delayNs >= ReconnectBackoff.DEFAULT_MIN_NS / 2 && delayNs <= ReconnectBackoff.DEFAULT_MIN_NS,
            () -> delayNs + " ns");
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

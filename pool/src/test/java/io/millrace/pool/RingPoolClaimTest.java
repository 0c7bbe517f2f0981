package io.millrace.pool;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Batches of a bound ring: claim several events, publish them together.
 */
final class RingPoolClaimTest
{
    private static final long FIRST = (1L << 31) - 10;

    private final RingPool<TestEvent> pool = RingReader.ring(8, FIRST);
    private final RingReader reader = new RingReader(pool);

    private long claim(final int count)
    {
        final long first = pool.claim(count);
        for (long sequence = first; first >= 0 && sequence < first + count; sequence++)
        {
            pool.event(sequence).fill(sequence - FIRST);
        }
        return first;
    }

    private void assertAtRest()
    {
        assertNull(reader.next());
        assertEquals(pool.claimedPosition(), pool.publishedPosition());
        assertEquals(8, pool.available());
    }

    @Test
    void shouldPublishABatchAtOnceAndInOrder()
    {
        final long first = claim(5);
        assertEquals(FIRST, first);
        assertNull(reader.next());
        pool.publish(first, 5);
        assertEquals(List.of(0L, 1L, 2L, 3L, 4L), reader.readAll());
        assertAtRest();
    }

    @Test
    void shouldPublishABatchInParts()
    {
        final long first = claim(6);
        pool.publish(first, 2);
        assertEquals(List.of(0L, 1L), reader.readAll());
        pool.publish(pool.event(first + 2));
        pool.publish(first + 3, 3);
        assertEquals(List.of(2L, 3L, 4L, 5L), reader.readAll());
        assertAtRest();
    }

    @Test
    void shouldClaimAllOrNothing()
    {
        claim(6);
        assertEquals(-1, claim(3));
        assertEquals(1, pool.metrics().exhausted());
        assertEquals(2, pool.available());
        assertEquals(FIRST + 6, claim(2));
        assertEquals(-1, claim(1));
        pool.publish(FIRST, 8);
        assertEquals(8, reader.readAll().size());
        assertEquals(FIRST + 8, claim(8));
    }

    /** In checked mode the hook runs at the release. */
    @Test
    @Tag("normal")
    void shouldClaimNothingOfABatchWhenAHookThrows()
    {
        pool.event(FIRST + 3).thrownByHook = new IllegalStateException("hook");
        assertEquals("hook", assertThrows(IllegalStateException.class, () -> pool.claim(8)).getMessage());
        assertEquals(FIRST, pool.claimedPosition());
        assertEquals(8, pool.available());
        pool.publish(claim(8), 8);
        assertEquals(8, reader.readAll().size());
        assertEquals(0, pool.metrics().abandoned());
        assertAtRest();
    }

    @Test
    void shouldMakePadsOfAnOvertakenBatch()
    {
        claim(3);
        final long second = claim(2);
        pool.publish(second, 2);
        assertEquals(3, pool.metrics().abandoned());
        assertEquals(List.of(3L, 4L), reader.readAll());
        assertAtRest();
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "3", "0 1", "1 0", "1 2", "3 0", "2 3", "0 1 2", "0 1 2 3", "3 2 1 0"})
    void shouldPublishABatchWithoutReleasedEvents(final String released)
    {
        final long first = claim(4);
        final List<Long> left = new ArrayList<>(List.of(0L, 1L, 2L, 3L));
        for (final String index : released.split(" "))
        {
            pool.event(first + Integer.parseInt(index)).release();
            left.remove(Long.valueOf(index));
        }
        pool.publish(first, 4);

        assertEquals(left, reader.readAll());
        assertEquals(4 - left.size(), pool.metrics().abandoned());
        assertAtRest();
        pool.publish(claim(8), 8);
        assertEquals(8, reader.readAll().size());
        assertAtRest();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 9, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void shouldRefuseACountOutOfRange(final int count)
    {
        final String message = assertThrows(IllegalArgumentException.class, () -> pool.claim(count)).getMessage();
        assertTrue(message.contains("count " + count) && message.contains("1..8"), message);
        assertEquals(FIRST, pool.claimedPosition());
        assertEquals(0, pool.metrics().exhausted());
    }

    @Test
    void shouldRefuseToPublishAnUnclaimedEventAndChangeNothing()
    {
        pool.publish(claim(2), 2);
        final long first = claim(3);
        assertRefused(first, 0);
        assertRefused(first, -1);
        assertRefused(first, 4);
        assertRefused(first, Integer.MAX_VALUE);
        assertRefused(first - 1, 2);
        assertRefused(first - 2, 1);
        assertRefused(first + 3, 1);
        assertRefused(first + 8, 1);
        assertRefused(first - 8, 1);
        assertRefused(-1, 1);
        assertRefused(Long.MIN_VALUE, 1);
        assertRefused(Long.MAX_VALUE, 1);
        assertRefused(Long.MAX_VALUE - 1, Integer.MAX_VALUE);

        assertEquals(first, pool.publishedPosition());
        assertEquals(first + 3, pool.claimedPosition());
        assertEquals(0, pool.metrics().abandoned());
        assertEquals(List.of(0L, 1L), reader.readAll());
        pool.publish(first, 3);
        assertEquals(List.of(2L, 3L, 4L), reader.readAll());
        assertAtRest();
    }

    private void assertRefused(final long first, final int count)
    {
        final String message =
            assertThrows(IllegalArgumentException.class, () -> pool.publish(first, count)).getMessage();
        assertTrue(message.contains(count + " events from " + first), message);
    }
}

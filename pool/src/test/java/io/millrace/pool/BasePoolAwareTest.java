package io.millrace.pool;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * An event outside any pool is a plain object.
 */
final class BasePoolAwareTest
{
    @Test
    void shouldDoNothingWithoutAPool()
    {
        final TestEvent event = new TestEvent();
        event.retain(3);
        event.release();
        event.release();
        assertTrue(event.release(event.stamp()));
        event.checkLive();

        assertEquals(0, event.refCount());
        assertEquals(0, event.hooks);
        assertThrows(IllegalArgumentException.class, () -> event.retain(0));
    }
}

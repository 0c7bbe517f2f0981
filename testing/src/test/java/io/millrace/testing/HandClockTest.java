package io.millrace.testing;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class HandClockTest
{
    private final HandClock clock = new HandClock(7);

    @Test
    void shouldStandStillUntilItIsMoved()
    {
        assertEquals(7, clock.nanoTime());
        clock.set(9);
        assertEquals(9, clock.nanoTime());
        clock.advance(3);
        assertEquals(12, clock.nanoTime());
        clock.advance(0);
        clock.set(12);
        assertEquals(12, clock.nanoTime());
    }

    @Test
    void shouldNotGoBack()
    {
        assertEquals("time 6 is before the present time 7",
            assertThrows(IllegalArgumentException.class, () -> clock.set(6)).getMessage());
        assertThrows(IllegalArgumentException.class, () -> clock.advance(-1));
        assertThrows(IllegalArgumentException.class, () -> clock.advance(Long.MAX_VALUE));
        assertEquals(7, clock.nanoTime());
    }
}

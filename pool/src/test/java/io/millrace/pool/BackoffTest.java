package io.millrace.pool;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Tag("normal")
class BackoffTest
{
    @Test
    void shouldSpinThenYieldThenParkForAtMostAHundredMicroseconds()
    {
        int round = 0;
        for (int i = 0; i < 400; i++)
        {
            assertEquals(Math.min(i, 399), round);
            round = Backoff.idle(round);
        }
        assertEquals(399, Backoff.idle(round), "the longest park repeats");
    }

    @Test
    void shouldKeepTheInterruptFlag()
    {
        Thread.currentThread().interrupt();
        assertEquals(399, Backoff.idle(398));
        assertTrue(Thread.interrupted());
    }
}

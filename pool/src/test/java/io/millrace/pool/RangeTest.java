package io.millrace.pool;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class RangeTest
{
    @Test
    void shouldReturnANumberOfTheRange()
    {
        assertEquals(1, Range.check("count", 1, 1, 3));
        assertEquals(3, Range.check("count", 3, 1, 3));
        assertEquals(Long.MIN_VALUE, Range.check("time", Long.MIN_VALUE, Long.MIN_VALUE, Long.MAX_VALUE));
    }

    @Test
    void shouldNameARefusedNumberAndTheRange()
    {
        for (final int wrong : new int[] {Integer.MIN_VALUE, 0, 4, Integer.MAX_VALUE})
        {
            assertEquals("count " + wrong + " is not in 1..3", assertThrows(
                IllegalArgumentException.class, () -> Range.check("count", wrong, 1, 3)).getMessage());
            assertEquals("time " + wrong + " is not in 1..3", assertThrows(
                IllegalArgumentException.class, () -> Range.check("time", (long)wrong, 1, 3)).getMessage());
        }
    }
}

package io.millrace.engine.tables;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

class PowerOfTwoTest
{
    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "3, 4", "4, 4", "5, 8", "1000, 1024", "1024, 1024", "1073741823, 1073741824",
        "1073741824, 1073741824"})
    void shouldBeTheLeastPowerOfTwoAtOrAbove(final int value, final int expected)
    {
        assertEquals(expected, PowerOfTwo.atLeast(value));
    }
}

package io.millrace.pool;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Tag("normal")
final class ExhaustionTest
{
    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, Exhaustion.MAX_WAIT_NS + 1, Long.MAX_VALUE})
    void shouldRefuseATimeOutOfRange(final long timeoutNs)
    {
        final String message =
            assertThrows(IllegalArgumentException.class, () -> Exhaustion.waitFor(timeoutNs)).getMessage();
        assertTrue(message.contains("timeoutNs " + timeoutNs) && message.contains("1..3600000000000"), message);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, ObjectPool.MAX_CAPACITY + 1})
    void shouldRefuseALimitOutOfRange(final int maxCapacity)
    {
        final String message =
            assertThrows(IllegalArgumentException.class, () -> Exhaustion.grow(maxCapacity)).getMessage();
        assertTrue(message.contains("maxCapacity " + maxCapacity) && message.contains("1..67108864"), message);
    }

    @Test
    void shouldBeEqualWhenTheirSettingsAreEqual()
    {
        assertEquals(Exhaustion.waitFor(5), Exhaustion.waitFor(5));
        assertEquals(Exhaustion.grow(5).hashCode(), Exhaustion.grow(5).hashCode());
        assertNotEquals(Exhaustion.waitFor(5), Exhaustion.waitFor(6));
        assertNotEquals(Exhaustion.grow(5), Exhaustion.fail());
        assertEquals("FAIL WAIT(5 ns) GROW(to 7)",
            Exhaustion.fail() + " " + Exhaustion.waitFor(5) + " " + Exhaustion.grow(7));
    }
}

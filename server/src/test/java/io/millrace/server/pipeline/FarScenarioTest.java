package io.millrace.server.pipeline;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * P14: all scenarios from sequences near the ends of their bits: where an {@code int} wraps, where the low 32 bits
 * start again, and 2^20 events before the end of a {@code long}.
 */
final class FarScenarioTest
{
    @Nested
    @ParameterizedClass
    @ValueSource(longs = {FarStart.INT_END, FarStart.LOW_BITS_END, FarStart.LONG_END})
    final class Ring extends RingScenarioTest
    {
        Ring(final long first)
        {
            start = first;
        }
    }

    @Nested
    @ParameterizedClass
    @ValueSource(longs = {FarStart.INT_END, FarStart.LOW_BITS_END, FarStart.LONG_END})
    final class DisruptorMulti extends DisruptorScenarioTest
    {
        DisruptorMulti(final long first)
        {
            start = first;
        }
    }

    @Nested
    @ParameterizedClass
    @ValueSource(longs = {FarStart.INT_END, FarStart.LOW_BITS_END, FarStart.LONG_END})
    final class DisruptorSingle extends DisruptorRingPoolScenarioTest
    {
        DisruptorSingle(final long first)
        {
            start = first;
        }
    }

    @Nested
    @ParameterizedClass
    @ValueSource(longs = {FarStart.INT_END, FarStart.LOW_BITS_END, FarStart.LONG_END})
    final class Spsc extends SpscScenarioTest
    {
        Spsc(final long first)
        {
            start = first;
        }
    }

    @Nested
    @ParameterizedClass
    @ValueSource(longs = {FarStart.INT_END, FarStart.LOW_BITS_END, FarStart.LONG_END})
    final class SpscRingPool extends SpscRingPoolScenarioTest
    {
        SpscRingPool(final long first)
        {
            start = first;
        }
    }

    @Nested
    @ParameterizedClass
    @ValueSource(longs = {FarStart.INT_END, FarStart.LOW_BITS_END, FarStart.SHARED_END})
    final class SharedRing extends SharedRingScenarioTest
    {
        SharedRing(final long first)
        {
            start = first;
        }
    }
}

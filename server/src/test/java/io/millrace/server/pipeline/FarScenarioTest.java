package io.millrace.server.pipeline;

import org.junit.jupiter.api.Nested;

/**
 * P14: all scenarios from sequences near the ends of their bits: where an {@code int} wraps, where the low 32 bits
 * start again, and 2^20 events before the end of a {@code long}.
 */
final class FarScenarioTest
{
    @Nested
    final class RingAtIntEnd extends RingScenarioTest
    {
        RingAtIntEnd()
        {
            start = FarStart.INT_END;
        }
    }

    @Nested
    final class RingAtLowBitsEnd extends RingScenarioTest
    {
        RingAtLowBitsEnd()
        {
            start = FarStart.LOW_BITS_END;
        }
    }

    @Nested
    final class RingAtLongEnd extends RingScenarioTest
    {
        RingAtLongEnd()
        {
            start = FarStart.LONG_END;
        }
    }

    @Nested
    final class DisruptorMultiAtIntEnd extends DisruptorScenarioTest
    {
        DisruptorMultiAtIntEnd()
        {
            start = FarStart.INT_END;
        }
    }

    @Nested
    final class DisruptorMultiAtLowBitsEnd extends DisruptorScenarioTest
    {
        DisruptorMultiAtLowBitsEnd()
        {
            start = FarStart.LOW_BITS_END;
        }
    }

    @Nested
    final class DisruptorMultiAtLongEnd extends DisruptorScenarioTest
    {
        DisruptorMultiAtLongEnd()
        {
            start = FarStart.LONG_END;
        }
    }

    @Nested
    final class DisruptorSingleAtIntEnd extends DisruptorRingPoolScenarioTest
    {
        DisruptorSingleAtIntEnd()
        {
            start = FarStart.INT_END;
        }
    }

    @Nested
    final class DisruptorSingleAtLowBitsEnd extends DisruptorRingPoolScenarioTest
    {
        DisruptorSingleAtLowBitsEnd()
        {
            start = FarStart.LOW_BITS_END;
        }
    }

    @Nested
    final class DisruptorSingleAtLongEnd extends DisruptorRingPoolScenarioTest
    {
        DisruptorSingleAtLongEnd()
        {
            start = FarStart.LONG_END;
        }
    }

    @Nested
    final class SpscAtIntEnd extends SpscScenarioTest
    {
        SpscAtIntEnd()
        {
            start = FarStart.INT_END;
        }
    }

    @Nested
    final class SpscAtLowBitsEnd extends SpscScenarioTest
    {
        SpscAtLowBitsEnd()
        {
            start = FarStart.LOW_BITS_END;
        }
    }

    @Nested
    final class SpscAtLongEnd extends SpscScenarioTest
    {
        SpscAtLongEnd()
        {
            start = FarStart.LONG_END;
        }
    }

    @Nested
    final class SpscRingPoolAtIntEnd extends SpscRingPoolScenarioTest
    {
        SpscRingPoolAtIntEnd()
        {
            start = FarStart.INT_END;
        }
    }

    @Nested
    final class SpscRingPoolAtLowBitsEnd extends SpscRingPoolScenarioTest
    {
        SpscRingPoolAtLowBitsEnd()
        {
            start = FarStart.LOW_BITS_END;
        }
    }

    @Nested
    final class SpscRingPoolAtLongEnd extends SpscRingPoolScenarioTest
    {
        SpscRingPoolAtLongEnd()
        {
            start = FarStart.LONG_END;
        }
    }

    @Nested
    final class SharedRingAtIntEnd extends SharedRingScenarioTest
    {
        SharedRingAtIntEnd()
        {
            start = FarStart.INT_END;
        }
    }

    @Nested
    final class SharedRingAtLowBitsEnd extends SharedRingScenarioTest
    {
        SharedRingAtLowBitsEnd()
        {
            start = FarStart.LOW_BITS_END;
        }
    }

    @Nested
    final class SharedRingAtLastBitEnd extends SharedRingScenarioTest
    {
        SharedRingAtLastBitEnd()
        {
            start = FarStart.SHARED_END;
        }
    }
}

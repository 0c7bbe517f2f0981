package io.millrace.benchmarks.race;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class BeatTest
{
    @ParameterizedTest
    @ValueSource(longs = {1, 3, 7, 100_000, 1_000_000, 7_777_777, 32_000_000})
    void shouldBeExactOverASecond(final long perSecond)
    {
        final long startNs = -5;
        final Beat beat = new Beat(perSecond);
        beat.start(startNs);
        for (long i = 0; i < Math.min(perSecond, 1_000_000); i++)
        {
            assertEquals(startNs + i * 1_000_000_000L / perSecond, beat.nextNs());
        }
    }
}

package io.millrace.benchmarks.race;

import io.millrace.benchmarks.harness.Copies;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class RaceResultTest
{
    private static RaceResult result(final double steal, final double waited)
    {
        return new RaceResult(1_000, 2_000, 3_000, new Histogram(1), 4, 5, 6, 7, steal, waited, "pinned to 1");
    }

    /** The two numbers beyond the limits are the next that a double can say. */
    @ParameterizedTest
    @CsvSource({
        "0, 0, true", "0, 0.05, true", "0, 0.05000000000000001, false", "0, 1, false", "0, NaN, true",
        "0.01, 0, true", "0.010000000000000002, 0, false", "NaN, 0, true", "NaN, NaN, true", "NaN, 0.06, false",
        "0.02, NaN, false"})
    void shouldBeCleanUpToTheLimitsAndWhereNothingIsKnown(final double steal, final double waited, final boolean clean)
    {
        assertEquals(clean, result(steal, waited).isClean());
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.0, 0.05, 0.05000000000000001, 1e-9, 1.0 / 3, Double.NaN})
    void shouldArriveInTheParentWithTheTimeThatItWaited(final double waited)
    {
        final RaceResult sent = result(0.125, waited);
        final RaceResult back = Copies.of(sent);
        assertEquals(waited, back.waited());
        assertEquals(0.125, back.steal());
        assertEquals(sent.isClean(), back.isClean());
        assertEquals("pinned to 1", back.placement());
        assertEquals(sent.perSecond(), back.perSecond());
        assertEquals(sent.switches(), back.switches());
    }
}

package io.millrace.benchmarks.harness;

import io.millrace.benchmarks.harness.Chart.Scale;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The marks of an axis are round and there are some; percentiles have names. */
class ScaleTest
{
    @Test
    void shouldHaveRoundMarksOnAnyScale()
    {
        assertEquals(List.of(100.0, 200.0, 500.0, 1_000.0), new Scale(90, 1_100, 0, 1, true).marks(0));
        assertEquals(List.of(120.0, 130.0, 140.0, 150.0, 160.0), new Scale(112, 161, 0, 1, true).marks(0));
        assertEquals(List.of(0.0, 5.0, 10.0, 15.0), new Scale(0, 19, 0, 1, false).marks(4));
    }

    @Test
    void shouldNameAPercentileByItsDecade()
    {
        assertEquals(List.of("0 %", "90 %", "99 %", "99.9 %", "99.999 %"),
            List.of(0, 1, 2, 3, 5).stream().map(Chart::percentile).toList());
    }
}

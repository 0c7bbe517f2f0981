package io.millrace.benchmarks.harness;

import io.millrace.server.metrics.LatencyRecorder;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class QuantileTest
{
    @Test
    void shouldReportAPercentileWithTenSamplesBeyond()
    {
        assertEquals(100, Quantile.of(samples(1_000), 99.0));
        assertEquals(100, Quantile.of(samples(10_000), 99.9));
        assertEquals(100, Quantile.of(samples(1_000_000), 99.999));
        assertEquals(100, Quantile.of(samples(20), 50.0));
    }

    @Test
    void shouldNotReportAPercentileWithFewerThanTenSamplesBeyond()
    {
        assertTrue(Double.isNaN(Quantile.of(samples(999), 99.0)));
        assertTrue(Double.isNaN(Quantile.of(samples(9_999), 99.9)));
        assertTrue(Double.isNaN(Quantile.of(samples(999_999), 99.999)));
        assertTrue(Double.isNaN(Quantile.of(samples(19), 50.0)));
        assertTrue(Double.isNaN(Quantile.of(samples(0), 50.0)));
        assertEquals("-", Quantile.text(Quantile.of(samples(999), 99.0)));
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1 ns", "250, 250 ns", "999, 999 ns", "1000, 1.00 µs", "1234, 1.23 µs", "9996, 10.0 µs", "12345, 12.3 µs",
        "123456, 123 µs", "999600, 1.00 ms", "1050000, 1.05 ms", "60000000000, 60.0 s", "26.54, 26.5 ns", "0, 0 ns",
        "-12, -12 ns", "-3637129, -3.64 ms"})
    void shouldWriteThreeDigitsAndTheUnit(final double ns, final String text)
    {
        assertEquals(text, Quantile.text(ns));
    }

    @Test
    void shouldTakeTheMiddleOfWhatIsANumber()
    {
        assertEquals(2.0, Quantile.median(3.0, 1.0, 2.0));
        assertEquals(2.5, Quantile.median(4.0, 1.0, 2.0, 3.0));
        assertEquals(2.0, Quantile.median(Double.NaN, 3.0, 1.0));
        assertTrue(Double.isNaN(Quantile.median()));
    }

    private static Histogram samples(final int count)
    {
        final Histogram histogram = LatencyRecorder.newHistogram();
        histogram.recordValueWithCount(100, count);
        return histogram;
    }
}

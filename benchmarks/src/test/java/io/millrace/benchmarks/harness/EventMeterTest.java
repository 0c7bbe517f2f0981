package io.millrace.benchmarks.harness;

import io.millrace.server.metrics.LatencyRecorder;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class EventMeterTest
{
    private final EventMeter meter = new EventMeter();
    private final Histogram expected = LatencyRecorder.newHistogram();

    private void time(final long latencyNs)
    {
        final long intendedNs = System.nanoTime() - latencyNs;
        expected.recordValue(LatencyRecorder.clamp(meter.time(intendedNs) - intendedNs));
    }

    @Test
    void shouldMeasureAsAHistogramDoes()
    {
        assertEquals(expected, meter.intended());
        for (long latencyNs = 1; latencyNs < 2 * LatencyRecorder.HIGHEST_NS; latencyNs += latencyNs / 3 + 1)
        {
            time(latencyNs);
            assertEquals(expected, meter.intended(), () -> "greatest latency " + expected.getMaxValue());
        }
        time(7);
        time(LatencyRecorder.HIGHEST_NS);
        assertEquals(expected, meter.intended());
        assertEquals(expected.getMaxValue(), meter.intended().getMaxValue());
    }

    @Test
    void shouldNotMeasureAnUntimedEvent()
    {
        assertEquals(0, meter.time(OpenLoop.UNTIMED));
        assertEquals(expected, meter.intended());
    }
}

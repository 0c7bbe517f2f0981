package io.millrace.benchmarks.harness;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class HiccupMeterTest
{
    @Test
    void shouldReadEachSampleOnce() throws InterruptedException
    {

        final Histogram late = new HiccupMeter(10_000, 1, Pinning.NONE, Pinning.NONE).run();

        assertEquals(10, late.getTotalCount());
        assertTrue(late.getMinValue() >= 0, "no sample is seen before its time");
    }
}

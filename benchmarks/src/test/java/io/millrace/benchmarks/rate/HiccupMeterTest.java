package io.millrace.benchmarks.rate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class HiccupMeterTest
{
    @Test
    void shouldReadEachBeatOnce() throws InterruptedException
    {
        final RoundPlan plan = new RoundPlan(10_000, 1, 1, "empty", Pinning.NONE, Pinning.NONE);

        final Histogram late = new HiccupMeter(plan).run();

        assertEquals(10, late.getTotalCount());
        assertTrue(late.getMinValue() >= 0, "no beat is seen before its time");
    }
}

package io.millrace.server.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.pool.testkit.AllocationWindows;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("normal")
class LatencyRecorderTest
{
    private final LatencyRecorder recorder = new LatencyRecorder();

    @Test
    void shouldReturnEachValueInOneInterval()
    {
        recorder.record(250);
        recorder.record(1_000);
        final Histogram first = recorder.takeInterval(null);
        recorder.record(7);
        final Histogram second = recorder.takeInterval(null);

        assertEquals(2, first.getTotalCount());
        assertEquals(250, first.getMinValue());
        assertEquals(1_000, first.getMaxValue());
        assertEquals(1, second.getTotalCount());
        assertEquals(7, second.getMaxValue());
    }

    @Test
    void shouldRecordWithThreeSignificantDigits()
    {
        recorder.record(123_456_789);
        final long kept = recorder.takeInterval(null).getValueAtPercentile(50.0);
        assertEquals(123_456_789, kept, 123_456_789 / 1_000);
    }

    @Test
    void shouldRecordBothEndsOfTheRange()
    {
        recorder.record(LatencyRecorder.LOWEST_NS);
        recorder.record(LatencyRecorder.HIGHEST_NS);

        assertEquals(2, recorder.takeInterval(null).getTotalCount());
        assertEquals(0, recorder.belowRange());
        assertEquals(0, recorder.aboveRange());
    }

    @Test
    void shouldClampAndCountValuesOutOfRange()
    {
        recorder.record(0);
        recorder.record(-5);
        recorder.record(Long.MIN_VALUE);
        recorder.record(LatencyRecorder.HIGHEST_NS + 1);
        recorder.record(Long.MAX_VALUE);

        final Histogram interval = recorder.takeInterval(null);
        assertEquals(5, interval.getTotalCount());
        assertEquals(LatencyRecorder.LOWEST_NS, interval.getMinValue());
        assertEquals(LatencyRecorder.HIGHEST_NS, interval.lowestEquivalentValue(interval.getMaxValue()),
            LatencyRecorder.HIGHEST_NS / 1_000);
        assertEquals(3, recorder.belowRange());
        assertEquals(2, recorder.aboveRange());
    }

    @Test
    void shouldReuseAnIntervalThatIsHandedBack()
    {
        final Histogram first = recorder.takeInterval(null);
        final Histogram second = recorder.takeInterval(first);
        recorder.record(9);
        final Histogram third = recorder.takeInterval(second);

        assertSame(first, third);
        assertEquals(1, third.getTotalCount());
    }

    @Test
    void shouldRefuseAnIntervalOfAnotherRecorder()
    {
        final Histogram foreign = LatencyRecorder.newHistogram();
        assertThrows(IllegalArgumentException.class, () -> recorder.takeInterval(foreign));
    }

    @Test
    void shouldLoseNothingWhileAnotherThreadReadsIntervals() throws InterruptedException
    {
        final int values = 300_000;
        final Thread writer = new Thread(() ->
        {
            for (int i = 1; i <= values; i++)
            {
                recorder.record(i);
            }
        }, "recording");
        final Histogram total = LatencyRecorder.newHistogram();
        writer.start();
        Histogram interval = null;
        while (writer.isAlive())
        {
            interval = recorder.takeInterval(interval);
            total.add(interval);
            Thread.yield();
        }
        writer.join();
        total.add(recorder.takeInterval(interval));

        assertEquals(values, total.getTotalCount());
        assertEquals(1, total.getMinValue());
    }

    @Test
    void shouldAllocateNothingWhenRecordingAndReading()
    {
        final Histogram[] intervals = {recorder.takeInterval(null), recorder.takeInterval(null)};
        AllocationWindows.assertNoBytes("a million values", 5, () ->
        {
            recordAndRead(intervals);
            return AllocationWindows.allocatedBytes(() -> recordAndRead(intervals));
        });
    }

    private void recordAndRead(final Histogram[] intervals)
    {
        for (int round = 0; round < 20; round++)
        {
            for (int i = -10; i < 50_000; i++)
            {
                recorder.record(i);
            }
            recorder.record(Long.MAX_VALUE);
            // Only the newest interval may be returned, so the recorder uses the same slot again.
            intervals[1] = recorder.takeInterval(intervals[1]);
        }
    }
}

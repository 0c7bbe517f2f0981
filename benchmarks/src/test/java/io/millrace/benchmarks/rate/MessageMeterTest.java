package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.harness.OpenLoop;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Events right behind one another share a reading of the clock, which comes after all of them.
 */
class MessageMeterTest
{
    private final MessageMeter meter = new MessageMeter(RateHandler.EMPTY);
    private final PlainEvent event = new PlainEvent();
    private long startNs;

    @BeforeEach
    void start()
    {
        meter.onStart();
        startNs = System.nanoTime();
    }

    private void handle(final int count, final boolean endOfBatch)
    {
        event.stamp(startNs, startNs + 1);
        for (int i = 0; i < count; i++)
        {
            meter.onMessage(event, endOfBatch);
        }
    }

    private void assertTimed(final long count)
    {
        assertEquals(count, meter.events().intended().getTotalCount());
        assertEquals(count, meter.ledger().direct().getTotalCount());
    }

    @Test
    void shouldTimeEventsTogetherAfterTheLastOne()
    {
        handle(3, false);
        assertTimed(0);
        final long beforeLastNs = System.nanoTime();
        handle(1, true);
        assertTimed(4);
        // Also the first one's, up to the width of a bucket.
        final Histogram latencies = meter.events().intended();
        assertTrue(latencies.highestEquivalentValue(latencies.getMinValue()) >= beforeLastNs - startNs);
        assertEquals(4, meter.handled());
    }

    @Test
    void shouldTimeAtMostEightEventsTogether()
    {
        handle(7, false);
        assertTimed(0);
        handle(1, false);
        assertTimed(8);
        handle(1, true);
        handle(1, true);
        assertTimed(10);
    }

    @Test
    void shouldTimeWhatWaitsWhenTheLastEventIsUntimed()
    {
        handle(2, false);
        event.stamp(OpenLoop.UNTIMED, 0);
        meter.onMessage(event, true);
        assertTimed(2);
        meter.onMessage(event, true);
        assertTimed(2);
        assertEquals(4, meter.handled());
    }
}

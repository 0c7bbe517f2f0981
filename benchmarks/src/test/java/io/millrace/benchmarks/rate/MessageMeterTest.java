package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.benchmarks.flow.OrderFlow;
import io.millrace.benchmarks.harness.OpenLoop;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.RoundPlan;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Events right behind one another share a reading of the clock, which comes after all of them.
 */
@Timeout(60)
class MessageMeterTest
{
    private static final CommandColumns COMMANDS = OrderFlow.closed(OrderFlow.SYMBOL, 1, 100);
    private static final RoundPlan PLAN =
        new RoundPlan(1_000, 10, 512, RateHandler.EMPTY, Pinning.NONE, Pinning.NONE);

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

    /** A reader looks at the ledger as soon as all that was published is counted. */
    @ParameterizedTest
    @ValueSource(strings = {"server", "matching", "raw", "loop"})
    void shouldHaveTimedEachEventOfAPathOnceAllAreCounted(final String contender)
    {
        final MessageMeter ofPath = new MessageMeter(RateHandler.EMPTY);
        try (PathUnderTest<?> path = Contender.named(contender).open(PLAN, ofPath, false))
        {
            pass(path, ofPath);
        }
    }

    /** Batches of one event to a full ring, more than one poll takes; every fifth event is untimed. */
    private <M extends RateMessage> void pass(final PathUnderTest<M> path, final MessageMeter ofPath)
    {
        final MessageSender<M> sender = new MessageSender<>(path, COMMANDS);
        long sent = 0;
        long timed = 0;
        for (int batch = 1; batch <= PLAN.capacity(); batch++)
        {
            for (int i = 0; i < batch; i++)
            {
                final boolean isTimed = sent % 5 != 4;
                assertTrue(sender.offer(sent, isTimed ? startNs : OpenLoop.UNTIMED, isTimed ? startNs : 0));
                sent++;
                timed += isTimed ? 1 : 0;
            }
            while (ofPath.handled() < sent)
            {
                path.handle();
            }
            assertEquals(timed, ofPath.events().intended().getTotalCount());
            assertEquals(timed, ofPath.ledger().direct().getTotalCount());
        }
    }
}

package io.millrace.benchmarks.rate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;

import io.millrace.benchmarks.flow.InputException;
import io.millrace.benchmarks.flow.RecordedCommands;

import org.junit.jupiter.api.Test;

/**
 * Schedules that begin in the past, so that everything is due and nothing spins.
 */
class OpenLoopScheduleTest
{
    private static final RecordedCommands COMMANDS = GeneratedCommands.of(1, 10);

    private final List<long[]> published = new ArrayList<>();
    private long room = Long.MAX_VALUE;

    private final MessageOutlet<PlainEvent> outlet = new MessageOutlet<>()
    {
        @Override
        public PlainEvent claim()
        {
            return published.size() < room ? new PlainEvent() : null;
        }

        @Override
        public void publish(final PlainEvent message)
        {
            published.add(new long[] {message.intendedNs(), message.sentNs(), message.seq()});
        }
    };

    @Test
    void shouldKeepTheScheduleExactWhateverTheRate()
    {
        // 3,333 does not divide a second: the rest adds up to whole nanoseconds.
        final OpenLoopSchedule<PlainEvent> schedule = schedule(3_333, 600);
        final long startNs = System.nanoTime() - 610_000_000L;
        schedule.sendAll(startNs);

        for (int i = 0; i < published.size(); i++)
        {
            assertEquals(startNs + i * 1_000_000_000L / 3_333, published.get(i)[0], "event " + i);
        }
        assertEquals(published.size(), schedule.sent());
        assertEquals(3_333 * 600 / 1_000, schedule.sent() + schedule.rejected());
    }

    @Test
    void shouldStampWhatWasMeantAndWhatWasDone()
    {
        final long startNs = System.nanoTime() - 100_000_000L;
        schedule(1_000, 100).sendAll(startNs);
        for (final long[] event : published)
        {
            assertTrue(event[1] >= event[0], "sent before it was meant to be");
            assertTrue(event[1] - startNs >= 100_000_000L, "the lateness is charged to the event");
        }
    }

    @Test
    void shouldRepeatTheCommandsInTheirOrder()
    {
        final OpenLoopSchedule<PlainEvent> schedule = schedule(1_000, 100);
        schedule.sendUntimed(15);
        for (int i = 0; i < 15; i++)
        {
            assertEquals(RateMessage.UNTIMED, published.get(i)[0]);
            assertEquals(i % 10, published.get(i)[2]);
        }
    }

    @Test
    void shouldGiveUpAndCountWhatThePathDidNotTakeInTime()
    {
        room = 30;
        final OpenLoopSchedule<PlainEvent> schedule = schedule(1_000, 100);
        // All due, and 20 ms until half a round more than the round has passed; a slow machine may send fewer.
        schedule.sendAll(System.nanoTime() - 130_000_000L);
        assertTrue(schedule.sent() <= 30, () -> schedule.sent() + " sent");
        assertEquals(100, schedule.sent() + schedule.rejected());
        assertEquals(published.size(), schedule.sent());
    }

    @Test
    void shouldSendNothingWhenTheTimeIsOver()
    {
        final OpenLoopSchedule<PlainEvent> schedule = schedule(1_000, 100);
        schedule.sendAll(System.nanoTime() - 1_000_000_000L);
        assertEquals(0, schedule.sent());
        assertEquals(100, schedule.rejected());
    }

    @Test
    void shouldFillAndWrapTheRawRing()
    {
        final RawRing ring = new RawRing(4);
        final MessageMeter meter = new MessageMeter("empty");
        meter.onStart();
        for (int lap = 0; lap < 3; lap++)
        {
            for (int i = 0; i < 4; i++)
            {
                final PlainEvent event = ring.claim();
                event.stamp(RateMessage.UNTIMED, 0);
                event.fill(COMMANDS, (4 * lap + i) % 10);
                ring.publish(event);
            }
            assertNull(ring.claim(), "full");
            assertEquals(4, ring.drain(meter));
            assertEquals(0, ring.drain(meter));
        }
        assertEquals(COMMANDS.checksum(12), meter.ledger().checksum());
    }

    @Test
    void shouldFindAHandlerByItsNameOnly()
    {
        assertEquals("report.handler 'full' is not one of [matching, empty]",
            assertThrows(InputException.class, () -> RateHandler.named("full")).getMessage());
    }

    private OpenLoopSchedule<PlainEvent> schedule(final long perSecond, final long roundMs)
    {
        return new OpenLoopSchedule<>(outlet, COMMANDS, new RoundPlan(perSecond, roundMs, 64, "empty", -1, -1));
    }
}

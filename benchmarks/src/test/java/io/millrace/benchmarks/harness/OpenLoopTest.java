package io.millrace.benchmarks.harness;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class OpenLoopTest
{
    private final List<Long> sent = new ArrayList<>();
    private final List<Long> times = new ArrayList<>();
    private final List<Long> sentNs = new ArrayList<>();

    private boolean take(final long number, final long intendedNs, final long nowNs)
    {
        sent.add(number);
        times.add(intendedNs);
        sentNs.add(nowNs);
        return true;
    }

    @Test
    void shouldSendAllInOrderWithoutTimes()
    {
        final OpenLoop loop = new OpenLoop(this::take, false);
        loop.sendUntimed(10);
        loop.sendUntimed(200);
        assertEquals(210, loop.sent());
        for (int i = 0; i < 210; i++)
        {
            assertEquals(i, sent.get(i));
        }
        assertTrue(times.stream().allMatch(time -> time == OpenLoop.UNTIMED));
    }

    @Test
    void shouldMeanToSendEachAtItsPlaceInTheSchedule()
    {
        final long startNs = System.nanoTime() - 700_000_000_000L / 7;
        final OpenLoop loop = new OpenLoop(this::take, false);
        loop.sendOnSchedule(700, 7, startNs);
        for (int i = 0; i < 700; i++)
        {
            assertEquals(startNs + i * 1_000_000_000L / 7, times.get(i));
            assertTrue(sentNs.get(i) >= times.get(i), "sent before it was meant to be");
            assertTrue(sentNs.get(i) - startNs >= 100_000_000_000L, "the lateness is charged to the event");
        }
    }

    @Test
    void shouldAllocateNothingOnTheMeasuredThread()
    {
        final ThreadProbe probe = ThreadProbe.ofCurrentThread();
        long bytes = -1;
        // The first loop links the code. The JVM itself allocates a little when it compiles.
        for (int round = 0; round < 2 || bytes != 0 && round < 8; round++)
        {
            final OpenLoop loop = new OpenLoop((number, intendedNs, nowNs) -> true, false);
            loop.sendUntimed(1);
            final long before = probe.allocatedBytes();
            loop.sendOnSchedule(100, 1_000_000, System.nanoTime());
            bytes = probe.allocatedBytes() - before;
        }
        assertEquals(0, bytes);
    }

    @Test
    void shouldOfferAgainWhatFoundThePathFull()
    {
        final int[] offers = new int[1];
        final OpenLoop loop = new OpenLoop((number, intendedNs, nowNs) ->
            ++offers[0] % 2 == 0 && take(number, intendedNs, nowNs), false);
        loop.sendUntimed(100);
        assertEquals(100, sent.size());
        assertEquals(100, loop.fullWaits());
    }

    @Test
    void shouldGiveUpWhatIsHalfARoundTooLate()
    {
        final OpenLoop loop =
            new OpenLoop((number, intendedNs, nowNs) -> number < 5 && take(number, intendedNs, nowNs), false);
        // Half a second, so that a busy machine too sends the five.
        loop.sendOnSchedule(100, 200, System.nanoTime());
        assertEquals(5, loop.sent());
        assertEquals(5, sent.size());
    }

    @Test
    void shouldSendNothingWhenTheTimeIsOver()
    {
        final OpenLoop loop = new OpenLoop(this::take, false);
        loop.sendOnSchedule(100, 1_000, System.nanoTime() - 1_000_000_000L);
        assertEquals(0, loop.sent());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 3, 7, 100_000, 1_000_000, 7_777_777, 32_000_000})
    void shouldKeepTheScheduleExactAtAnyRate(final long perSecond)
    {
        final long startNs = -5;
        final SendTimes schedule = new SendTimes(perSecond);
        schedule.start(startNs);
        for (long i = 0; i < Math.min(perSecond, 1_000_000); i++)
        {
            assertEquals(startNs + i * 1_000_000_000L / perSecond, schedule.nextNs());
        }
    }
}

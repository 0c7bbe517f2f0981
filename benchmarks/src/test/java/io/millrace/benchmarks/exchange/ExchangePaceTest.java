package io.millrace.benchmarks.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

class ExchangePaceTest
{
    private final List<Integer> sent = new ArrayList<>();
    private final List<Long> times = new ArrayList<>();

    private boolean take(final int index, final long intendedNs)
    {
        sent.add(index);
        times.add(intendedNs);
        return true;
    }

    @Test
    void shouldSendAllInOrderWithoutTimes()
    {
        new ExchangePace(this::take, false).sendFlatOut(10, 210);
        assertEquals(200, sent.size());
        assertEquals(10, sent.get(0));
        assertEquals(209, sent.get(199));
        assertTrue(times.stream().allMatch(time -> time == ExchangePace.UNTIMED));
    }

    @Test
    void shouldMeanToSendEachAtItsPlaceInTheSchedule()
    {
        // All is late by the whole round, which half a round is left to send.
        final long startNs = System.nanoTime() - 700_000_000_000L / 7;
        assertEquals(710, new ExchangePace(this::take, false).sendPaced(10, 710, 7, startNs));
        for (int i = 0; i < 700; i++)
        {
            assertEquals(startNs + i * 1_000_000_000L / 7, times.get(i));
        }
    }

    @Test
    void shouldOfferAgainWhatFoundNoRoom()
    {
        final int[] offers = new int[1];
        final ExchangePace pace = new ExchangePace(
            (index, intendedNs) -> ++offers[0] % 2 == 0 && take(index, intendedNs), false);
        pace.sendFlatOut(0, 100);
        assertEquals(100, sent.size());
        assertEquals(100, pace.fullWaits());
    }

    @Test
    void shouldGiveUpWhatIsHalfARoundTooLate()
    {
        final ExchangePace pace = new ExchangePace((index, intendedNs) -> index < 5 && take(index, intendedNs), false);
        assertEquals(5, pace.sendPaced(0, 100, 10_000, System.nanoTime()));
        assertEquals(5, sent.size());
    }
}

package io.millrace.benchmarks.ipc;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class CallContenderTest
{
    @Test
    void shouldKnowNoPercentileBeyondWhichThereAreFewerThanTenCalls()
    {
        final CallContender contender = new CallContender(CallKind.SOCKET, 1);
        final Histogram times = new Histogram(3);
        times.recordValueWithCount(100, 999);
        contender.add(new CallRound(999, 1_000_000, 999, 999, 0, 0, times));
        assertEquals(100, contender.percentile(90));
        assertEquals(Double.NaN, contender.percentile(99));
    }
}

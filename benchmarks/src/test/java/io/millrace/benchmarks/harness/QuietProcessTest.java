package io.millrace.benchmarks.harness;

import org.junit.jupiter.api.Test;

import java.util.PrimitiveIterator;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

import static org.junit.jupiter.api.Assertions.assertEquals;

class QuietProcessTest
{
    private static int napsOver(final long... cpuNs)
    {
        final PrimitiveIterator.OfLong readings = LongStream.of(cpuNs).iterator();
        return QuietProcess.await(readings::nextLong, QuietProcessTest::nap);
    }

    private static void nap()
    {
        // Time does not matter here.
    }

    @Test
    void shouldWaitUntilANapAddsNoCpuTime()
    {
        assertEquals(1, napsOver(10, 10));
        assertEquals(3, napsOver(10, 20, 40, 40));
    }

    @Test
    void shouldNotWaitForeverForAProcessThatKeepsBusy()
    {
        final AtomicLong cpuNs = new AtomicLong();
        assertEquals(100, QuietProcess.await(cpuNs::incrementAndGet, QuietProcessTest::nap));
    }

    @Test
    void shouldNotWaitWhereTheCpuTimeIsNotKnown()
    {
        assertEquals(1, napsOver(-1, -1));
    }
}

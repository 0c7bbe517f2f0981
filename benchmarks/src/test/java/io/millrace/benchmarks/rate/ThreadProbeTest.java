package io.millrace.benchmarks.rate;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;

class ThreadProbeTest
{
    private static final Path SCHEDSTAT = Path.of("/proc/thread-self/schedstat");

    @Test
    void shouldTellAWaitThatDoesNotFall() throws IOException
    {
        assumeTrue(Files.isReadable(SCHEDSTAT), "there is no " + SCHEDSTAT);
        assumeFalse(Files.readString(SCHEDSTAT).startsWith("0 "), "this system does not count what threads wait");
        final ThreadProbe probe = ThreadProbe.ofCurrentThread();
        long before = 0;
        for (int i = 0; i < 100; i++)
        {
            final long now = probe.waitedNs();
            assertTrue(now >= before, now + " ns after " + before);
            before = now;
            Thread.yield();
        }
    }
}

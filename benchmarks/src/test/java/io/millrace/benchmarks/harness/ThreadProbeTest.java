package io.millrace.benchmarks.harness;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class ThreadProbeTest
{
    private static final Path SCHEDSTAT = Path.of("/proc/thread-self/schedstat");

    @Test
    void shouldReadAWaitThatDoesNotFall() throws IOException
    {
        assumeTrue(Files.isReadable(SCHEDSTAT), "there is no " + SCHEDSTAT);
        assumeFalse(Files.readString(SCHEDSTAT).startsWith("0 "), "this system does not count what threads wait");
        final ThreadProbe probe = ThreadProbe.ofCurrentThread();
        double before = 0;
        for (int i = 0; i < 100; i++)
        {
            final double now = probe.waitedNs();
            assertTrue(now >= before, now + " ns after " + before);
            before = now;
            Thread.yield();
        }
    }
}

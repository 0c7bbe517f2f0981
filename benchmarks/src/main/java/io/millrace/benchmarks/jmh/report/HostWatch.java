package io.millrace.benchmarks.jmh.report;

import io.millrace.benchmarks.harness.HostFiles;

import java.util.Arrays;
import java.util.List;

/**
 * Looks at the host while a benchmark runs: how much CPU time the hypervisor took away and how many threads of the
 * whole machine wanted to run. It wakes {@value #LOOKS_PER_SECOND} times a second and reads one small file.
 * <p>
 * On a system without {@code /proc} both are unknown.
 */
final class HostWatch
{
    private static final int LOOKS_PER_SECOND = 20;
    /** Room for the looks of a minute, which is the longest that a fork may take. */
    private static final int MAX_LOOKS = 60 * LOOKS_PER_SECOND;

    /**
     * What was seen.
     *
     * @param steal    time that the hypervisor took, of the time of all CPUs; NaN when unknown.
     * @param runnable the median of the threads that ran or wanted to, without the watch; 0 when unknown.
     */
    record Reading(double steal, int runnable)
    {
    }

    private final HostFiles host = new HostFiles();
    private final HostFiles.Ticks before = host.ticks(List.of());
    private final int[] looks = new int[MAX_LOOKS];
    private final Thread thread = new Thread(this::look, "host-watch");
    private int count;
    private volatile boolean stopped;

    HostWatch()
    {
        thread.setDaemon(true);
    }

    HostWatch start()
    {
        thread.start();
        return this;
    }

    Reading stop() throws InterruptedException
    {
        stopped = true;
        thread.join();
        Arrays.sort(looks, 0, count);
        return new Reading(host.ticks(List.of()).stealSince(before), count == 0 ? 0 : looks[count / 2]);
    }

    private void look()
    {
        while (!stopped && count < MAX_LOOKS)
        {
            try
            {
                // "0.20 0.18 0.12 2/345 6789": 2 are running, and one of these is this thread.
                looks[count++] = Math.max(0, host.runnable() - 1);
                Thread.sleep(1_000 / LOOKS_PER_SECOND);
            }
            catch (final InterruptedException ex)
            {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}

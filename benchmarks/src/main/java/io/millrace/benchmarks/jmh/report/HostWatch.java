package io.millrace.benchmarks.jmh.report;

import io.millrace.benchmarks.harness.Daemon;
import io.millrace.benchmarks.harness.HostFiles;

import java.util.Arrays;
import java.util.List;

/**
 * Samples the host while a benchmark runs: how much CPU time the hypervisor took away and how many threads of the
 * whole machine wanted to run. It wakes {@value #SAMPLES_PER_SECOND} times a second and reads one small file.
 * <p>
 * On a system without {@code /proc} both are unknown.
 */
final class HostWatch
{
    private static final int SAMPLES_PER_SECOND = 20;
    /** The samples of a minute, the longest time that a fork may take. */
    private static final int MAX_SAMPLES = 60 * SAMPLES_PER_SECOND;

    /**
     * The readings.
     *
     * @param steal    time that the hypervisor took, of the time of all CPUs; NaN when unknown.
     * @param runnable the median of the threads that ran or wanted to, without the watch; 0 when unknown.
     */
    record Reading(double steal, int runnable)
    {
    }

    private final HostFiles.Ticks before = HostFiles.HERE.ticks(List.of());
    private final int[] samples = new int[MAX_SAMPLES];
    private final Thread thread;
    private int count;
    private volatile boolean stopped;

    /** Starts to watch. */
    HostWatch()
    {
        thread = Daemon.start("host-watch", this::sample);
    }

    Reading stop() throws InterruptedException
    {
        stopped = true;
        thread.join();
        Arrays.sort(samples, 0, count);
        return new Reading(HostFiles.HERE.ticks(List.of()).stealSince(before), count == 0 ? 0 : samples[count / 2]);
    }

    private void sample()
    {
        while (!stopped && count < MAX_SAMPLES)
        {
            try
            {
                // "0.20 0.18 0.12 2/345 6789": 2 are running, and one of these is this thread.
                samples[count++] = Math.max(0, HostFiles.HERE.runnable() - 1);
                Thread.sleep(1_000 / SAMPLES_PER_SECOND);
            }
            catch (final InterruptedException ex)
            {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}

package io.millrace.benchmarks.jmh.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

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
    /** In the first line of /proc/stat: user nice system idle iowait irq softirq steal. */
    private static final int STEAL = 7;

    /**
     * What was seen.
     *
     * @param stealPercent time that the hypervisor took, of the time of all CPUs; NaN when unknown.
     * @param runnable     the median of the threads that ran or wanted to, without the watch; 0 when unknown.
     */
    record Reading(double stealPercent, int runnable)
    {
    }

    private final long[] before = cpuTimes();
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
        return new Reading(stealPercent(before, cpuTimes()), count == 0 ? 0 : looks[count / 2]);
    }

    private void look()
    {
        while (!stopped && count < MAX_LOOKS)
        {
            try
            {
                // "0.20 0.18 0.12 2/345 6789": 2 are running, and one of these is this thread.
                final String[] words = Files.readString(Path.of("/proc/loadavg")).split("[ /]");
                looks[count++] = Math.max(0, Integer.parseInt(words[3]) - 1);
                Thread.sleep(1_000 / LOOKS_PER_SECOND);
            }
            catch (final IOException ex)
            {
                return;
            }
            catch (final InterruptedException ex)
            {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** The counters of all CPUs together since the machine was started; empty when unknown. */
    static long[] cpuTimes()
    {
        try
        {
            final String line = Files.readAllLines(Path.of("/proc/stat")).get(0);
            return Arrays.stream(line.replaceFirst("cpu +", "").split(" +")).mapToLong(Long::parseLong).toArray();
        }
        catch (final IOException ex)
        {
            return new long[0];
        }
    }

    static double stealPercent(final long[] before, final long[] after)
    {
        if (before.length <= STEAL || after.length <= STEAL)
        {
            return Double.NaN;
        }
        long all = 0;
        for (int i = 0; i <= STEAL; i++)
        {
            all += after[i] - before[i];
        }
        return all == 0 ? 0 : 100.0 * (after[STEAL] - before[STEAL]) / all;
    }
}

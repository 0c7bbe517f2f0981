package io.millrace.benchmarks.harness;

import com.sun.management.ThreadMXBean;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads what one thread has used so far: CPU time, allocated bytes, how often it was put off its CPU, and where it
 * may run.
 * <p>
 * Made by the thread itself; read by any thread while that one lives. What reads files
 * allocates, so it is not for a measured thread.
 */
public final class ThreadProbe
{
    private static final ThreadMXBean THREADS = (ThreadMXBean)ManagementFactory.getThreadMXBean();

    private final long javaId;
    private final Path status;

    private ThreadProbe(final long javaId, final Path status)
    {
        this.javaId = javaId;
        this.status = status;
    }

    /** A probe of the calling thread. */
    public static ThreadProbe ofCurrentThread()
    {
        return new ThreadProbe(Thread.currentThread().getId(), ownStatus());
    }

    private static Path ownStatus()
    {
        try
        {
            // The link reads PID/task/TID.
            final Path link = Files.readSymbolicLink(Path.of("/proc/thread-self"));
            return Path.of("/proc").resolve(link).resolve("status");
        }
        catch (final IOException | UnsupportedOperationException ex)
        {
            // Not Linux: the values are reported as not known.
            return null;
        }
    }

    /**
     * Number of times that the thread was put off its CPU while it could have gone on.
     *
     * @return a count since it started; 0 when the system does not say.
     */
    public long involuntarySwitches()
    {
        return HostFiles.number(HostFiles.valueOf(status, "nonvoluntary_ctxt_switches"), 0);
    }

    /**
     * CPU time so far. The question allocates a few bytes on the asking thread.
     *
     * @return nanoseconds.
     */
    public long cpuNs()
    {
        return THREADS.getThreadCpuTime(javaId);
    }

    /** Bytes allocated so far. The question allocates nothing itself. */
    public long allocatedBytes()
    {
        return THREADS.getThreadAllocatedBytes(javaId);
    }

    /**
     * Time in which the thread was ready to run and did not: another thread of the machine had its CPU, or it was just
     * being woken up.
     *
     * @return nanoseconds; not a number when the system does not say.
     */
    public double waitedNs()
    {
        if (status == null)
        {
            return Double.NaN;
        }
        try
        {
            // Time on a CPU, time waiting for one, time slices; all 0 where the system does not count.
            final String[] words = Files.readString(status.resolveSibling("schedstat")).trim().split(" ");
            final long waitedNs = words.length < 2 || "0".equals(words[0]) ? -1 : HostFiles.number(words[1], -1);
            return waitedNs < 0 ? Double.NaN : waitedNs;
        }
        catch (final IOException ex)
        {
            return Double.NaN;
        }
    }

    /**
     * The CPUs that the thread may run on, as the system reads them back.
     *
     * @return a list such as {@code 1} or {@code 0-1}; empty when it cannot be read.
     */
    public String allowedCpus()
    {
        return HostFiles.valueOf(status, "Cpus_allowed_list");
    }
}

package io.millrace.benchmarks.rate;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

import com.sun.management.ThreadMXBean;

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

    /**
     * A probe of the calling thread.
     *
     * @return a new probe.
     */
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
            // Not Linux: what comes from there reads as not known.
            return null;
        }
    }

    /**
     * What the thread has used since it started.
     *
     * @return a reading.
     */
    public Usage usage()
    {
        return new Usage(cpuNs(), allocatedBytes(),
            HostFiles.number(HostFiles.valueOf(status, "nonvoluntary_ctxt_switches"), 0));
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

    /**
     * Bytes allocated so far. The question allocates nothing itself.
     *
     * @return bytes.
     */
    public long allocatedBytes()
    {
        return THREADS.getThreadAllocatedBytes(javaId);
    }

    /**
     * How long the thread was ready to run and did not: another thread of the machine had its CPU, or it was just being
     * woken up.
     *
     * @return nanoseconds; -1 when the system does not say.
     */
    public long waitedNs()
    {
        if (status == null)
        {
            return -1;
        }
        try
        {
            // Time on a CPU, time waiting for one, time slices; all 0 where the system does not count.
            final String[] words = Files.readString(status.resolveSibling("schedstat")).trim().split(" ");
            return words.length < 2 || "0".equals(words[0]) ? -1 : HostFiles.number(words[1], -1);
        }
        catch (final IOException ex)
        {
            return -1;
        }
    }

    /**
     * How many threads wanted this thread's CPU over a time in which it was always ready to run.
     *
     * @param waitedBeforeNs what {@link #waitedNs()} said at its beginning.
     * @param wallNs         how long ago that was.
     * @return 1 and the part of the time in which others had the CPU; not a number when the system does not say it.
     */
    public double runnable(final long waitedBeforeNs, final long wallNs)
    {
        final long waitedNs = waitedNs();
        return waitedBeforeNs < 0 || waitedNs < 0 ? Double.NaN : 1 + (double)(waitedNs - waitedBeforeNs) / wallNs;
    }

    /**
     * What two threads have waited together, see {@link #waitedNs()}.
     *
     * @param one     a thread.
     * @param another another.
     * @return nanoseconds; not a number when the system does not say it of both.
     */
    public static double waitedNs(final ThreadProbe one, final ThreadProbe another)
    {
        final long oneNs = one.waitedNs();
        final long anotherNs = another.waitedNs();
        return oneNs < 0 || anotherNs < 0 ? Double.NaN : oneNs + anotherNs;
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

    /**
     * One reading, or the difference of two.
     *
     * @param cpuNs               CPU time in nanoseconds.
     * @param allocatedBytes      bytes allocated.
     * @param involuntarySwitches how often the thread was put off its CPU while it could have gone on.
     */
    public record Usage(long cpuNs, long allocatedBytes, long involuntarySwitches)
    {
        /**
         * What was used since an earlier reading.
         *
         * @param earlier the earlier reading.
         * @return the difference.
         */
        public Usage since(final Usage earlier)
        {
            return new Usage(cpuNs - earlier.cpuNs, allocatedBytes - earlier.allocatedBytes,
                involuntarySwitches - earlier.involuntarySwitches);
        }
    }
}

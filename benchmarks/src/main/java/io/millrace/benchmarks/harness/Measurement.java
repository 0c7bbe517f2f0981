package io.millrace.benchmarks.harness;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Takes all readings around a measured part: of the threads that are measured, of their CPUs and of the host. Bytes and
 * CPU time are read last before the part and first after it, since the other readings allocate and take time: so a
 * measured thread may take them itself. One thread.
 */
public final class Measurement
{
    private final List<Integer> cpus;
    private final ThreadProbe[] threads;
    private final long[] cpuNs;
    private final long[] bytes;
    // Made before the part begins: a thread that measures itself allocates nothing between its two readings.
    private final long[] cpuNow;
    private final long[] bytesNow;
    private long startMs;
    private long gcCount;
    private int competing;
    private HostFiles.Ticks ticks;
    private double waitedNs;
    private long switches;
    private long wallNs;

    private Measurement(final List<Integer> cpus, final ThreadProbe... threads)
    {
        this.cpus = cpus;
        this.threads = threads;
        cpuNs = new long[threads.length];
        bytes = new long[threads.length];
        cpuNow = new long[threads.length];
        bytesNow = new long[threads.length];
    }

    /**
     * Begin.
     *
     * @param cpus    the measured CPUs; empty for all.
     * @param threads the measured threads, the sending one first.
     * @return the measurement, of which {@link #end()} is asked at the end of the part.
     */
    public static Measurement start(final List<Integer> cpus, final ThreadProbe... threads)
    {
        final Measurement measurement = new Measurement(cpus, threads);
        measurement.begin();
        return measurement;
    }

    private void begin()
    {
        startMs = System.currentTimeMillis();
        gcCount = collections();
        competing = competingNow();
        ticks = HostFiles.HERE.ticks(cpus);
        waitedNs = waitedNow();
        switches = switchesNow();
        wallNs = System.nanoTime();
        for (int i = 0; i < threads.length; i++)
        {
            cpuNs[i] = threads[i].cpuNs();
        }
        for (int i = 0; i < threads.length; i++)
        {
            bytes[i] = threads[i].allocatedBytes();
        }
    }

    /** Read what the part took until now. May be asked again later, of a longer part. */
    public Readings end()
    {
        for (int i = 0; i < threads.length; i++)
        {
            bytesNow[i] = threads[i].allocatedBytes();
        }
        for (int i = 0; i < threads.length; i++)
        {
            cpuNow[i] = threads[i].cpuNs();
        }
        final long wall = System.nanoTime() - wallNs;
        return new Readings(startMs, wall, since(cpuNs, cpuNow), since(bytes, bytesNow), switchesNow() - switches,
            waitedNow() - waitedNs,
            collections() - gcCount, HostFiles.HERE.ticks(cpus).stealSince(ticks), Math.min(competing, competingNow()));
    }

    private static long[] since(final long[] before, final long[] after)
    {
        final long[] differences = new long[before.length];
        Arrays.setAll(differences, i -> after[i] - before[i]);
        return differences;
    }

    private static long collections()
    {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
            .mapToLong(GarbageCollectorMXBean::getCollectionCount).sum();
    }

    private int competingNow()
    {
        return HostFiles.HERE.runnable() - HostFiles.HERE.onlineCpus();
    }

    private double waitedNow()
    {
        return sum(ThreadProbe::waitedNs);
    }

    private long switchesNow()
    {
        return (long)sum(ThreadProbe::involuntarySwitches);
    }

    private double sum(final ToDoubleFunction<ThreadProbe> reading)
    {
        return Arrays.stream(threads).mapToDouble(reading).sum();
    }
}

package io.millrace.server.agent;

import net.openhft.affinity.Affinity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;

/**
 * Pins threads to CPUs by OpenHFT Affinity and reads the result back. The library is loaded only when a CPU is
 * requested, because it prints warnings on stderr: newer JDKs warn about its native code, SLF4J about a missing
 * provider.
 */
public final class CpuPlacement
{
    private static final String ALLOWED = "Cpus_allowed_list:";

    /** Loaded, and with it the library, at the first pin. */
    private static final class Native
    {
        static BitSet pin(final int cpu)
        {
            final BitSet wanted = new BitSet();
            wanted.set(cpu);
            Affinity.setAffinity(wanted);
            return Affinity.getAffinity();
        }
    }

    private CpuPlacement()
    {
    }

    /**
     * CPUs that this process may use: its mask on Linux, all processors of the JVM elsewhere. Any thread.
     *
     * @return the numbers of the CPUs.
     */
    public static BitSet allowedCpus()
    {
        final BitSet cpus = new BitSet();
        try
        {
            for (final String line : Files.readAllLines(Path.of("/proc/self/status")))
            {
                if (line.startsWith(ALLOWED))
                {
                    for (final String range : line.substring(ALLOWED.length()).trim().split(","))
                    {
                        final String[] ends = range.split("-");
                        cpus.set(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]) + 1);
                    }
                }
            }
        }
        catch (final IOException | NumberFormatException ex)
        {
            cpus.clear();
        }
        if (cpus.isEmpty())
        {
            cpus.set(0, Runtime.getRuntime().availableProcessors());
        }
        return cpus;
    }

    /**
     * Check that this process may use a CPU.
     *
     * @param who requests it, for the message.
     * @param cpu number of the CPU.
     * @throws IllegalArgumentException if it is not one of {@link #allowedCpus()}; the message lists the allowed CPUs.
     */
    public static void check(final String who, final int cpu)
    {
        final BitSet allowed = allowedCpus();
        if (cpu < 0 || !allowed.get(cpu))
        {
            throw new IllegalArgumentException("cpu " + cpu + " of " + who + " is not one of the allowed " + allowed);
        }
    }

    /**
     * Pin the calling thread and read the mask back.
     *
     * @param cpu number of the CPU.
     * @return {@code pinned to N}, or {@code NOT pinned: } and the reason.
     */
    public static String pinCurrentThread(final int cpu)
    {
        try
        {
            final BitSet obtained = Native.pin(cpu);
            return obtained.cardinality() == 1 && obtained.get(cpu) ?
                "pinned to " + cpu : "NOT pinned: asked for " + cpu + ", the mask reads " + obtained;
        }
        catch (final NoClassDefFoundError ex)
        {
            // Without a missing class as its cause, this is the second use of a library that failed to initialise.
            return ex.getCause() instanceof ClassNotFoundException ?
                "NOT pinned: net.openhft:affinity, or what it needs, is not on the class path: " + ex.getMessage() :
                "NOT pinned: " + ex;
        }
        catch (final RuntimeException | LinkageError ex)
        {
            return "NOT pinned: " + ex;
        }
    }
}

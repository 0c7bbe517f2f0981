package io.millrace.server.agent;

import net.openhft.affinity.Affinity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;

/**
 * Pins threads to CPUs by OpenHFT Affinity and reads back what was obtained. The library is touched only when a CPU
 * is asked for: it brings native code, and with it warnings on stderr, of newer JDKs about that code and of SLF4J when
 * no provider is on the class path.
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
     * The CPUs that this process may use: its mask on Linux, all that the JVM sees elsewhere. Any thread.
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
     * Refuse a CPU that this process may not use.
     *
     * @param who wants it, for the message.
     * @param cpu number of the CPU.
     * @throws IllegalArgumentException when it is not one of {@link #allowedCpus()}; the message lists those.
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
     * @return {@code pinned to N}, or {@code NOT pinned: } and why.
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
            // Without a missing class behind it, this is the second try of a library that could not be initialised.
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

package io.millrace.benchmarks.harness;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Waits until this process uses no CPU. After a round its JIT may still be compiling, and would take the CPU from the
 * contender whose round comes next. Stateless; any thread.
 */
final class QuietProcess
{
    // The system counts CPU time in ticks of 10 ms: a compiling thread shows within two of them.
    private static final long NAP_NS = TimeUnit.MILLISECONDS.toNanos(20);
    // Two seconds; one method takes a fifth of a second at most.
    private static final int MAX_NAPS = 100;

    private QuietProcess()
    {
    }

    /** Sleep until this process has used no CPU during a nap, two seconds at most. */
    static void await()
    {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system)
        {
            await(system::getProcessCpuTime, () -> LockSupport.parkNanos(NAP_NS));
        }
    }

    /**
     * Nap until one nap adds no CPU time.
     *
     * @param cpuNs reads the CPU time so far; always -1 where it is not known.
     * @param nap   sleeps.
     * @return how many naps it took, 1 to 100.
     */
    static int await(final LongSupplier cpuNs, final Runnable nap)
    {
        long beforeNs = cpuNs.getAsLong();
        for (int naps = 1; naps <= MAX_NAPS; naps++)
        {
            nap.run();
            final long nowNs = cpuNs.getAsLong();
            if (nowNs == beforeNs)
            {
                return naps;
            }
            beforeNs = nowNs;
        }
        return MAX_NAPS;
    }
}

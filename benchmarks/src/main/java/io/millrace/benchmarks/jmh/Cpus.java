package io.millrace.benchmarks.jmh;

import io.millrace.benchmarks.harness.Options;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.ThreadProbe;

/**
 * The CPUs of the publishing and the consuming thread of a JMH benchmark: the two of {@value #PROPERTY}, by default the
 * first two that the process may use. With fewer than two, nothing is pinned.
 */
final class Cpus
{
    /** System property: two CPU numbers with a comma between them; {@code none} pins nothing. */
    static final String PROPERTY = "report.cpus";

    private static final int[] PAIR = System.getProperty(PROPERTY, "").equals("none") ?
        new int[] {Pinning.NONE, Pinning.NONE} :
        new Options(System.getProperties(), "report.").cpus(Pinning.allowed());

    private Cpus()
    {
    }

    static void pinPublisher()
    {
        pin(PAIR[0]);
    }

    static void pinConsumer()
    {
        pin(PAIR[1]);
    }

    private static void pin(final int cpu)
    {
        Pinning.pinCurrentThread(cpu);
        final String placement = Pinning.describe(cpu, ThreadProbe.ofCurrentThread().allowedCpus());
        if (cpu != Pinning.NONE && placement.startsWith("NOT"))
        {
            System.out.println(placement);
        }
    }
}

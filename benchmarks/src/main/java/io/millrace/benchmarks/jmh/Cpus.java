package io.millrace.benchmarks.jmh;

import io.millrace.server.agent.CpuPlacement;

import net.openhft.affinity.Affinity;

import java.util.BitSet;

/**
 * Gives the publishing and the consuming thread of a benchmark a CPU each: the two of {@value #PROPERTY}, by default
 * the first two that the process may use. With fewer than two, nothing is pinned.
 */
final class Cpus
{
    /** System property: two CPU numbers with a comma between them; {@code none} pins nothing. */
    static final String PROPERTY = "report.cpus";

    private static final int[] PAIR = pair(System.getProperty(PROPERTY, ""));

    private Cpus()
    {
    }

    static void pinPublisher()
    {
        pin(0);
    }

    static void pinConsumer()
    {
        pin(1);
    }

    private static void pin(final int which)
    {
        if (PAIR.length == 2)
        {
            Affinity.setAffinity(PAIR[which]);
            final BitSet got = Affinity.getAffinity();
            if (got.cardinality() != 1 || !got.get(PAIR[which]))
            {
                System.out.println("NOT pinned: asked for CPU " + PAIR[which] + " and got " + got);
            }
        }
    }

    static int[] pair(final String text)
    {
        if (text.equals("none"))
        {
            return new int[0];
        }
        if (!text.isBlank())
        {
            final String[] numbers = text.split(",");
            if (numbers.length != 2)
            {
                throw new IllegalArgumentException(PROPERTY + " '" + text + "' is not two CPU numbers, like 0,1");
            }
            return new int[]{Integer.parseInt(numbers[0].trim()), Integer.parseInt(numbers[1].trim())};
        }
        final BitSet mask = CpuPlacement.allowedCpus();
        return mask.cardinality() < 2 ? new int[0] : mask.stream().limit(2).toArray();
    }
}

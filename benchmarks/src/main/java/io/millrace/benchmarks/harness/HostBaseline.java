package io.millrace.benchmarks.harness;

import io.millrace.pool.PaddedLong;

import java.io.Serializable;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Costs of the host without our code: a clock reading, and a cache line's round trip to the other core. Each measuring
 * method is called by a thread that does nothing else.
 *
 * @param clockNs cost of a clock reading, in nanoseconds.
 * @param lineNs  the cache line's round trip, in nanoseconds; not a number when it was not measured.
 */
public record HostBaseline(double clockNs, double lineNs) implements Serializable
{
    private static final int CLOCK_SAMPLES = 2_000;
    private static final int CLOCK_READINGS = 500;
    private static final int PING_SAMPLES = 10_000;
    // Round trips of one sample: the two clock readings around them weigh 5 ns each.
    private static final int PINGS = 10;
    // So many times between two readings are more than noise.
    private static final double MOVED = 1.5;
    private static final long PING_GIVE_UP_NS = 2_000_000_000L;

    @Override
    public String toString()
    {
        return "cache line to the other core and back " + Quantile.text(lineNs) + " (p50), clock reading " +
            String.format(Locale.ROOT, "%.1f ns", clockNs);
    }

    /**
     * The readings of a run: the first, the round trips of the later ones, and whether these differ so much that the
     * host must have moved a CPU.
     *
     * @param readings of one run in their order, at least one.
     * @return one line.
     */
    public static String text(final List<HostBaseline> readings)
    {
        if (readings.size() == 1)
        {
            return readings.get(0).toString();
        }
        final DoubleSummaryStatistics lines = readings.stream().mapToDouble(HostBaseline::lineNs)
            .filter(Double::isFinite).summaryStatistics();
        final String later = readings.stream().skip(1).map(reading -> Quantile.text(reading.lineNs))
            .collect(Collectors.joining(", "));
        return readings.get(0) + "; later " + later + (lines.getMax() > MOVED * lines.getMin() ?
            ": the host MOVED a CPU during the run, trust the pairs of rounds only" : "");
    }

    /**
     * Cost of one {@link System#nanoTime()}.
     *
     * @return nanoseconds, median over batches.
     */
    public static double measureClockNs()
    {
        final double[] samples = new double[CLOCK_SAMPLES];
        for (int i = 0; i < samples.length; i++)
        {
            samples[i] = clockBatchNs();
        }
        Arrays.sort(samples);
        return samples[samples.length / 2];
    }

    private static double clockBatchNs()
    {
        final long startNs = System.nanoTime();
        long nowNs = startNs;
        for (int i = 0; i < CLOCK_READINGS; i++)
        {
            nowNs = System.nanoTime();
        }
        return (double)(nowNs - startNs) / CLOCK_READINGS;
    }

    /**
     * Median time in which a cache line goes to another core and back, with a thread busy on either side. A yardstick
     * for a handover, not a bound: a path whose lines travel while it does something else may read less.
     *
     * @param cpuA CPU of the asking thread, or {@link Pinning#NONE}.
     * @param cpuB CPU of the answering thread, or {@link Pinning#NONE}.
     * @return nanoseconds; not a number when the two did not get to run at the same time within 2 s.
     * @throws InterruptedException when the calling thread is interrupted.
     */
    public static double measureLineNs(final int cpuA, final int cpuB) throws InterruptedException
    {
        final PingPong line = new PingPong();
        final double[] samples = new double[PING_SAMPLES];
        final Thread answering = Daemon.start("pong", () ->
        {
            Pinning.pinCurrentThread(cpuB);
            line.answer();
        });
        final boolean[] complete = new boolean[1];
        Daemon.start("ping", () ->
        {
            Pinning.pinCurrentThread(cpuA);
            complete[0] = line.ask(samples);
        }).join();
        line.end();
        answering.join();
        Arrays.sort(samples);
        return complete[0] ? samples[samples.length / 2] : Double.NaN;
    }

    private static final class PingPong
    {
        private final PaddedLong ping = new PaddedLong(0);
        private final PaddedLong pong = new PaddedLong(0);

        boolean ask(final double[] samples)
        {
            final long giveUpNs = System.nanoTime() + PING_GIVE_UP_NS;
            long number = 0;
            // The first half only warms up.
            for (int i = -samples.length; i < samples.length; i++)
            {
                final long startNs = System.nanoTime();
                for (int j = 0; j < PINGS; j++)
                {
                    number++;
                    askOnce(number);
                }
                final long endNs = System.nanoTime();
                samples[Math.abs(i % samples.length)] = (double)(endNs - startNs) / PINGS;
                if (endNs > giveUpNs)
                {
                    return false;
                }
            }
            return true;
        }

        private void askOnce(final long number)
        {
            ping.setRelease(number);
            while (pong.getAcquire() != number)
            {
                Thread.onSpinWait();
            }
        }

        void answer()
        {
            long seen = 0;
            while (seen >= 0)
            {
                final long number = ping.getAcquire();
                if (number != seen)
                {
                    seen = number;
                    pong.setRelease(number);
                }
                Thread.onSpinWait();
            }
        }

        void end()
        {
            ping.setRelease(-1);
        }
    }
}

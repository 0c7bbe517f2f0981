package io.millrace.benchmarks.entry;

import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.Readings;
import io.millrace.benchmarks.harness.Series;
import org.HdrHistogram.Histogram;

/**
 * A round of one path.
 *
 * @param latencies         from the intended send to the answer, ns.
 * @param answersPerSecond  from the first intended send to the last answer.
 * @param steal             part of the CPUs' time that the host took, 0..1; NaN where the system does not count it.
 */
record EntryRound(Histogram latencies, double answersPerSecond, double steal)
{
    static Series<EntryRound> series()
    {
        return new Series<>(round -> Readings.isClean(round.steal));
    }

    /** A latency of this round, ns; NaN with fewer than 10 samples beyond it. */
    double ns(final double percentile)
    {
        return Quantile.of(latencies, percentile);
    }
}

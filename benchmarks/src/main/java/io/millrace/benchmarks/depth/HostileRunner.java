package io.millrace.benchmarks.depth;

import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.Measurement;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.ThreadProbe;
import org.HdrHistogram.Histogram;

/**
 * Runs the rounds of one load on one thread, the one that makes it.
 */
final class HostileRunner
{
    private final HostileRun run;
    private final HostFiles host;
    private final int cpu;
    private final ThreadProbe probe;

    HostileRunner(final HostileRun run, final HostFiles host, final int cpu)
    {
        this.run = run;
        this.host = host;
        this.cpu = cpu;
        Pinning.pinCurrentThread(cpu);
        probe = ThreadProbe.ofCurrentThread();
    }

    HostileRound round()
    {
        final Histogram times = new Histogram(HostileRun.MAX_NS, HostileRun.DIGITS);
        final Histogram clock = new Histogram(HostileRun.MAX_NS, HostileRun.DIGITS);
        run.prepare();
        final Measurement measurement = Measurement.start(host, Pinning.asked(cpu), probe);
        run.time(times, clock);
        return HostileRound.of(run, times, clock, measurement.end(), Pinning.describe(cpu, probe.allowedCpus()));
    }
}

package io.millrace.benchmarks.depth;

import io.millrace.benchmarks.harness.AnswerLoop;
import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.Measurement;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.ThreadProbe;
import io.millrace.benchmarks.harness.WireLine;
import org.HdrHistogram.Histogram;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The child process of one load, see {@link AnswerLoop}: every question is answered with a {@link HostileRound}.
 */
public final class HostileMain
{
    private HostileMain()
    {
    }

    /**
     * Run the child.
     *
     * @param args case, whether hostile, orders, CPU.
     * @throws IOException when stdin cannot be read.
     */
    public static void main(final String[] args) throws IOException
    {
        final int cpu = Integer.parseInt(args[3]);
        Pinning.pinCurrentThread(cpu);
        final ThreadProbe probe = ThreadProbe.ofCurrentThread();
        final HostFiles host = new HostFiles(Path.of("/"));
        final HostileRun run =
            HostileCase.valueOf(args[0]).run(Boolean.parseBoolean(args[1]), Integer.parseInt(args[2]));
        AnswerLoop.run(question -> WireLine.of("done", round(run, host, probe, cpu)));
    }

    static HostileRound round(final HostileRun run, final HostFiles host, final ThreadProbe probe, final int cpu)
    {
        final Histogram times = new Histogram(HostileRun.MAX_NS, HostileRun.DIGITS);
        final Histogram clock = new Histogram(HostileRun.MAX_NS, HostileRun.DIGITS);
        run.prepare();
        final Measurement measurement = Measurement.start(host, Pinning.asked(cpu), probe);
        run.time(times, clock);
        return HostileRound.of(run, times, clock, measurement.end(), Pinning.describe(cpu, probe.allowedCpus()));
    }
}

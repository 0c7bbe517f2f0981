package io.millrace.benchmarks.depth;

import java.io.IOException;
import java.nio.file.Path;

import io.millrace.benchmarks.rate.AnswerLoop;
import io.millrace.benchmarks.rate.HostFiles;
import io.millrace.benchmarks.rate.Pinning;
import io.millrace.benchmarks.rate.ThreadProbe;

import org.HdrHistogram.Histogram;

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
        AnswerLoop.run(question -> round(run, host, probe, cpu).toLine());
    }

    static HostileRound round(final HostileRun run, final HostFiles host, final ThreadProbe probe, final int cpu)
    {
        final Histogram times = new Histogram(HostileRun.MAX_NS, HostileRun.DIGITS);
        final Histogram clock = new Histogram(HostileRun.MAX_NS, HostileRun.DIGITS);
        run.prepare();
        final HostFiles.Ticks ticks = host.ticks(Pinning.asked(cpu));
        final long waitedBeforeNs = probe.waitedNs();
        final long wallBeforeNs = System.nanoTime();
        final long bytesBefore = probe.allocatedBytes();
        run.time(times, clock);
        final long bytes = probe.allocatedBytes() - bytesBefore;
        final double runnable = probe.runnable(waitedBeforeNs, System.nanoTime() - wallBeforeNs);
        final double steal = host.ticks(Pinning.asked(cpu)).stealSince(ticks);
        return HostileRound.of(run, times, clock, bytes, steal, runnable,
            Pinning.describe(cpu, probe.allowedCpus()));
    }
}

package io.millrace.benchmarks.harness;

import org.HdrHistogram.Histogram;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The child process that measures the host instead of a path; {@link HostMeter} asks it.
 */
public final class HostMain
{
    static final String BASELINES = "baselines";
    static final String HICCUP = "hiccup";

    private static final HostFiles HOST = new HostFiles(Path.of("/"));

    private HostMain()
    {
    }

    /**
     * Run the child.
     *
     * @param args the two CPUs.
     * @throws IOException when stdin cannot be read.
     */
    public static void main(final String[] args) throws IOException
    {
        final int first = Integer.parseInt(args[0]);
        final int second = Integer.parseInt(args[1]);
        AnswerLoop.run(question -> question.verb().equals(BASELINES) ? baselines(first, second) :
            AnswerLoop.onOwnThread(() ->
                hiccup(question.number("perSecond"), question.number("roundMs"), first, second)));
    }

    private static WireLine baselines(final int first, final int second) throws InterruptedException
    {
        // The first ones warm up.
        HostBaseline.measureClockNs();
        return WireLine.of("done",
            new HostBaseline(HostBaseline.measureClockNs(), HostBaseline.measureLineNs(first, second)));
    }

    private static WireLine hiccup(final long perSecond, final long roundMs, final int first, final int second)
        throws InterruptedException
    {
        System.gc();
        final List<Integer> cpus = Pinning.asked(first, second);
        final HostFiles.Ticks before = HOST.ticks(cpus);
        final Histogram hiccups = new HiccupMeter(perSecond, roundMs, first, second).run();
        return WireLine.of("done", new HiccupRound(hiccups, HOST.ticks(cpus).stealSince(before)));
    }
}

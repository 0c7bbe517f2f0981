package io.millrace.benchmarks.ipc;

import io.millrace.benchmarks.harness.Chart;
import io.millrace.benchmarks.harness.Chart.Line;
import io.millrace.benchmarks.harness.Chart.Stroke;
import io.millrace.benchmarks.harness.ChildProcess;
import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.Options;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.ReportFolder;
import io.millrace.benchmarks.harness.RunHeader;
import io.millrace.benchmarks.harness.RunOptions;
import io.millrace.benchmarks.harness.Series;
import io.millrace.benchmarks.harness.TextTable;
import io.millrace.benchmarks.harness.ThreadProbe;
import io.millrace.server.metrics.HgrmWriter;
import org.HdrHistogram.Histogram;
import org.agrona.IoUtil;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;

/**
 * Measures calls of 64 bytes between two processes that are pinned to one core each: all threads of the host on the
 * first, the guest on the second. The contenders are interleaved; each answer is checked. The figures are medians of
 * the clean rounds; two rounds before them warm up.
 */
public final class IpcMeasurement
{
    private static final int WARM_UP = 2;
    private static final int ROUND_MS = 500;
    /** For the estimate of the duration. */
    private static final int CONTENDERS = 16;
    private static final int WIDTH = 1_100;
    private static final int HEIGHT = 600;
    private static final int LEFT = 84;
    private static final int RIGHT = 760;
    private static final int TOP = 92;
    private static final int BOTTOM = 540;
    private static final int LEGEND_X = 784;
    private static final int LEGEND_STEP = 24;

    private final RunOptions run;
    private final PrintStream out;
    private final RunHeader header;
    private final List<CallContender> contenders = new ArrayList<>();

    /**
     * Reads the settings.
     *
     * @param properties {@code report.rounds}, {@code report.roundMs}, {@code report.cpus}, {@code report.dir}.
     * @param out        for people.
     * @throws IOException when the calling thread is interrupted.
     */
    public IpcMeasurement(final Properties properties, final PrintStream out) throws IOException
    {
        final Options options = new Options(properties, "report.");
        run = RunOptions.from(options, ROUND_MS, RunOptions.NO_BUDGET, RunOptions.DIR, "ipc", Pinning.allowed());
        header = new RunHeader("Requests between two processes")
            .flags("both processes", ChildProcess.flags(RivalCalls.flags()))
            .add("each call: 64 bytes there, 64 back, every number checked; a clock reading for each call, also in C");
        header.placement("host " + placement(run.sourceCpu()) + ", guest " + placement(run.handlerCpu()));
        this.out = out;
    }

    /** Whether a thread can be pinned here; the two processes have the same class path. */
    private static String placement(final int cpu) throws IOException
    {
        return Pinning.onOwnThread(() ->
        {
            Pinning.pinCurrentThread(cpu);
            return Pinning.describe(cpu, ThreadProbe.ofCurrentThread().allowedCpus());
        });
    }

    /** In memory if there is such a folder; with a short path, because the path of a socket has at most 108 bytes. */
    static Path directory() throws IOException
    {
        final Path memory = Path.of("/dev/shm");
        return Files.isDirectory(memory) ? Files.createTempDirectory(memory, "bench") :
            Files.createTempDirectory("bench");
    }

    /**
     * Measures and prints.
     *
     * @throws IOException when a process or a file fails.
     */
    public void run() throws IOException
    {
        final ReportFolder files = new ReportFolder(run.dir(), "*.hgrm", "{table.txt,roundtrip.svg}");
        final Path directory = directory();
        header.begin(out, run.seconds((double)(run.rounds() + WARM_UP) * CONTENDERS, 50));
        final String folder = directory.toString();
        final int hostCpu = run.sourceCpu();
        final int guestCpu = run.handlerCpu();
        try (ChildProcess<CallHost> host =
                ChildProcess.start("host", RivalCalls.flags(), () -> new CallHost(Path.of(folder), hostCpu));
            ChildProcess<CallGuest> guest =
                ChildProcess.start("guest", RivalCalls.flags(), () -> new CallGuest(Path.of(folder), guestCpu)))
        {
            guest.ask(own -> true);
            final FloorProgram floor = FloorProgram.build(directory);
            if (floor == null)
            {
                header.add("without the loops in C: their source is not in this folder, or gcc does not build it");
            }
            contend(floor != null);
            for (int round = 0; round < run.rounds() + WARM_UP; round++)
            {
                for (final CallContender contender : contenders)
                {
                    final CallRound result = round(host, floor, contender.kind, contender.threads);
                    if (round >= WARM_UP)
                    {
                        contender.add(result);
                    }
                }
            }
        }
        catch (final InterruptedException ex)
        {
            throw new IOException(ex);
        }
        finally
        {
            IoUtil.delete(directory.toFile(), true);
        }
        report(files);
    }

    private void contend(final boolean hasFloor)
    {
        if (hasFloor)
        {
            contenders.add(new CallContender(CallKind.C_LOOP, 1));
            contenders.add(new CallContender(CallKind.C_LINE, 1));
        }
        CallHost.THREADS.forEach(threads -> contenders.add(new CallContender(CallKind.PLAIN, threads)));
        CallHost.THREADS.forEach(threads -> contenders.add(new CallContender(CallKind.NESTED, threads)));
        contenders.add(new CallContender(CallKind.PIPELINED, 1));
        contenders.add(new CallContender(CallKind.BATCH, 1));
        if (RivalCalls.isHere())
        {
            contenders.add(new CallContender(CallKind.AERON, 1));
        }
        contenders.add(new CallContender(CallKind.SOCKET, 1));
    }

    private CallRound round(
        final ChildProcess<CallHost> host, final FloorProgram floor, final CallKind kind, final int threads)
        throws IOException, InterruptedException
    {
        final int ms = run.roundMs();
        final List<Integer> cpus = Pinning.asked(run.sourceCpu(), run.handlerCpu());
        final HostFiles.Ticks before = HostFiles.HERE.ticks(cpus);
        final CallRound round = kind.isInC() ?
            floor.round(kind, new int[] {run.sourceCpu(), run.handlerCpu()}, ms) :
            host.ask(own -> own.round(kind, threads, ms));
        return round.verified(kind.title).withSteal(HostFiles.HERE.ticks(cpus).stealSince(before));
    }

    private CallContender find(final CallKind kind, final int threads)
    {
        return contenders.stream().filter(each -> each.kind == kind && each.threads == threads).findFirst()
            .orElse(null);
    }

    private void report(final ReportFolder files) throws IOException
    {
        final CallContender loop = find(CallKind.C_LOOP, 1);
        final TextTable table = new TextTable(1, "contender", "M calls/s", "p50", "p90", "p99", "p99.9",
            "p50 to C loop", "least to most", "calls", "wrong", "status");
        for (final CallContender each : contenders)
        {
            final Histogram all = each.all();
            final boolean hasTimes = all.getTotalCount() > 0;
            table.add(each.title(), String.format(Locale.ROOT, "%.2f", each.perSecond() / 1e6),
                text(each, 50, hasTimes), text(each, 90, hasTimes), text(each, 99, hasTimes),
                text(each, 99.9, hasTimes),
                hasTimes && loop != null ? String.format(Locale.ROOT, "%.2f", each.p50To(loop)) : "-",
                String.format(Locale.ROOT, "%.2f", each.leastToMost()), Long.toString(each.calls()),
                Long.toString(each.wrong()), each.rounds.status());
            if (hasTimes)
            {
                HgrmWriter.write(files.file(each.fileName()), header.lines(), all);
            }
        }
        final List<String> lines = new ArrayList<>(table.lines());
        lines.add("");
        lines.add("status: clean rounds / all rounds, clean meaning steal <= 1 %; INVALID: the host was too noisy, " +
            "figures of all; PREVIEW: fewer than " + Series.FULL_ROUNDS + " rounds");
        contenders.forEach(each -> lines.addAll(each.rounds.complaint(each.title())));
        lines.addAll(aims(loop));
        files.write("roundtrip.svg", svg());
        files.finish(out, lines, header);
    }

    private static String text(final CallContender contender, final double percentile, final boolean hasTimes)
    {
        return hasTimes ? Quantile.text(contender.percentile(percentile)) : "-";
    }

    private List<String> aims(final CallContender loop)
    {
        final List<String> lines = new ArrayList<>();
        final CallContender plain = find(CallKind.PLAIN, 1);
        final CallContender four = find(CallKind.PLAIN, 4);
        if (loop != null)
        {
            lines.add(aim("round trip p50 to the C loop's", plain.p50To(loop), 1.3, false));
            lines.add(aim("calls/s in flight to 10 M, or to 2.5 for each round trip of a bare line above 250 ns",
                find(CallKind.PIPELINED, 1).rateTo(find(CallKind.C_LINE, 1)), 1, true));
        }
        lines.add(aim("nested p50 to the plain call's", find(CallKind.NESTED, 1).p50To(plain), 2.3, false));
        lines.add(aim("M calls/s of 4 threads", four.perSecond() / 1e6, 1, true));
        lines.add(aim("least served of 4 threads to the best", four.leastToMost(), 0.5, true));
        return lines;
    }

    private static String aim(final String what, final double found, final double asked, final boolean isLeast)
    {
        final boolean met = isLeast ? found >= asked : found <= asked;
        return String.format(Locale.ROOT,
            "%s: %.2f, asked at %s %.2f: %s", what, found, isLeast ? "least" : "most", asked,
            met ? "met" : "NOT MET");
    }

    private String svg()
    {
        final Chart chart = new Chart(WIDTH, LEFT, "Round trip of 64 bytes between two processes",
            header.subtitles(run.rounds() + " rounds of " + run.roundMs() + " ms"));
        final List<Line> lines = new ArrayList<>();
        for (final CallContender each : contenders)
        {
            // The programs in C report four percentiles only.
            final Histogram all = each.all();
            if (all.getTotalCount() > 0 && !each.kind.isInC())
            {
                final Stroke stroke = new Stroke(Chart.COLOURS.get(lines.size() % Chart.COLOURS.size()), 2,
                    lines.size() < Chart.COLOURS.size() ? "" : Stroke.DASHED);
                lines.add(new Line(stroke, Chart.percentiles(all)));
                chart.legend(LEGEND_X, TOP + LEGEND_STEP * lines.size(), stroke, each.title());
            }
        }
        chart.percentiles(lines, LEFT, RIGHT, BOTTOM, TOP);
        return chart.svg(HEIGHT);
    }
}

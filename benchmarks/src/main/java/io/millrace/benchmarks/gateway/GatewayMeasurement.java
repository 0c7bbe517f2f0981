package io.millrace.benchmarks.gateway;

import io.millrace.benchmarks.gateway.QuotePath.Place;
import io.millrace.benchmarks.harness.Figure;
import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.Options;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.Rate;
import io.millrace.benchmarks.harness.ReportFolder;
import io.millrace.benchmarks.harness.RunHeader;
import io.millrace.benchmarks.harness.RunOptions;
import io.millrace.benchmarks.harness.TextTable;
import io.millrace.server.metrics.HgrmWriter;
import org.HdrHistogram.Histogram;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;

/**
 * Measures the gateway in parts: {@code decode}; {@code ladder}, 1,000 messages a round, 98.7 % of them adds, at 415 a
 * second by each placement; {@code serial}, the same rate from a serial line; {@code rates}, from the intended send
 * time to the handler, interleaved with a bare socket; {@code stall}, TCP clients beside one that has stopped reading;
 * {@code wire-tcp}, from the intended send time to a TCP client's read, interleaved with a bare loop. All are in one
 * process: the sender and the TCP clients are on the first CPU, the receiver is on the second.
 */
public final class GatewayMeasurement
{
    private static final int LADDER_RATE = 415;
    private static final int LADDER_MESSAGES = 1_000;
    /** Rounds of the ladder, if {@code report.rounds} is not fewer. */
    private static final int LADDER_ROUNDS = 7;
    private static final int BARE_ROUNDS = 3;
    /** Lines that 115,200 baud carry in a second: 11,520 bytes, 89 each. */
    private static final int SERIAL_RATE = 129;
    private static final int WARM_UP = 50_000;
    private static final int PRIORITY = 10;
    private static final long[] SEARCH =
        {150_000, 200_000, 250_000, 300_000, 350_000, 400_000, 500_000, 600_000, 800_000, 1_000_000};
    private static final int SEARCH_MS = 300;
    /** Of a path that lasts one round. */
    private static final int SETUP_MS = 300;
    private static final double ACHIEVED = 0.99;

    private final RunOptions run;
    private final List<Rate> rates;
    private final Pattern parts;
    private final HostFiles host;
    private final RunHeader header;
    private final PrintStream out;
    private final ReportFolder folder;

    /**
     * Reads the settings.
     *
     * @param properties {@code report.rounds}, {@code report.roundMs}, {@code report.rates}, {@code report.cost},
     * {@code
     *                   report.cpus}, {@code report.dir}.
     * @param host       to describe in the header.
     * @param out        for people.
     * @throws IOException if the folder cannot be made.
     */
    public GatewayMeasurement(final Properties properties, final HostFiles host, final PrintStream out)
        throws IOException
    {
        final Options options = new Options(properties, "report.");
        run = RunOptions.from(options, RunOptions.MAX_ROUND_MS, RunOptions.NO_BUDGET, RunOptions.DIR, "gateway",
            Pinning.allowed());
        rates = Rate.parseList(options.text("rates", "415,10k,100k"));
        parts = options.pattern("cost", "decode|ladder|serial|rates|stall|wire-tcp");
        this.host = host;
        this.out = out;
        header = new RunHeader("The gateway", host).cpus(run.sourceCpu(), run.handlerCpu()).rounds(run.rounds());
        folder = new ReportFolder(run.dir(), "*.hgrm", "table.txt");
    }

    /**
     * Measures and prints.
     *
     * @throws IOException when a file or a socket fails.
     */
    public void run() throws IOException
    {
        header.firstLines(seconds()).forEach(out::println);
        header.placement("sender " + run.sourceCpu() + ", receiver " + run.handlerCpu());
        final List<String> lines = new ArrayList<>();
        try
        {
            // The sender's thread: pinned, and not the JVM's first one.
            Pinning.onOwnThread(() ->
            {
                Pinning.pinCurrentThread(run.sourceCpu());
                measure(lines);
                return null;
            });
        }
        catch (final InterruptedException ex)
        {
            throw new IOException(ex);
        }
        catch (final ExecutionException ex)
        {
            if (ex.getCause() instanceof RuntimeException)
            {
                throw (RuntimeException)ex.getCause();
            }
            throw new IOException(ex.getCause());
        }
        folder.write("table.txt", lines);
        folder.print(out, lines);
        header.lines().forEach(out::println);
    }

    /** Of all parts. */
    private double seconds()
    {
        final double ladderRound = (double)LADDER_MESSAGES / LADDER_RATE;
        final double serialRound = (double)LADDER_MESSAGES / SERIAL_RATE;
        final int rungs = Math.min(run.rounds(), LADDER_ROUNDS);
        final int ofEachRate = run.rounds() * 2 * 2 * (rates.size() + 1);
        return 30 + ladderRound * (places().size() * (rungs + Math.min(run.rounds(), BARE_ROUNDS)) + rungs) +
            serialRound * Math.min(run.rounds(), 2) +
            (ofEachRate + 3 * run.rounds()) * (run.roundMs() + SETUP_MS) / 1e3;
    }

    private void measure(final List<String> lines) throws IOException
    {
        if (parts.matcher("decode").find())
        {
            lines.addAll(new DecodeCost(run.rounds()).run());
            lines.add("");
        }
        final List<Place> ladder =
            places().stream().filter(place -> parts.matcher("ladder " + place.name()).find()).toList();
        if (!ladder.isEmpty())
        {
            final TextTable table = ladderTable();
            for (final Place place : ladder)
            {
                ladder(table, place);
            }
            lines.addAll(table.lines());
            lines.add("");
        }
        if (parts.matcher("serial").find())
        {
            final TextTable table = ladderTable();
            serial(table);
            lines.addAll(table.lines());
            lines.add("");
        }
        if (parts.matcher("rates").find())
        {
            final TextTable table = new TextTable(2, "rate", "path", "achieved", "sent", "lost", "clean", "p50", "p90",
                "p99", "p99.9", "max", "p50 to bare", "CPU %", "bytes");
            rates(table);
            lines.addAll(table.lines());
            lines.add("");
        }
        if (parts.matcher("stall").find())
        {
            lines.addAll(new StalledClient(run, host).run());
            lines.add("");
        }
        if (parts.matcher("wire-tcp").find())
        {
            lines.addAll(new WireToTcp(run, host, folder, header).run(rates));
        }
    }

    private List<Place> places()
    {
        final int cpu = run.handlerCpu();
        return List.of(new Place("unpinned, sleeps 1 ms", Pinning.NONE, false, false, 0),
            new Place("one core, spin", cpu, true, false, 0),
            new Place("several cores, spin", cpu, true, true, 0),
            new Place("one core, spin, real-time", cpu, true, false, PRIORITY));
    }

    private static TextTable ladderTable()
    {
        return new TextTable(2, "placement", "measured", "messages", "lost", "clean", "avg", "min", "p50", "p95", "p99",
            "max", "CPU %", "real-time");
    }

    /** First a bare socket that decodes between two clock readings, then the gateway. */
    private void ladder(final TextTable table, final Place place) throws IOException
    {
        for (final boolean bare : new boolean[]{true, false})
        {
            try (QuotePath path = bare ? new BarePath(place, true) : ServerPath.udp(place);
                PacketSender sender = new PacketSender(path.port(), false, new AddsFeed()))
            {
                final PathRun measured = new PathRun(place.name(), path, sender.loop(), host);
                path.receiver();
                measured.warmUp(place.spins() ? WARM_UP : WARM_UP / 10);
                for (int i = 0; i < Math.min(run.rounds(), bare ? BARE_ROUNDS : LADDER_ROUNDS); i++)
                {
                    measured.add(measured.round(LADDER_MESSAGES, LADDER_RATE));
                }
                measured.checkLost();
                addRung(table, measured, bare ? "decode only" : "receive to handler");
            }
        }
    }

    private void serial(final TextTable table) throws IOException
    {
        for (final int rate : new int[]{LADDER_RATE, SERIAL_RATE})
        {
            final Place place = new Place("serial line, " + rate + "/s", run.handlerCpu(), true, false, 0);
            try (PtySender sender = new PtySender(); QuotePath path = ServerPath.serial(sender.device(), place))
            {
                final PathRun measured = new PathRun(place.name(), path, sender.loop(), host);
                path.receiver();
                measured.warmUp(WARM_UP / 10);
                final int rounds = Math.min(run.rounds(), rate == LADDER_RATE ? LADDER_ROUNDS : 2);
                for (int i = 0; i < rounds; i++)
                {
                    measured.add(measured.round(LADDER_MESSAGES, rate));
                }
                measured.checkLost();
                addRung(table, measured, "read to handler");
            }
        }
    }

    private static void addRung(final TextTable table, final PathRun run, final String what)
    {
        final Histogram inside = run.inside();
        table.add(run.name, what, Long.toString(run.sent()), Long.toString(run.missing()),
            run.rounds.stream().filter(PathRun.Round::isClean).count() + "/" + run.rounds.size(),
            Quantile.text(inside.getMean()), Quantile.text(inside.getMinValue()), Quantile.text(inside, 50),
            Quantile.text(inside, 95), Quantile.text(inside, 99), Quantile.text(inside.getMaxValue()), cpu(run),
            run.path.realTime());
    }

    private static String cpu(final PathRun run)
    {
        return Figure.percent(Quantile.median(run.rounds.stream().mapToDouble(PathRun.Round::cpuShare).toArray()));
    }

    private void rates(final TextTable table) throws IOException
    {
        final Place place = new Place("one core, spin", run.handlerCpu(), true, false, 0);
        try (QuotePath server = ServerPath.udp(place); PacketSender toServer = new PacketSender(server.port(), true))
        {
            final PathRun gateway = new PathRun("gateway", server, toServer.loop(), host);
            server.receiver();
            gateway.warmUp(WARM_UP);
        }
        for (final Rate rate : rates)
        {
            compare(table, rate.label(), rate.perSecond(), place);
        }
        final long highest = highest(place, false);
        final long bareHighest = highest(place, true);
        header.add("highest rate without loss, in steps: gateway " + step(highest) + ", bare socket " +
            step(bareHighest));
        if (highest > 0)
        {
            compare(table, "max", Math.min(highest, Math.max(1, bareHighest)), place);
        }
    }

    static String step(final long highest)
    {
        return highest == 0 ? "not even the lowest" : Figure.rate(highest);
    }

    /** Two spinning receivers would share one CPU, so each round starts and ends its path. */
    private void compare(final TextTable table, final String name, final long perSecond, final Place place)
        throws IOException
    {
        final List<PathRun> runs = new ArrayList<>(List.of(empty("gateway"), empty("bare socket")));
        final long count = Math.max(1, perSecond * run.roundMs() / 1_000);
        for (int i = 0; i < run.rounds(); i++)
        {
            for (int k = 0; k < 2; k++)
            {
                final int which = (i + k) % 2;
                runs.get(which).add(single(place, which == 1, count, perSecond));
            }
        }
        final double[] ratios = new double[run.rounds()];
        for (int i = 0; i < ratios.length; i++)
        {
            ratios[i] = (double)p50(runs.get(0), i) / p50(runs.get(1), i);
        }
        for (int which = 0; which < 2; which++)
        {
            final PathRun each = runs.get(which);
            final Histogram wire = each.wire();
            table.add(name, each.name,
                Figure.rate(Quantile.median(each.rounds.stream().mapToDouble(PathRun.Round::achieved).toArray())),
                Long.toString(each.sent()), Long.toString(each.missing()),
                each.rounds.stream().filter(PathRun.Round::isClean).count() + "/" + each.rounds.size(),
                Quantile.text(wire, 50), Quantile.text(wire, 90), Quantile.text(wire, 99), Quantile.text(wire, 99.9),
                Quantile.text(wire.getMaxValue()),
                which == 0 ? Figure.two(Quantile.median(ratios)) : "1.00", cpu(each),
                Long.toString(each.rounds.stream().mapToLong(PathRun.Round::bytes).min().orElse(-1)));
            final String file = String.format(Locale.ROOT, "%s_%s.hgrm", which == 0 ? "gateway" : "bare", name);
            HgrmWriter.write(folder.file(file), header.lines(), wire);
        }
    }

    private PathRun empty(final String name)
    {
        return new PathRun(name, null, null, host);
    }

    private static long p50(final PathRun run, final int round)
    {
        return run.rounds.get(round).wire().getValueAtPercentile(50);
    }

    private PathRun.Round single(final Place place, final boolean bare, final long count, final long perSecond)
        throws IOException
    {
        try (QuotePath path = bare ? new BarePath(place, false) : ServerPath.udp(place);
            PacketSender sender = new PacketSender(path.port(), true))
        {
            final PathRun measured = new PathRun(bare ? "bare socket" : "gateway", path, sender.loop(), host);
            path.receiver();
            measured.warmUp(WARM_UP / 5);
            final PathRun.Round round = measured.round(count, perSecond);
            measured.checkLost();
            return round;
        }
    }

    private long highest(final Place place, final boolean bare) throws IOException
    {
        long best = 0;
        for (final long perSecond : SEARCH)
        {
            final PathRun.Round round = single(place, bare, perSecond * SEARCH_MS / 1_000, perSecond);
            if (round.missing() > 0 || round.achieved() < ACHIEVED * perSecond)
            {
                return best;
            }
            best = perSecond;
        }
        return best;
    }
}

package io.millrace.benchmarks.gateway;

import io.millrace.benchmarks.gateway.QuotePath.Place;
import io.millrace.benchmarks.harness.OpenLoop;
import io.millrace.benchmarks.harness.Options;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.Rate;
import io.millrace.benchmarks.harness.ReportFolder;
import io.millrace.benchmarks.harness.RunHeader;
import io.millrace.benchmarks.harness.RunOptions;
import io.millrace.benchmarks.harness.TextTable;
import org.HdrHistogram.Histogram;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * Measures the gateway in parts: {@code decode}; {@code ladder}, 1,000 messages a round, 98.7 % of them adds, at 415 a
 * second by each placement; {@code serial}, the same rate from a serial line; {@code rates}, from the intended send
 * time to the handler, interleaved with a bare socket; {@code stall}, TCP clients beside one that has stopped reading;
 * {@code wire-tcp}, from the intended send time to a TCP client's read, interleaved with a bare loop. All are in one
 * process: the sender and the TCP clients are on the first CPU, the receiver is on the second.
 */
public final class GatewayMeasurement
{
    private static final String DECODE = "decode";
    private static final String SERIAL = "serial";
    private static final String RATES = "rates";
    private static final String STALL = "stall";
    private static final String WIRE_TCP = "wire-tcp";
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

    private final RunOptions run;
    private final List<Rate> rates;
    private final List<String> parts;
    private final RunHeader header;
    private final PrintStream out;
    private final ReportFolder folder;

    /**
     * Reads the settings.
     *
     * @param properties {@code report.rounds}, {@code report.roundMs}, {@code report.rates}, {@code report.cost},
     * {@code
     *                   report.cpus}, {@code report.dir}.
     * @param out        for people.
     * @throws IOException if the folder cannot be made.
     */
    public GatewayMeasurement(final Properties properties, final PrintStream out)
        throws IOException
    {
        final Options options = new Options(properties, "report.");
        run = RunOptions.from(options, RunOptions.MAX_ROUND_MS, RunOptions.NO_BUDGET, RunOptions.DIR, "gateway",
            Pinning.allowed());
        rates = Rate.parseList(options.text("rates", "415,10k,100k"));
        parts = options.selected(Stream.of(List.of(DECODE), places().stream().map(Place::part).toList(),
            List.of(SERIAL, RATES, STALL, WIRE_TCP)).flatMap(List::stream).toList());
        this.out = out;
        header = new RunHeader("The gateway").cpus(run.sourceCpu(), run.handlerCpu()).rounds(run.rounds());
        folder = new ReportFolder(run.dir(), "*.hgrm", "table.txt");
    }

    /**
     * Measures and prints.
     *
     * @throws IOException when a file or a socket fails.
     */
    public void run() throws IOException
    {
        header.begin(out, seconds());
        header.placement("sender " + run.sourceCpu() + ", receiver " + run.handlerCpu());
        final List<String> lines = new ArrayList<>();
        // The sender's thread: pinned, and not the JVM's first one.
        Pinning.onOwnThread(() ->
        {
            Pinning.pinCurrentThread(run.sourceCpu());
            measure(lines);
            return null;
        });
        folder.finish(out, lines, header);
    }

    private double seconds()
    {
        final double ladderRound = (double)LADDER_MESSAGES / LADDER_RATE;
        final double serialRound = (double)LADDER_MESSAGES / SERIAL_RATE;
        final int rungs = Math.min(run.rounds(), LADDER_ROUNDS);
        final long places = places().stream().filter(place -> parts.contains(place.part())).count();
        final int ofAllRates = run.rounds() * 2 * (rates.size() + 1);
        final int ofPaths = (parts.contains(RATES) ? ofAllRates : 0) + (parts.contains(WIRE_TCP) ? ofAllRates : 0) +
            (parts.contains(STALL) ? 3 * run.rounds() : 0);
        return 5 * parts.size() + ladderRound * places * (rungs + Math.min(run.rounds(), BARE_ROUNDS)) +
            (parts.contains(SERIAL) ? ladderRound * rungs + serialRound * Math.min(run.rounds(), 2) : 0) +
            ofPaths * (run.roundMs() + SETUP_MS) / 1e3;
    }

    private void measure(final List<String> lines) throws IOException
    {
        if (parts.contains(DECODE))
        {
            lines.addAll(new DecodeCost(run.rounds()).run());
            lines.add("");
        }
        final List<Place> ladder =
            places().stream().filter(place -> parts.contains(place.part())).toList();
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
        if (parts.contains(SERIAL) && !PtySender.isPossible())
        {
            header.add("serial: left out, python3 makes its pseudo-terminal, and is not here");
        }
        else if (parts.contains(SERIAL))
        {
            final TextTable table = ladderTable();
            serial(table);
            lines.addAll(table.lines());
            lines.add("");
        }
        if (parts.contains(RATES))
        {
            final TextTable table = new TextTable(2, "rate", "path", "achieved", "sent", "lost", "clean", "p50", "p90",
                "p99", "p99.9", "max", "p50 to bare", "CPU %", "bytes");
            rates(table);
            lines.addAll(table.lines());
            lines.add("");
        }
        if (parts.contains(STALL))
        {
            lines.addAll(new StalledClient(run).run());
            lines.add("");
        }
        if (parts.contains(WIRE_TCP))
        {
            lines.addAll(new WireToTcp(run).run(rates, folder, header));
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
                rung(table, place, path, sender.loop, place.spins() ? WARM_UP : WARM_UP / 10,
                    bare ? BARE_ROUNDS : LADDER_ROUNDS, LADDER_RATE, bare ? "decode only" : "receive to handler");
            }
        }
    }

    private void serial(final TextTable table) throws IOException
    {
        for (final int rate : new int[]{LADDER_RATE, SERIAL_RATE})
        {
            final Place place = new Place("serial line, " + rate + "/s", run.handlerCpu(), true, false, 0);
            try (PtySender sender = new PtySender(); QuotePath path = ServerPath.serial(sender.device, place))
            {
                rung(table, place, path, sender.loop, WARM_UP / 10, rate == LADDER_RATE ? LADDER_ROUNDS : 2, rate,
                    "read to handler");
            }
        }
    }

    private void rung(
        final TextTable table,
        final Place place,
        final QuotePath path,
        final OpenLoop loop,
        final int warmUp,
        final int maxRounds,
        final int perSecond,
        final String what)
    {
        final PathRun measured = new PathRun(place.name(), path, loop);
        measured.warmUp(warmUp);
        final WireRounds rounds = new WireRounds(place.name());
        for (int i = 0; i < Math.min(run.rounds(), maxRounds); i++)
        {
            rounds.series.add(measured.round(LADDER_MESSAGES, perSecond));
        }
        measured.checkLost();
        final Histogram inside = rounds.series.merged(WireRounds.Round::inside);
        table.add(rounds.name, what, rounds.count(WireRounds.Round::sent), rounds.count(WireRounds.Round::missing),
            rounds.clean(), Quantile.text(inside.getMean()), Quantile.text(inside.getMinValue()),
            Quantile.text(inside, 50), Quantile.text(inside, 95), Quantile.text(inside, 99),
            Quantile.text(inside.getMaxValue()), rounds.cpu(), path.realTime());
    }

    private void rates(final TextTable table) throws IOException
    {
        final Place place = new Place("one core, spin", run.handlerCpu(), true, false, 0);
        try (QuotePath server = ServerPath.udp(place); PacketSender toServer = new PacketSender(server.port()))
        {
            new PathRun("gateway", server, toServer.loop).warmUp(WARM_UP);
        }
        new WireComparison(run, folder, header, "", "bare socket", "",
            (isBare, count, perSecond) -> single(place, isBare, count, perSecond))
            .run(table, true, rates, SEARCH, SEARCH_MS);
    }

    private WireRounds.Round single(final Place place, final boolean bare, final long count, final long perSecond)
        throws IOException
    {
        try (QuotePath path = bare ? new BarePath(place, false) : ServerPath.udp(place);
            PacketSender sender = new PacketSender(path.port()))
        {
            final PathRun measured = new PathRun(bare ? "bare socket" : "gateway", path, sender.loop);
            measured.warmUp(WARM_UP / 5);
            final WireRounds.Round round = measured.round(count, perSecond);
            measured.checkLost();
            return round;
        }
    }
}

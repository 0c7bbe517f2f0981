package io.millrace.benchmarks.entry;

import io.millrace.benchmarks.harness.Figure;
import io.millrace.benchmarks.harness.Options;
import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.Rate;
import io.millrace.benchmarks.harness.ReportFolder;
import io.millrace.benchmarks.harness.RunHeader;
import io.millrace.benchmarks.harness.RunOptions;
import io.millrace.benchmarks.harness.Series;
import io.millrace.benchmarks.harness.TextTable;
import io.millrace.exchange.Exchange;
import io.millrace.exchange.Listing;
import io.millrace.exchange.fix.FixProtocol;
import io.millrace.exchange.session.ClientAccount;
import io.millrace.exchange.session.Role;
import io.millrace.exchange.session.SessionContext;
import io.millrace.journal.Durability;
import io.millrace.server.metrics.HgrmWriter;
import org.HdrHistogram.Histogram;
import org.agrona.IoUtil;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/**
 * Measures order entry over loopback, in parts: {@code rates}, beside a bare echo, with and without a force; {@code
 * fix}, beside the acceptor of QuickFIX/J; {@code clients}, the highest stable rate by their number; {@code attack},
 * with and without an attacker, and with one that attacks another server. The rounds are interleaved, and only the
 * server of the round runs. An exchange has one thread or two; with the client, three threads may share two CPUs, so
 * all yield when they have nothing to do.
 */
public final class EntryMeasurement
{
    private static final String RATES = "rates";
    private static final String FIX = "fix";
    private static final String CLIENTS = "clients";
    private static final String ATTACK = "attack";
    private static final int WARM_UPS = 2;
    private static final int LEAD_PART = 2;
    /** The exchange's code must be compiled before the least rate is measured. */
    private static final long WARM_UP_RATE = 100_000;
    private static final long ROUND_TRIPS = 0;
    private static final List<String> LEGEND = List.of("",
        "latency   from the intended send to the answer; of round trips: from the send. A request that is unsent when",
        "          its round is half as late as it is long is not sent",
        "status    clean rounds / all rounds, clean meaning steal <= 1 %; INVALID: the host was too noisy, no result;",
        "          SATURATED: less than 99 % of the rate was answered; PREVIEW: fewer than 9 rounds, no result",
        "-         fewer than 10 samples lie beyond that percentile; as a ratio: one of the two paths is SATURATED");

    /** Starts the server of a path and connects. */
    @FunctionalInterface
    interface Opener
    {
        EntryPath open() throws IOException;
    }

    /**
     * A path of a comparison.
     *
     * @param reference index of the path that its median is divided by; its own for none.
     * @param aim       for the ratio; empty for none.
     */
    private record Contender(Opener path, int reference, String aim)
    {
    }

    private final PrintStream out;
    private final RunHeader header;
    private final int rounds;
    private final long roundNs;
    private final List<Rate> rates;
    private final List<String> parts;
    private final Path dir;

    /**
     * Reads the settings.
     *
     * @param properties {@code report.rounds}, {@code report.roundMs}, {@code report.rates}, {@code report.cost} for
     *                   the parts, {@code report.dir}.
     * @param out        for people.
     */
    public EntryMeasurement(final Properties properties, final PrintStream out)
    {
        final Options options = new Options(properties, "report.");
        RunOptions.refuseBudget(options);
        rounds = options.number("rounds", 9, 1, 99);
        roundNs = TimeUnit.MILLISECONDS.toNanos(options.number("roundMs", 500, 10, 60_000));
        rates = Rate.parseList(options.text("rates", "1k,10k,100k"));
        parts = options.selected(List.of(RATES, FIX, CLIENTS, ATTACK));
        dir = options.dir(RunOptions.DIR, "entry");
        header = new RunHeader("Order entry over loopback, order to journaled answer").rounds(rounds);
        header.placement("not pinned");
        this.out = out;
    }

    /**
     * Measures and prints.
     *
     * @throws IOException when a file or a socket fails.
     */
    public void run() throws IOException
    {
        header.begin(out, seconds());
        final ReportFolder files = new ReportFolder(dir, "table.txt", "*.hgrm", ClientRates.PICTURE);
        final Path folder = Files.createTempDirectory("entry");
        final List<String> lines = new ArrayList<>();
        try
        {
            if (parts.contains(RATES) || parts.contains(FIX))
            {
                final TextTable table = new TextTable(2, "rate", "path", "answers/s", "p50", "p90", "p99", "p99.9",
                    "greatest", "p50 to its reference", "aim", "answers", "status");
                for (final Rate rate : parts.contains(RATES) ? rates : List.<Rate>of())
                {
                    measure(rate.perSecond(), rate.label() + "/s", echoAndExchanges(folder), files, table);
                }
                if (parts.contains(FIX))
                {
                    measure(ROUND_TRIPS, "round trips", fix(folder), files, table);
                }
                lines.addAll(table.lines());
                lines.addAll(LEGEND);
            }
            if (parts.contains(CLIENTS))
            {
                lines.add("");
                lines.addAll(new ClientRates(folder, rounds, roundNs).run(header, files));
            }
            if (parts.contains(ATTACK))
            {
                lines.add("");
                lines.addAll(new AttackRounds(folder, rounds, roundNs).run());
            }
        }
        finally
        {
            IoUtil.delete(folder.toFile(), true);
        }
        files.finish(out, lines, header);
    }

    private double seconds()
    {
        final double round = roundNs * (1 + 1.0 / LEAD_PART) / 1e9;
        return (parts.contains(RATES) ? rates.size() * 6 * (rounds + WARM_UPS) * round : 0) +
            (parts.contains(FIX) ? 2 * (rounds + WARM_UPS) * round : 0) +
            (parts.contains(CLIENTS) ? ClientRates.ROUNDS * rounds * round : 0) +
            (parts.contains(ATTACK) ? (2 * Attack.values().length + 3) * (rounds + 1) * roundNs / 1e9 : 0);
    }

    static Path fresh(final Path folder) throws IOException
    {
        return Files.createTempDirectory(folder, "exchange");
    }

    private static List<Contender> echoAndExchanges(final Path folder)
    {
        return List.of(
            new Contender(() -> new EchoPath("echo", null), 0, ""),
            exchange("exchange, one agent", folder, Durability.OS_CACHE, 1, 0),
            exchange("exchange, two agents", folder, Durability.OS_CACHE, 2, 0),
            new Contender(() -> new EchoPath("echo, write, force", folder.resolve("echo")), 3, ""),
            exchange("durable exchange, one agent", folder, Durability.EVERY_BATCH, 1, 3),
            exchange("durable exchange, two agents", folder, Durability.EVERY_BATCH, 2, 3));
    }

    private static Contender exchange(
        final String name, final Path folder, final Durability durability, final int agents, final int reference)
    {
        return new Contender(() -> new OrderPath(name, fresh(folder), durability, agents, 1, new SessionContext()),
            reference, durability == Durability.EVERY_BATCH ? "1.2" : "1.5");
    }

    private static List<Contender> fix(final Path folder)
    {
        return List.of(
            new Contender(() ->
            {
                final QuickFixServer server = new QuickFixServer();
                return new FixPath("FIX, QuickFIX/J", server.port, server);
            }, 0, ""),
            new Contender(() ->
            {
                final Exchange exchange = Exchange.launch(OrderPath.context(fresh(folder), Durability.OS_CACHE,
                    new SessionContext().client(new ClientAccount(1, FixPath.CLIENT, FixPath.TOKEN, Role.TRADER)))
                    .protocol(new FixProtocol(FixPath.SERVER,
                        List.of(new Listing(OrderPath.SYMBOL, FixPath.STOCK, 10_000, 1)), false),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
                return new FixPath("FIX, exchange, one agent", exchange.port(0), exchange);
            }, 0, "0.5"));
    }

    private void measure(
        final long rate,
        final String label,
        final List<Contender> paths,
        final ReportFolder files,
        final TextTable table) throws IOException
    {
        final List<Series<EntryRound>> all = new ArrayList<>();
        paths.forEach(path -> all.add(rate == ROUND_TRIPS ?
            EntryRound.series() : EntryRound.series().asked(rate, EntryRound::answersPerSecond)));
        final String[] names = new String[paths.size()];
        for (int round = -WARM_UPS; round < rounds; round++)
        {
            for (int i = 0; i < paths.size(); i++)
            {
                final EntryRound one;
                try (EntryPath path = paths.get(i).path().open())
                {
                    names[i] = path.name;
                    run(path, round < 0 && rate > 0 ? WARM_UP_RATE : rate, roundNs / LEAD_PART);
                    one = run(path, rate, roundNs);
                }
                if (round >= 0)
                {
                    all.get(i).add(one);
                }
            }
        }
        for (int i = 0; i < paths.size(); i++)
        {
            final Series<EntryRound> series = all.get(i);
            final Histogram sum = series.merged(EntryRound::latencies);
            table.add(label, names[i], Figure.rate(series.median(EntryRound::answersPerSecond)),
                Quantile.text(sum, 50), Quantile.text(sum, 90), Quantile.text(sum, 99), Quantile.text(sum, 99.9),
                Quantile.text(sum.getMaxValue()), ratio(series, all.get(paths.get(i).reference())),
                paths.get(i).aim(), Long.toString(sum.getTotalCount()), series.status());
            final List<String> lines = new ArrayList<>(header.lines());
            lines.addAll(List.of("path: " + names[i] + ", " + label, "status: " + series.status() + " rounds clean",
                "unit: ns"));
            HgrmWriter.write(files.file((label + " " + names[i]).replaceAll("[^0-9A-Za-z]+", "-") + ".hgrm"), lines,
                sum);
        }
    }

    private EntryRound run(final EntryPath path, final long rate, final long lengthNs) throws IOException
    {
        return rate == ROUND_TRIPS ? path.roundTrips(lengthNs) : path.round(rate, lengthNs);
    }

    private static String ratio(final Series<EntryRound> series, final Series<EntryRound> reference)
    {
        return series == reference ? "" : series.isSaturated() || reference.isSaturated() ? "-" :
            Figure.two(series.ratioTo(reference, round -> round.ns(50)));
    }
}

package io.millrace.benchmarks.entry;

import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.Options;
import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.ReportFolder;
import io.millrace.benchmarks.harness.RunHeader;
import io.millrace.benchmarks.harness.RunOptions;
import io.millrace.benchmarks.harness.TextTable;
import io.millrace.exchange.Exchange;
import io.millrace.exchange.Listing;
import io.millrace.exchange.fix.FixProtocol;
import io.millrace.exchange.session.ClientAccount;
import io.millrace.exchange.session.Role;
import io.millrace.exchange.session.SessionContext;
import io.millrace.journal.Durability;
import org.HdrHistogram.Histogram;
import org.agrona.IoUtil;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
    static final long MAX_NS = TimeUnit.SECONDS.toNanos(60);
    private static final String RATES = "rates";
    private static final String FIX = "fix";
    private static final String CLIENTS = "clients";
    private static final String ATTACK = "attack";
    private static final int WARM_UPS = 2;
    private static final int LEAD_PART = 2;
    /** The exchange's code must be compiled before the least rate is measured. */
    private static final long WARM_UP_RATE = 100_000;
    private static final long ROUND_TRIPS = 0;

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
    private final List<Long> rates;
    private final List<String> parts;
    private final Path dir;

    /**
     * Reads the settings.
     *
     * @param properties {@code report.rounds}, {@code report.roundMs}, {@code report.rates}, {@code report.cost} for
     *                   the parts, {@code report.dir}.
     * @param host       to describe in the header.
     * @param out        for people.
     */
    public EntryMeasurement(final Properties properties, final HostFiles host, final PrintStream out)
    {
        final Options options = new Options(properties, "report.");
        RunOptions.refuseBudget(options);
        rounds = options.number("rounds", 9, 1, 99);
        roundNs = TimeUnit.MILLISECONDS.toNanos(options.number("roundMs", 500, 10, 60_000));
        rates = options.list("rates", "1000,10000,100000", EntryMeasurement::rate);
        parts = options.selected("cost", List.of(RATES, FIX, CLIENTS, ATTACK));
        dir = options.dir(RunOptions.DIR, "entry");
        header = new RunHeader("Order entry over loopback, order to journaled answer", host).rounds(rounds);
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
        header.firstLines(seconds()).forEach(out::println);
        final ReportFolder files = new ReportFolder(dir, "table.txt", "*.hgrm", ClientRates.PICTURE);
        final Path folder = Files.createTempDirectory("entry");
        final List<String> lines = new ArrayList<>();
        try
        {
            if (parts.contains(RATES) || parts.contains(FIX))
            {
                final TextTable table = new TextTable(2, "rate", "path", "p50", "p90", "p99", "p99.9", "greatest",
                    "p50 to its reference", "aim", "answers");
                for (final long rate : parts.contains(RATES) ? rates : List.<Long>of())
                {
                    measure(rate, echoAndExchanges(folder), files, table);
                }
                if (parts.contains(FIX))
                {
                    measure(ROUND_TRIPS, fix(folder), files, table);
                }
                lines.addAll(table.lines());
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

    private static long rate(final String text)
    {
        final long rate = Long.parseLong(text);
        if (rate < 1 || rate > 10_000_000)
        {
            throw new IllegalArgumentException(text + " is not in 1..10000000");
        }
        return rate;
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
        final long rate, final List<Contender> paths, final ReportFolder files, final TextTable table)
        throws IOException
    {
        final Histogram[] all = new Histogram[paths.size()];
        final double[][] medians = new double[paths.size()][rounds];
        final String[] names = new String[paths.size()];
        for (int round = -WARM_UPS; round < rounds; round++)
        {
            for (int i = 0; i < paths.size(); i++)
            {
                final Histogram one = new Histogram(MAX_NS, 3);
                try (EntryPath path = paths.get(i).path().open())
                {
                    names[i] = path.name();
                    run(path, round < 0 && rate > 0 ? WARM_UP_RATE : rate, roundNs / LEAD_PART,
                        new Histogram(MAX_NS, 3));
                    run(path, rate, roundNs, one);
                }
                if (round >= 0)
                {
                    medians[i][round] = one.getValueAtPercentile(50);
                    all[i] = all[i] == null ? new Histogram(MAX_NS, 3) : all[i];
                    all[i].add(one);
                }
            }
        }
        final String label = rate == ROUND_TRIPS ? "round trips" : rate + "/s";
        for (int i = 0; i < paths.size(); i++)
        {
            final int reference = paths.get(i).reference();
            table.add(label, names[i], Quantile.text(all[i], 50), Quantile.text(all[i], 90), Quantile.text(all[i], 99),
                Quantile.text(all[i], 99.9), Quantile.text(all[i].getMaxValue()),
                reference == i ? "" : String.format(Locale.ROOT, "%.2f", ratio(medians[i], medians[reference])),
                paths.get(i).aim(), Long.toString(all[i].getTotalCount()));
            final Path file = files.file((label + " " + names[i]).replaceAll("[^0-9A-Za-z]+", "-") + ".hgrm");
            try (PrintStream stream = new PrintStream(file.toFile(), StandardCharsets.US_ASCII))
            {
                all[i].outputPercentileDistribution(stream, 1_000.0);
            }
        }
    }

    private static void run(final EntryPath path, final long rate, final long lengthNs, final Histogram into)
        throws IOException
    {
        if (rate == ROUND_TRIPS)
        {
            path.roundTrips(lengthNs, into);
        }
        else
        {
            path.round(rate, lengthNs, into);
        }
    }

    /** Median of the paired rounds' ratios. */
    static double ratio(final double[] values, final double[] references)
    {
        final double[] ratios = new double[values.length];
        for (int i = 0; i < ratios.length; i++)
        {
            ratios[i] = values[i] / references[i];
        }
        return Quantile.median(ratios);
    }
}

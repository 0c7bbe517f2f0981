package io.millrace.benchmarks.depth;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.millrace.benchmarks.rate.ContenderProcess;
import io.millrace.benchmarks.rate.HostFiles;
import io.millrace.benchmarks.rate.ReportOptions;
import io.millrace.benchmarks.rate.RunHeader;
import io.millrace.benchmarks.rate.WireLine;
import io.millrace.benchmarks.rate.WrongAnswerException;

/**
 * What hostile load does to single commands, beside a friendly load of as many orders. One thread, which sleeps while
 * a child runs.
 */
public final class HostileReport
{
    private static final String FOLDER = "book-hostile";

    /** A million commands with the default orders: the last compilation comes after one to two million. */
    private static final int WARM_UP_ROUNDS = 6;

    private final ReportOptions options;
    private final int orders;
    private final HostFiles host;
    private final PrintStream out;
    private final Instant started = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final String loadBefore;

    /**
     * A report.
     *
     * @param options checked settings: rounds, the second of the CPUs, and where the files go.
     * @param orders  that rest, see {@link HostileCase#orders}.
     * @param host    where to read the host.
     * @param out     for people.
     */
    public HostileReport(
        final ReportOptions options, final int orders, final HostFiles host, final PrintStream out)
    {
        this.options = options;
        this.orders = orders;
        this.host = host;
        this.out = out;
        loadBefore = host.loadAverage();
    }

    /**
     * Run it.
     *
     * @throws IOException          when a child breaks or a file cannot be written.
     * @throws WrongAnswerException when a book's answer is not the flow's.
     */
    public void run() throws IOException
    {
        final Map<HostileCase, HostileSummary> summaries = new EnumMap<>(HostileCase.class);
        for (final HostileCase one : HostileCase.values())
        {
            summaries.put(one, measure(one));
        }
        write(summaries);
    }

    private HostileSummary measure(final HostileCase one) throws IOException
    {
        out.println("starting " + one.label(true) + " beside " + one.label(false));
        final HostileSummary summary = new HostileSummary();
        try (ContenderProcess friendly = start(one, false); ContenderProcess hostile = start(one, true))
        {
            for (int i = 1 - WARM_UP_ROUNDS; i <= options.rounds(); i++)
            {
                final HostileRound first = ask(friendly, one.label(false));
                final HostileRound second = ask(hostile, one.label(true));
                if (i > 0)
                {
                    summary.add(first, second);
                }
                out.println(String.format(Locale.ROOT, "%s, p99 of a command: friendly %.0f ns, hostile %.0f ns",
                    i > 0 ? "round " + i + "/" + options.rounds() : "warm-up", first.ns(HostileSummary.TOP),
                    second.ns(HostileSummary.TOP)));
            }
        }
        return summary;
    }

    private ContenderProcess start(final HostileCase one, final boolean isHostile) throws IOException
    {
        return ContenderProcess.start(one.label(isHostile), HostileMain.class, List.of(), one.name(),
            Boolean.toString(isHostile), Integer.toString(orders), Integer.toString(options.handlerCpu()));
    }

    private static HostileRound ask(final ContenderProcess child, final String name) throws IOException
    {
        final HostileRound round = HostileRound.from(child.ask(new WireLine("round")));
        if (!round.isRight())
        {
            throw new WrongAnswerException(name + ": " + round.answer());
        }
        return round;
    }

    private void write(final Map<HostileCase, HostileSummary> summaries) throws IOException
    {
        final List<String> text = new ArrayList<>();
        text.add("Millrace, the book under hostile load, " + started);
        text.add("host: " + RunHeader.hostLine(host));
        text.add(RunHeader.processorLine(host));
        text.add("pinning: " + summaries.get(HostileCase.IDS).placement());
        text.add(RunHeader.jdkLine());
        text.add("JVM flags of every book: " + String.join(" ", ContenderProcess.flags()));
        text.add(RunHeader.gitLine());
        text.add("load average before: " + loadBefore + "; now: " + host.loadAverage());
        text.add(String.format(Locale.ROOT, "orders: %,d rest; %d rounds in turns, %d before them do not count", orders,
            options.rounds(), WARM_UP_ROUNDS));
        text.add("answers: right in every round (events, their order, orders at rest)");
        text.add("");
        text.addAll(HostileSummary.table(summaries));
        text.add("");
        text.addAll(HostileSummary.LEGEND);
        final Path folder = Files.createDirectories(options.dir().resolve(FOLDER));
        Files.write(folder.resolve("table.txt"), text);
        Files.write(folder.resolve("rounds.csv"), HostileSummary.rounds(summaries));
        out.println();
        text.forEach(out::println);
        out.println();
        out.println("Written: " + folder.resolve("table.txt") + ", rounds.csv");
    }
}

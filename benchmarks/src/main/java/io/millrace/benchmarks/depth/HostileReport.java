package io.millrace.benchmarks.depth;

import io.millrace.benchmarks.harness.ChildProcess;
import io.millrace.benchmarks.harness.Interleaving;
import io.millrace.benchmarks.harness.Paragraphs;
import io.millrace.benchmarks.harness.ReportFolder;
import io.millrace.benchmarks.harness.RunHeader;
import io.millrace.benchmarks.harness.RunOptions;
import io.millrace.benchmarks.harness.WrongAnswerException;

import java.io.IOException;
import java.io.PrintStream;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Report on the effect of hostile load on single commands, compared with a friendly load of as many orders. One thread,
 * which sleeps while a child runs.
 */
public final class HostileReport
{
    private static final String FOLDER = "book-hostile";

    /** A million commands with the default orders: the last compilation comes after one to two million. */
    private static final int WARM_UP_ROUNDS = 6;

    // A round of a hundred thousand orders under both loads of a case, and starting these.
    private static final double ROUND_S = 0.4;
    private static final double START_S = 3;

    private final RunOptions options;
    private final int orders;
    private final PrintStream out;
    private final RunHeader header;

    /**
     * A report.
     *
     * @param options checked settings: rounds, the second of the CPUs, and where the files go.
     * @param orders  that rest, see {@link HostileCase#orders}.
     * @param out     for people.
     */
    public HostileReport(final RunOptions options, final int orders, final PrintStream out)
    {
        this.options = options;
        this.orders = orders;
        this.out = out;
        header = new RunHeader("Millrace, the book under hostile load")
            .flags("every book", ChildProcess.flags())
            .add(String.format(Locale.ROOT, "orders: %,d rest; %d interleaved rounds after %d warm-up rounds", orders,
                options.rounds(), WARM_UP_ROUNDS))
            .add("answers: right in every round (events, their order, orders at rest)");
    }

    /**
     * Run it.
     *
     * @throws IOException          when a child breaks or a file cannot be written.
     * @throws WrongAnswerException when a book's answer is not the flow's.
     */
    public void run() throws IOException
    {
        final ReportFolder folder = new ReportFolder(options.dir().resolve(FOLDER), "{table.txt,rounds.csv}");
        header.begin(out, HostileCase.values().length * (START_S + ROUND_S * (options.rounds() + WARM_UP_ROUNDS)));
        final Map<HostileCase, HostileSummary> summaries = new EnumMap<>(HostileCase.class);
        for (final HostileCase one : HostileCase.values())
        {
            summaries.put(one, measure(one));
        }
        header.placement(summaries.get(HostileCase.IDS).placement());
        final List<String> text = new Paragraphs().add("", header.lines()).add("", HostileSummary.table(summaries))
            .add("", HostileSummary.LEGEND).lines();
        folder.write("table.txt", text);
        folder.write("rounds.csv", HostileSummary.rounds(summaries));
        folder.print(out, text);
    }

    private HostileSummary measure(final HostileCase one) throws IOException
    {
        out.println("starting " + one.label(true) + " and " + one.label(false));
        final HostileSummary summary = new HostileSummary();
        try (ChildProcess<HostileRun> friendly = start(one, false);
            ChildProcess<HostileRun> hostile = start(one, true))
        {
            Interleaving.run(out, "p99 of a command:", WARM_UP_ROUNDS, options.rounds(), List.of(false, true),
                (isHostile, number) ->
                {
                    final HostileRound round = (isHostile ? hostile : friendly).ask(HostileRun::round);
                    WrongAnswerException.check(one.label(isHostile), round.wanted(), round.answer());
                    if (number > 0)
                    {
                        summary.add(isHostile, round);
                    }
                    return String.format(Locale.ROOT,
                        "%s %.0f ns", isHostile ? "hostile" : "friendly", round.ns(HostileSummary.TOP));
                });
        }
        return summary;
    }

    private ChildProcess<HostileRun> start(final HostileCase one, final boolean isHostile) throws IOException
    {
        final int size = orders;
        final int cpu = options.handlerCpu();
        return ChildProcess.start(one.label(isHostile), List.of(),
            () -> one.run(isHostile, size).on(cpu));
    }
}

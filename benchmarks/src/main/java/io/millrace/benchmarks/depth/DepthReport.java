package io.millrace.benchmarks.depth;

import io.millrace.benchmarks.harness.ChildProcess;
import io.millrace.benchmarks.harness.HugePages;
import io.millrace.benchmarks.harness.Paragraphs;
import io.millrace.benchmarks.harness.ReportFolder;
import io.millrace.benchmarks.harness.RunHeader;
import io.millrace.benchmarks.harness.RunOptions;
import io.millrace.engine.book.SymbolSpec;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Report on the cost of a command by the number of orders and levels, compared with the cost of a random load from as
 * much memory. Also reports the memory of an order and the start-up time of a server. One thread, which sleeps while a
 * child runs.
 */
public final class DepthReport
{
    private static final String FOLDER = "book-depth";

    // A round of all contenders of a size of the defaults, with its loads; and starting and filling them.
    private static final double ROUND_S = 0.5;
    private static final double FILL_S = 20;

    private final RunOptions options;
    private final List<DepthCase> sizes;
    private final PrintStream out;
    private final RunHeader header;
    private final List<DepthResult> results = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /**
     * A report.
     *
     * @param options checked settings: rounds, the second of the CPUs, and where the files go.
     * @param sizes   of the books.
     * @param out     for people.
     */
    public DepthReport(final RunOptions options, final List<DepthCase> sizes, final PrintStream out)
    {
        this.options = options;
        this.sizes = List.copyOf(sizes);
        this.out = out;
        final List<String> flags = new ArrayList<>(ChildProcess.flags());
        flags.add("and a heap as large as the book needs; the line of huge pages also " + HugePages.FLAG);
        header = new RunHeader("Millrace, the book by depth").flags("every book", flags)
            .add(String.format(Locale.ROOT, "flow: 71 %% moves, 12.7 %% new, 7.3 %% cancels, 7.3 %% reductions, " +
                "2 %% IOC at orders drawn from all; %,d commands a round (a million in small books); " +
                "%d interleaved rounds after %d warm-up rounds", DepthCase.FEW_COMMANDS, options.rounds(),
                DepthRounds.WARM_UP_ROUNDS))
            .add("answers: right in every round (events and orders as the flow says, levels as the first book's)");
    }

    /**
     * Run it.
     *
     * @throws IOException                                            when a child breaks or a file cannot be written.
     * @throws io.millrace.benchmarks.harness.WrongAnswerException when a book's answer is not the flow's.
     */
    public void run() throws IOException
    {
        final ReportFolder folder =
            new ReportFolder(options.dir().resolve(FOLDER), "{table.txt,rounds.csv,depth.svg}");
        header.add("huge pages of the system: " + HugePages.setting());
        header.begin(out, 10 + sizes.size() * (FILL_S + ROUND_S * (options.rounds() + DepthRounds.WARM_UP_ROUNDS)));
        out.println("starting a server alone, then the books, each in its own JVM");
        final List<String> startUp = StartUp.lines(Math.min(StartUp.STARTS, options.rounds()));
        for (final DepthCase size : sizes)
        {
            try (DepthRounds rounds = new DepthRounds(size, options, out))
            {
                rounds.run();
                results.addAll(rounds.results());
                notes.addAll(rounds.notes);
            }
        }
        header.placement(results.get(0).summary().series().rounds().get(0).placement());
        final List<String> text = new Paragraphs().add("", header.lines(), notes)
            .add("", DepthTable.results(results)).add("", DepthTable.fits(results))
            .add("", DepthTable.memory(SymbolSpec.future(1)), startUp).add("", DepthTable.LEGEND).lines();
        folder.write("table.txt", text);
        folder.write("rounds.csv", DepthTable.rounds(results));
        folder.write("depth.svg",
            new DepthPlot(header.subtitles(options.rounds() + " interleaved rounds")).svg(results));
        folder.print(out, text);
    }
}

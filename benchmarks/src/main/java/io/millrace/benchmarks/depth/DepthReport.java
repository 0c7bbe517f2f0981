package io.millrace.benchmarks.depth;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.millrace.benchmarks.rate.ContenderProcess;
import io.millrace.benchmarks.rate.HostFiles;
import io.millrace.benchmarks.rate.ReportOptions;
import io.millrace.benchmarks.rate.RunHeader;
import io.millrace.engine.book.SymbolSpec;

/**
 * What a command costs by the number of orders and levels, beside the cost of a random load from as much memory; what
 * an order takes; what a server takes to start. One thread, which sleeps while a child runs.
 */
public final class DepthReport
{
    private static final String FOLDER = "book-depth";

    private final ReportOptions options;
    private final List<DepthCase> sizes;
    private final HostFiles host;
    private final PrintStream out;
    private final Instant started = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final String loadBefore;
    private final List<DepthResult> results = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /**
     * A report.
     *
     * @param options checked settings: rounds, the second of the CPUs, and where the files go.
     * @param sizes   of the books.
     * @param host    where to read the host.
     * @param out     for people.
     */
    public DepthReport(
        final ReportOptions options, final List<DepthCase> sizes, final HostFiles host, final PrintStream out)
    {
        this.options = options;
        this.sizes = List.copyOf(sizes);
        this.host = host;
        this.out = out;
        loadBefore = host.loadAverage();
    }

    /**
     * Run it.
     *
     * @throws IOException                                            when a child breaks or a file cannot be written.
     * @throws io.millrace.benchmarks.rate.WrongAnswerException when a book's answer is not the flow's.
     */
    public void run() throws IOException
    {
        out.println("starting a server by itself, then the books, each in a JVM of its own");
        final List<String> startUp = StartUp.lines(Math.min(StartUp.STARTS, options.rounds()));
        for (final DepthCase size : sizes)
        {
            try (DepthTurns turns = new DepthTurns(size, options, host, out))
            {
                turns.run();
                results.addAll(turns.results());
                notes.addAll(turns.notes());
            }
        }
        write(startUp);
    }

    private void write(final List<String> startUp) throws IOException
    {
        final List<String> text = new ArrayList<>();
        text.add("Millrace, the book by depth, " + started);
        text.add("host: " + RunHeader.hostLine(host));
        text.add(RunHeader.processorLine(host));
        text.add("pinning: " + results.get(0).summary().rounds().get(0).placement());
        text.add(RunHeader.jdkLine());
        text.add("JVM flags of every book: " + String.join(" ", ContenderProcess.flags()) +
            ", a heap as large as the book needs; the line of huge pages also " + DepthContender.HUGE_PAGES);
        text.add("huge pages of the system: " + hugePages());
        text.add(RunHeader.gitLine());
        text.add("load average before: " + loadBefore + "; now: " + host.loadAverage());
        text.add(String.format(Locale.ROOT, "flow: 71 %% moves, 12.7 %% new, 7.3 %% cancels, 7.3 %% reductions, 2 %% " +
            "IOC at orders drawn from all; %,d commands a round (a million in small books); %d rounds in turns, %d " +
            "before them do not count", DepthCase.FEW_COMMANDS, options.rounds(),
            DepthTurns.WARM_UP_ROUNDS));
        text.add("answers: right in every round (events and orders as the flow says, levels as the first book's)");
        text.addAll(notes);
        text.add("");
        text.addAll(DepthTable.results(results));
        text.add("");
        text.addAll(DepthTable.fits(results));
        text.add("");
        text.addAll(DepthTable.memory(SymbolSpec.future(1)));
        text.addAll(startUp);
        text.add("");
        text.addAll(DepthTable.LEGEND);
        final Path folder = Files.createDirectories(options.dir().resolve(FOLDER));
        Files.write(folder.resolve("table.txt"), text);
        Files.write(folder.resolve("rounds.csv"), DepthTable.rounds(results));
        Files.writeString(folder.resolve("depth.svg"),
            new DepthPlot(List.of(RunHeader.hostLine(host), started + "; " + RunHeader.gitLine())).svg(results));
        out.println();
        text.forEach(out::println);
        out.println();
        out.println("Written: " + folder.resolve("table.txt") + ", rounds.csv, depth.svg");
    }

    private static String hugePages() throws IOException
    {
        final Path file = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
        return Files.isReadable(file) ? Files.readString(file).trim() : "not known";
    }
}

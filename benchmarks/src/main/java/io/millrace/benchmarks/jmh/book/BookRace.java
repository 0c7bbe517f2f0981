package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.harness.ChildProcess;
import io.millrace.benchmarks.harness.Children;
import io.millrace.benchmarks.harness.Figure;
import io.millrace.benchmarks.harness.Interleaving;
import io.millrace.benchmarks.harness.Paragraphs;
import io.millrace.benchmarks.harness.ReportFolder;
import io.millrace.benchmarks.harness.RunHeader;
import io.millrace.benchmarks.harness.RunOptions;
import io.millrace.benchmarks.harness.WrongAnswerException;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Runs the race from the first line to the last: starts the contenders, asks them one after the other, checks their
 * answers,
 * writes. One thread, which sleeps while a contender runs.
 */
public final class BookRace
{
    // exchange-core's book keeps 13 bytes of each command for good: 25 rounds of a million do not fit into 512 MB.
    // Parity's allocates, too; ours and the loop do not, and have what all children have.
    private static final List<String> RIVALS_HEAP = List.of("-Xms2g", "-Xmx2g");
    /** Eight million commands of the built-in flow: the last compilation comes after one to two million. */
    private static final int WARM_UP_ROUNDS = 8;

    /** Laps with the clock read at each command, after one to warm up: 590 of the rarest type in each. */
    private static final int TYPE_LAPS = 3;

    private static final List<String> LEGEND = List.of(
        "median    CPU time of the thread for a command, median over the clean rounds (steal <= 1 %)",
        "quiet     median over the fastest quarter of these",
        "pairs     neighbouring rounds whose calibrations differ by < 10 %: a ratio is the median over these",
        "time      our time divided by the rival's, in such pairs; speed: the inverse; the best rival comes first",
        "-loop     beyond reading and distinguishing the commands (the line loop), median over such pairs",
        "calib     one dependent load of a fixed loop before and after each round: the pace of the host",
        "rounds    clean/all; INVALID: the host was too noisy, no result; PREVIEW: fewer than 9 rounds, no result",
        "by type   single commands timed in separate laps, minus the cost of reading the clock (its line: the",
        "          median); the mean is of the fastest 99 %");

    private static final List<String> BARE_LEGEND = List.of(
        "to bare   the line's time by that of the bare book (millrace), in such pairs as below",
        "L2, L3    the same book with a listener that writes its market data to an array: levels, orders, both",
        "margin    the same book behind our engine with 2,000 users: each order covered, each trade settled; a future",
        "spot      the same with a pair of currencies; fees on in both");

    // A round of a million commands, with what goes around it, of each contender.
    private static final double ROUND_S = 0.6;

    private final RaceSetup setup;
    private final RunOptions options;
    private final String input;
    private final BookFlow flow;
    private final PrintStream out;
    private final RunHeader header;
    private final Map<String, List<BookRound>> rounds = new LinkedHashMap<>();
    private final Map<String, BookTypes> types = new LinkedHashMap<>();
    private final Map<String, BookAnswer> expected = new LinkedHashMap<>();

    /**
     * A race.
     *
     * @param setup   books and commands.
     * @param options checked settings.
     * @param input   file of commands; empty for the set-up's own.
     * @param out     for people.
     */
    public BookRace(final RaceSetup setup, final RunOptions options, final String input, final PrintStream out)
    {
        this.setup = setup;
        this.options = options;
        this.input = input;
        this.out = out;
        flow = setup.flow(input);
        header = new RunHeader("Millrace, the race of the books")
            .flags("every contender", ChildProcess.flags()).flags("a rival then", RIVALS_HEAP)
            .add("input: " + flow.commands().origin())
            .add(String.format(Locale.ROOT,
            "commands: %,d timed after %,d that are not; %d interleaved rounds after %d warm-up rounds",
            flow.timed(), flow.firstTimed(), options.rounds(), WARM_UP_ROUNDS));
    }

    /**
     * Run it.
     *
     * @throws IOException          when a contender breaks or a file cannot be written.
     * @throws WrongAnswerException when a contender's answer is not that of our book.
     */
    public void run() throws IOException
    {
        final ReportFolder folder =
            new ReportFolder(options.dir().resolve(setup.folder()), "{table.txt,rounds.csv}");
        header.begin(out, 20 + ROUND_S * flow.timed() / BookFlow.COMMANDS * setup.contenders().size() *
            (options.rounds() + WARM_UP_ROUNDS + 2 * TYPE_LAPS));
        out.println("starting the books, each in its own JVM: " + String.join(", ", setup.contenders()));
        try (Children<String, BookRunner> children = new Children<>())
        {
            for (final String name : setup.contenders())
            {
                start(children, name);
                rounds.put(name, new ArrayList<>());
            }
            verify(children);
            measure(children);
            measureTypes(children);
        }
        write(folder);
    }

    private void start(final Children<String, BookRunner> children, final String name) throws IOException
    {
        final RaceSetup flowOf = setup;
        final String file = input;
        final int cpu = options.handlerCpu();
        children.start(name, BookContender.isRival(name) ? RIVALS_HEAP : List.of(),
            () -> new BookRunner(flowOf.flow(file), name, cpu));
    }

    private void verify(final Children<String, BookRunner> children) throws IOException
    {
        for (final String name : setup.contenders())
        {
            // Equal books have equal answers; the loop has its own answer.
            final String judge = BookContender.LOOP.equals(name) ? name : BookContender.MILLRACE;
            final BookContender own = BookContender.named(judge, flow.commands());
            own.begin(true);
            own.give(0, flow.endTimed());
            final BookAnswer answer = own.answer();
            WrongAnswerException.check(name, answer, children.ask(name, BookRunner::verify));
            out.println("verified: " + name + ", " + answer);
            own.give(flow.endTimed(), flow.commands().count());
            own.begin(false);
            own.give(0, flow.endTimed());
            expected.put(name, own.answer());
        }
    }

    private void measure(final Children<String, BookRunner> children) throws IOException
    {
        Interleaving.run(out, "ns/command:", WARM_UP_ROUNDS, options.rounds(), setup.contenders(), (name, number) ->
        {
            final BookRound round = children.ask(name, BookRunner::round);
            WrongAnswerException.check(name, expected.get(name), round.answer());
            header.placement(round.placement());
            if (number > 0)
            {
                rounds.get(name).add(round);
            }
            return name + " " + Figure.two(round.ns()) + " (calib " + Figure.two(round.calibrationNs()) + ")";
        });
    }

    private void measureTypes(final Children<String, BookRunner> children) throws IOException
    {
        for (int lap = 0; lap <= TYPE_LAPS; lap++)
        {
            for (final String name : setup.contenders())
            {
                final BookTypes measured = children.ask(name, BookRunner::types);
                WrongAnswerException.check(name, expected.get(name), measured.answer());
                if (lap == 1)
                {
                    types.put(name, measured);
                }
                else if (lap > 1)
                {
                    types.get(name).add(measured);
                }
            }
        }
    }

    private void write(final ReportFolder folder) throws IOException
    {
        final List<BookSummary> summaries = new ArrayList<>();
        rounds.forEach((name, all) -> summaries.add(new BookSummary(name, all)));
        final Paragraphs text = new Paragraphs().add("", header.lines(), List.of(
            "answers: right in every round (events, refusals, levels); " + expected.get(BookContender.MILLRACE)));
        text.add("", BookTable.contenders(summaries));
        if (setup.contenders().stream().anyMatch(BookContender::isRival))
        {
            text.add("", BookTable.rivals(summaries));
        }
        text.add("", BookTable.types(types));
        text.add("", rounds.containsKey(BookContender.MARGIN) ? BARE_LEGEND : List.of(), LEGEND);
        folder.write("table.txt", text.lines());
        folder.write("rounds.csv", BookTable.rounds(summaries));
        folder.print(out, text.lines());
    }
}

package io.millrace.benchmarks.jmh.book;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.millrace.benchmarks.flow.InputException;
import io.millrace.benchmarks.rate.ContenderProcess;
import io.millrace.benchmarks.rate.HostFiles;
import io.millrace.benchmarks.rate.ReportOptions;
import io.millrace.benchmarks.rate.RunHeader;
import io.millrace.benchmarks.rate.WireLine;
import io.millrace.benchmarks.rate.WrongAnswerException;

/**
 * Runs the race from the first line to the last: starts the contenders, asks them in turns, checks their answers,
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
        "pairs     rounds of one turn whose calibrations differ by < 10 %: a ratio is the median over these",
        "by theirs our time by the rival's and the other way round, in such pairs; the best rival comes first",
        "-loop     beyond reading and telling apart the commands (the line loop), median over such pairs",
        "calib     one dependent load of a fixed loop before and after each round: the pace of the host",
        "rounds    clean/all; INVALID: the host was too noisy, no result; LOOK: fewer than 9 rounds, no result",
        "by type   single commands timed in laps of their own, less what reading the clock takes (its line: the",
        "          median); the mean is of the fastest 99 %");

    private static final List<String> RISK_LEGEND = List.of(
        "by bare   the line's time by that of the bare book (millrace), in such pairs as below",
        "margin    the same book behind our engine with 2,000 users: each order covered, each trade settled; a future",
        "spot      the same with a pair of currencies; fees on in both");

    private final RaceSetup setup;
    private final ReportOptions options;
    private final BookFlow flow;
    private final HostFiles host;
    private final PrintStream out;
    private final Instant started = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final String loadBefore;
    private final Map<String, ContenderProcess> children = new LinkedHashMap<>();
    private final Map<String, List<BookRound>> rounds = new LinkedHashMap<>();
    private final Map<String, BookTypes> types = new LinkedHashMap<>();
    private final Map<String, BookAnswer> expected = new LinkedHashMap<>();

    /**
     * A race.
     *
     * @param setup   commands and contenders.
     * @param options checked settings: input, rounds, the second of the CPUs, and where the files go.
     * @param host    where to read the host.
     * @param out     for people.
     * @throws InputException when the input is not a file of commands.
     */
    public BookRace(
        final RaceSetup setup,
        final ReportOptions options,
        final HostFiles host,
        final PrintStream out)
    {
        this.setup = setup;
        this.options = options;
        this.host = host;
        this.out = out;
        loadBefore = host.loadAverage();
        flow = setup.flow(options.input());
    }

    /**
     * Run it.
     *
     * @throws IOException          when a contender breaks or a file cannot be written.
     * @throws WrongAnswerException when a contender's answer is not that of our book on this thread.
     */
    public void run() throws IOException
    {
        out.println("starting the books, each in a JVM of its own: " + String.join(", ", setup.contenders()));
        try
        {
            for (final String name : setup.contenders())
            {
                children.put(name, ContenderProcess.start(
                    name, BookMain.class, BookContender.isRival(name) ? RIVALS_HEAP : List.of(), name, setup.name(),
                    options.input(), Integer.toString(options.handlerCpu())));
                rounds.put(name, new ArrayList<>());
            }
            verify();
            measure();
            measureTypes();
        }
        finally
        {
            children.values().forEach(ContenderProcess::close);
        }
        write();
    }

    private void verify() throws IOException
    {
        for (final String name : setup.contenders())
        {
            // Equal books have equal answers; the loop has one of its own.
            final String judge = BookContender.LOOP.equals(name) ? name : BookContender.MILLRACE;
            final BookContender own = BookContender.named(judge, flow.commands());
            own.begin(true);
            own.give(0, flow.endTimed());
            final BookAnswer answer = own.answer();
            check(name, answer, BookAnswer.from(children.get(name).ask(new WireLine("verify"))));
            out.println("verified: " + name + ", " + answer);
            own.give(flow.endTimed(), flow.commands().count());
            own.begin(false);
            own.give(0, flow.endTimed());
            expected.put(name, own.answer());
        }
    }

    private static void check(final String name, final BookAnswer wanted, final BookAnswer answer)
    {
        if (!wanted.equals(answer))
        {
            throw new WrongAnswerException(name + ": " + answer + " instead of " + wanted);
        }
    }

    private void measure() throws IOException
    {
        for (int i = 1 - WARM_UP_ROUNDS; i <= options.rounds(); i++)
        {
            final StringBuilder line = new StringBuilder();
            for (final String name : setup.contenders())
            {
                final BookRound round = BookRound.from(children.get(name).ask(new WireLine("round")));
                check(name, expected.get(name), round.answer());
                line.append(String.format(Locale.ROOT, "   %s %.2f (calib %.2f)", name, round.ns(),
                    round.calibrationNs()));
                if (i > 0)
                {
                    rounds.get(name).add(round);
                }
            }
            out.println((i > 0 ? "round " + i + "/" + options.rounds() : "warm-up") + ", ns/command:" + line);
        }
    }

    private void measureTypes() throws IOException
    {
        for (int lap = 0; lap <= TYPE_LAPS; lap++)
        {
            for (final String name : setup.contenders())
            {
                final BookTypes measured = BookTypes.from(children.get(name).ask(new WireLine("types")));
                check(name, expected.get(name), measured.answer());
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

    private void write() throws IOException
    {
        final List<BookSummary> summaries = new ArrayList<>();
        rounds.forEach((name, all) -> summaries.add(new BookSummary(name, all)));
        final List<String> text = new ArrayList<>();
        text.add("Millrace, the race of the books, " + started);
        text.add("host: " + RunHeader.hostLine(host));
        text.add(RunHeader.processorLine(host));
        text.add("pinning: " + summaries.get(0).rounds().get(0).placement());
        text.add(RunHeader.jdkLine());
        text.add("JVM flags of every contender: " + String.join(" ", ContenderProcess.flags()) + "; of a rival then " +
            String.join(" ", RIVALS_HEAP));
        text.add(RunHeader.gitLine());
        text.add("load average before: " + loadBefore + "; now: " + host.loadAverage());
        text.add("input: " + flow.commands().origin());
        text.add(String.format(Locale.ROOT,
            "commands: %,d timed after %,d that are not; %d rounds in turns, %d before them do not count",
            flow.timed(), flow.firstTimed(), options.rounds(), WARM_UP_ROUNDS));
        text.add("answers: right in every round (events, refusals, levels); " + expected.get(BookContender.MILLRACE));
        text.add("");
        text.addAll(BookTable.contenders(summaries));
        text.add("");
        if (setup.contenders().stream().anyMatch(BookContender::isRival))
        {
            text.addAll(BookTable.rivals(summaries));
            text.add("");
        }
        text.addAll(BookTable.types(types));
        text.add("");
        if (rounds.containsKey(BookContender.MARGIN))
        {
            text.addAll(RISK_LEGEND);
        }
        text.addAll(LEGEND);
        final Path folder = Files.createDirectories(options.dir().resolve(setup.folder()));
        Files.write(folder.resolve("table.txt"), text);
        Files.write(folder.resolve("rounds.csv"), BookTable.rounds(summaries));
        out.println();
        text.forEach(out::println);
        out.println();
        out.println("Written: " + folder.resolve("table.txt") + ", rounds.csv");
    }
}

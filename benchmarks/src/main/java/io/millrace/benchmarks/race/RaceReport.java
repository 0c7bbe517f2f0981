package io.millrace.benchmarks.race;

import io.millrace.benchmarks.harness.ChildProcess;
import io.millrace.benchmarks.harness.Children;
import io.millrace.benchmarks.harness.Figure;
import io.millrace.benchmarks.harness.HostMeter;
import io.millrace.benchmarks.harness.Interleaving;
import io.millrace.benchmarks.harness.Paragraphs;
import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.Repeats;
import io.millrace.benchmarks.harness.ReportFolder;
import io.millrace.benchmarks.harness.RunHeader;
import io.millrace.benchmarks.harness.RunOptions;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs the race: for each comparison starts a JVM for each contender, asks them for interleaved rounds, judges, runs
 * again what the host spoiled, writes. One thread, which sleeps while a contender runs.
 */
public final class RaceReport
{
    // The same for all: small, since all live at once, and with the export that Agrona's queues need.
    private static final List<String> FLAGS = List.of(
        "-Xms128m", "-Xmx128m", "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED");
    // The compiler decides anew in each JVM what becomes part of what, which moves a path by a fifth: several JVMs.
    private static final int ROUNDS_PER_JVM = 3;
    private static final int WARM_UPS = 4;
    private static final long WARM_UP_PER_SECOND = 1_000_000;
    // Time to start a JVM, divided by its rounds.
    private static final double START_MS_PER_ROUND = 200;

    private final RaceOptions options;
    private final RunOptions run;
    private final PrintStream out;
    private final RunHeader header;
    private final Repeats repeats;
    private final List<ComparisonResult> results = new ArrayList<>();
    private ReportFolder folder;
    private HostMeter meter;

    /**
     * A race.
     *
     * @param options checked settings.
     * @param out     for people.
     */
    public RaceReport(final RaceOptions options, final PrintStream out)
    {
        this.options = options;
        run = options.run();
        this.out = out;
        header = new RunHeader("Millrace race").flags("every contender", ChildProcess.flags(FLAGS))
            .add("rounds: " + run.rounds() + " of " + run.roundMs() +
                " ms, all contenders of a comparison interleaved, " +
                "each in its own JVM, new ones every " + ROUNDS_PER_JVM + " rounds");
        repeats = new Repeats(run.budgetSeconds(), this::note);
    }

    private void note(final String line)
    {
        header.add(line);
        out.println(line);
    }

    /**
     * Run it.
     *
     * @throws IOException when a contender breaks or a file cannot be written.
     */
    public void run() throws IOException
    {
        final List<String> old = new ArrayList<>(List.of("run.txt", "race.svg"));
        Comparison.all().forEach(comparison -> old.add(comparison.name() + ".txt"));
        folder = new ReportFolder(run.dir(), old.toArray(new String[0]));
        final int contenders = options.comparisons().stream().mapToInt(one -> one.contenders().size()).sum();
        // Four warm-ups of half a round for each three rounds.
        header.begin(out, run.seconds(contenders * (run.rounds() + 2 * Math.ceil(run.rounds() / 3.0)),
            START_MS_PER_ROUND));
        try (HostMeter child = new HostMeter(FLAGS, run.sourceCpu(), run.handlerCpu()))
        {
            meter = child;
            out.println(header.baseline(meter));
            for (final Comparison comparison : options.comparisons())
            {
                results.add(runWithRepeats(comparison));
                out.println(header.baseline(meter));
            }
        }
        final Paragraphs paragraphs = new Paragraphs().add("", header.lines());
        final RacePlot plot = new RacePlot(
            header.subtitles(run.rounds() + " rounds of " + run.roundMs() + " ms interleaved"));
        for (final ComparisonResult result : results)
        {
            paragraphs.add("", RaceTable.lines(result));
            plot.add(result);
        }
        final List<String> text = paragraphs.add("", RaceTable.LEGEND).lines();
        folder.write("run.txt", text);
        folder.write("race.svg", plot.svg());
        folder.print(out, text);
    }

    private ComparisonResult runWithRepeats(final Comparison comparison) throws IOException
    {
        final Repeats.Outcome<ComparisonResult> outcome = repeats.run(comparison.name(),
            options.comparisons().size() - results.size() - 1, 0, () -> run(comparison));
        final List<String> text = header.lines();
        append(text, outcome.kept(), "");
        outcome.attempts().stream().filter(attempt -> attempt != outcome.kept())
            .forEach(attempt -> append(text, attempt, "DISCARDED attempt"));
        folder.write(comparison.name() + ".txt", text);
        return outcome.kept();
    }

    private static void append(final List<String> text, final ComparisonResult result, final String title)
    {
        text.add(title);
        text.addAll(RaceTable.lines(result));
        text.add("");
        text.addAll(RaceTable.rounds(result));
    }

    private ComparisonResult run(final Comparison comparison) throws IOException
    {
        out.println();
        out.println(comparison.title() + ": " + String.join(" ", comparison.contenders()));
        final ComparisonResult summary = new ComparisonResult(comparison);
        for (int first = 1; first <= run.rounds(); first += ROUNDS_PER_JVM)
        {
            run(summary, first, Math.min(first + ROUNDS_PER_JVM - 1, run.rounds()));
        }
        return summary;
    }

    private void run(final ComparisonResult summary, final int first, final int last) throws IOException
    {
        final Comparison comparison = summary.comparison();
        try (Children<String, RaceRunner> children = new Children<>())
        {
            for (final String contender : comparison.contenders())
            {
                children.start(contender, FLAGS, () -> new RaceRunner(contender));
            }
            warmUp(children, options.plan(comparison));
            for (int round = first; round <= last; round++)
            {
                Interleaving.run(out, round + "/" + run.rounds(), round, children.contenders(), (contender, number) ->
                {
                    final RaceResult result = ask(children, contender, options.plan(comparison));
                    summary.add(contender, result);
                    return contender + " " + text(comparison.discipline(), result);
                });
                if (comparison.discipline() == Discipline.ONE_WAY)
                {
                    summary.add(meter.hiccup(run.roundMs()));
                }
            }
        }
    }

    private static String text(final Discipline discipline, final RaceResult round)
    {
        final double figure = round.figure(discipline);
        final String text = discipline.moreIsBetter ? Figure.millions(figure) : Quantile.text(figure);
        return round.isClean() ? text : "(" + text + ")";
    }

    /** Half rounds; for paced disciplines first at a rate at which the code is compiled soon. */
    private void warmUp(final Children<String, RaceRunner> children, final RacePlan plan) throws IOException
    {
        final long halfMs = Math.max(1, run.roundMs() / 2);
        final boolean paced = plan.discipline() == Discipline.ONE_WAY || plan.discipline() == Discipline.SUSTAINED;
        for (int i = 1; i <= WARM_UPS; i++)
        {
            final boolean isOwn = !paced || i == WARM_UPS;
            for (final String contender : children.contenders())
            {
                ask(children, contender, isOwn ? plan.at(plan.discipline(), plan.perSecond(), halfMs) :
                    plan.at(Discipline.ONE_WAY, WARM_UP_PER_SECOND, halfMs));
            }
        }
    }

    private RaceResult ask(final Children<String, RaceRunner> children, final String contender, final RacePlan plan)
        throws IOException
    {
        final RaceResult result = children.ask(contender, runner -> runner.run(plan));
        header.placement(result.placement());
        return result;
    }
}

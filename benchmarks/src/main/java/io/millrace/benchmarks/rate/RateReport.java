package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.flow.CommandFile;
import io.millrace.benchmarks.harness.ChildProcess;
import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.HostMeter;
import io.millrace.benchmarks.harness.PathSummary;
import io.millrace.benchmarks.harness.Rate;
import io.millrace.benchmarks.harness.RateFiles;
import io.millrace.benchmarks.harness.RateRounds;
import io.millrace.benchmarks.harness.RateSearch;
import io.millrace.benchmarks.harness.RateSummary;
import io.millrace.benchmarks.harness.RatedPath;
import io.millrace.benchmarks.harness.Repeats;
import io.millrace.benchmarks.harness.ReportFolder;
import io.millrace.benchmarks.harness.Round;
import io.millrace.benchmarks.harness.RunHeader;
import io.millrace.benchmarks.harness.RunOptions;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs the message-rate report from the first line to the last: starts the contenders, asks them for interleaved
 * rounds,
 * judges, repeats what the host spoiled, writes. One thread, which sleeps while a contender runs.
 */
public final class RateReport
{
    private static final long COST_EVENTS = 1_000_000;
    // The book's code is compiled to its end only after some ten million commands; the loop has no other warm-up.
    private static final int COST_WARM_UPS = 10;
    private static final int WARM_UP_ROUNDS = 2;
    private static final int FLOOD_MS = 50;
    /** A carried rate's median is below ten times that of an idle path, so the queue does not grow. */
    private static final long MAX_P50_NS = 10_000;
    // Time for a search at one rate: five half rounds of at most 0.7 s and their overhead.
    private static final long SEARCH_STEP_MS = 4_000;
    private static final String[] OLD =
        {"{,raw_,empty_}latency_*_mps.{hgrm,hlog}", "{hiccup.hgrm,run.txt,latency.svg}"};

    private final RateOptions options;
    private final RunOptions run;
    private final ReportInput input;
    private final PrintStream out;
    private final RunHeader header;
    private final ReportText text;
    private final Repeats repeats;
    private final List<RateSummary> results = new ArrayList<>();
    private final List<CheckedContender> paths = new ArrayList<>();
    private Path commands;
    private RateRounds rounds;

    /**
     * A report.
     *
     * @param options checked settings.
     * @param input   the commands.
     * @param out     for people.
     */
    public RateReport(final RateOptions options, final ReportInput input, final PrintStream out)
    {
        this.options = options;
        run = options.run();
        this.input = input;
        this.out = out;
        header = new RunHeader("Millrace message-rate report").cpus(run.sourceCpu(), run.handlerCpu())
            .flags("every contender", ChildProcess.flags())
            .add("input: " + input.line()).add(options.isMatching() ? input.bookLines() : List.of())
            .add("handler: " + options.handler() + "; ring capacity: " + options.capacity() + "; rounds: " +
                run.rounds() + " of " + run.roundMs() + " ms, all paths interleaved")
            .add("clock: up to " + MeterLedger.EVENTS_PER_READING +
                " events right behind one another share a reading after the last of them");
        text = new ReportText(options, results);
        repeats = new Repeats(run.budgetSeconds(), line ->
        {
            text.attempt(line);
            out.println(line);
        });
    }

    /**
     * Run it.
     *
     * @throws IOException when a contender breaks or a file cannot be written.
     */
    public void run() throws IOException
    {
        final ReportFolder folder = folder(run.dir());
        final List<ReportPath> wanted = ReportPath.of(options.handler());
        // Warm-ups are as long as one round, the hiccups half a round; the costs and starts take some 20 s.
        header.begin(out, 20 + run.seconds((wanted.size() + 0.5) * options.rates().size() * (run.rounds() + 1), 15));
        out.println("input: " + input.line());
        // The commands are made here and read there: a child compiles its book with no other listener than its own.
        commands = Files.createTempFile("millrace-report", ".commands.csv");
        try (HostMeter meter = new HostMeter(List.of(), run.sourceCpu(), run.handlerCpu()))
        {
            rounds = new RateRounds(out, meter, HostFiles.HERE.onlineCpus(), run.roundMs());
            CommandFile.write(input.commands(), commands);
            for (final ReportPath path : wanted)
            {
                paths.add(start(path));
            }
            warmUp();
            measure(meter);
        }
        finally
        {
            paths.forEach(CheckedContender::close);
            Files.delete(commands);
        }
        write(folder, header, options, results, text.runLines());
        folder.print(out, text.printLines(header));
    }

    /** Folder of the files; those of an earlier report are deleted. */
    static ReportFolder folder(final Path dir) throws IOException
    {
        return new ReportFolder(dir, OLD);
    }

    static void write(
        final ReportFolder folder,
        final RunHeader header,
        final RateOptions options,
        final List<RateSummary> results,
        final List<String> text) throws IOException
    {
        LatencyPlot.write(folder, header, options, results, RateFiles.write(folder, header, results, text, path ->
            (ReportPath.SERVER.equals(path.name()) ? "" : path.name() + "_") + "latency_" + path.rate()
                .label() + "_mps",
            true));
    }

    private CheckedContender start(final ReportPath path) throws IOException
    {
        return CheckedContender.start(path, input, options.plan(options.rates().get(0)), commands);
    }

    private void measure(final HostMeter meter) throws IOException
    {
        out.println(header.baseline(meter));
        measureCost();
        for (final Rate rate : options.rates())
        {
            // The rates that were not yet measured once come before any repeat.
            final int others = options.rates().size() - results.size() - 1;
            final List<RatedPath> counted = new ArrayList<>(paths);
            counted.set(0, counting(paths.get(0)));
            final Repeats.Outcome<RateSummary> outcome = repeats.run(rate.label(), others, 0,
                () -> rounds.measure(rate, run.rounds(), counted));
            text.discarded(outcome.attempts(), outcome.kept());
            results.add(outcome.kept());
            out.println(header.baseline(meter));
        }
        for (int i = 0; i < paths.size(); i++)
        {
            searchCarried(i);
        }
    }

    /** The server: the report ends with the commands that it handled. */
    private RatedPath counting(final CheckedContender server)
    {
        return new RatedPath()
        {
            @Override
            public String name()
            {
                return server.name();
            }

            @Override
            public Round round(final long perSecond, final long roundMs, final String which) throws IOException
            {
                final Round round = server.round(perSecond, roundMs, which);
                text.handled(server.answer());
                return round;
            }
        };
    }

    private void warmUp() throws IOException
    {
        out.println("warming up");
        for (final CheckedContender path : paths)
        {
            // More than any path takes, so that what happens at a full ring is warm too.
            header.placement(path.round(Rate.MAX_PER_SECOND, FLOOD_MS, "warm-up").placement());
        }
        for (int i = 0; i < WARM_UP_ROUNDS; i++)
        {
            for (final Rate rate : options.rates())
            {
                for (final CheckedContender path : paths)
                {
                    // The high rates get the code compiled, the low ones show it the waiting; half a round is enough.
                    path.round(rate.perSecond(), halfRoundMs(), "warm-up");
                }
            }
            rounds.hiccup();
        }
    }

    private void measureCost() throws IOException
    {
        final List<CostRunner.Cost[]> costs = new ArrayList<>();
        try (CheckedContender loop = start(ReportPath.loop(options.handler())))
        {
            // Server, raw baseline, loop, and the other paths.
            final List<CheckedContender> contenders = new ArrayList<>(paths);
            contenders.add(2, loop);
            for (int i = -COST_WARM_UPS; i < run.rounds(); i++)
            {
                final CostRunner.Cost[] costOf = new CostRunner.Cost[contenders.size()];
                for (int j = 0; j < costOf.length; j++)
                {
                    costOf[j] = contenders.get(j).cost(COST_EVENTS);
                }
                if (i >= 0)
                {
                    costs.add(costOf);
                }
            }
        }
        text.cost(ReportTable.cost(costs)).forEach(out::println);
    }

    /** At the lowest rate that saturated the path; higher ones add nothing. */
    private void searchCarried(final int index) throws IOException
    {
        for (final RateSummary rate : results)
        {
            final PathSummary path = rate.paths().get(index);
            if (path.series().isSaturated())
            {
                final RateSearch search = new RateSearch(MAX_P50_NS,
                    perSecond -> paths.get(index).round(perSecond, halfRoundMs(), "search"),
                    () -> repeats.leftMs() >= SEARCH_STEP_MS);
                out.println(text.carried(rate.rate().label() + " " + path.name() + ": " +
                    search.below(path.achievedPerSecond())));
                return;
            }
        }
    }

    private int halfRoundMs()
    {
        return Math.max(1, run.roundMs() / 2);
    }
}

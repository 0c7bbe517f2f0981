package io.millrace.benchmarks.rate;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.millrace.benchmarks.flow.CommandFile;

/**
 * Runs the message-rate report from the first line to the last: starts the contenders, asks them in turns, judges,
 * repeats what the host spoiled, writes. One thread, which sleeps while a contender runs.
 */
public final class RateReport
{
    /**
     * Exit code of a run whose answer was wrong, or that broke.
     */
    public static final int FAILED = 1;

    private static final int MAX_ATTEMPTS = 4;
    private static final long HICCUP_PER_SECOND = 1_000_000;
    private static final long COST_EVENTS = 1_000_000;
    // The book's code is compiled to its end only after some ten million commands; the loop has no other warm-up.
    private static final int COST_WARM_UPS = 10;
    private static final int WARM_UP_ROUNDS = 2;
    private static final int FLOOD_MS = 50;
    // What a search needs at one rate: five half rounds of at most 0.7 s and what is around them.
    private static final long SEARCH_STEP_MS = 4_000;

    private final ReportOptions options;
    private final ReportInput input;
    private final HostFiles host;
    private final PrintStream out;
    private final RunHeader header;
    private final ReportText text;
    private final List<RateSummary> results = new ArrayList<>();
    private final List<CheckedContender> paths = new ArrayList<>();
    private Path commands;
    private ContenderProcess meter;

    /**
     * A report.
     *
     * @param options checked settings.
     * @param input   what is sent.
     * @param host    where to read the host.
     * @param out     for people.
     */
    public RateReport(
        final ReportOptions options,
        final ReportInput input,
        final HostFiles host,
        final PrintStream out)
    {
        this.options = options;
        this.input = input;
        this.host = host;
        this.out = out;
        final List<String> inputLines = new ArrayList<>(List.of("input: " + input.line()));
        if (options.isMatching())
        {
            inputLines.addAll(input.bookLines());
        }
        header = new RunHeader(options, inputLines, host);
        text = new ReportText(options, results);
    }

    /**
     * Run it.
     *
     * @throws IOException          when a contender breaks or a file cannot be written.
     * @throws WrongAnswerException when a contender's answer is not what the input gives.
     */
    public void run() throws IOException
    {
        final ReportFiles files = new ReportFiles(options.dir());
        files.clear();
        header.lines().subList(0, 2).forEach(out::println);
        header.inputLines().forEach(out::println);
        out.println("starting the contenders, each in a JVM of its own: " + String.join(" ", ContenderProcess.flags()));
        // The commands are made here and read there: a child compiles its book with no other listener than its own.
        commands = Files.createTempFile("millrace-report", ".commands.csv");
        try (ContenderProcess hostMeter = ContenderProcess.start(ContenderMain.HOST, ""))
        {
            meter = hostMeter;
            CommandFile.write(input.commands(), commands);
            for (final ReportPath path : ReportPath.of(options.handler()))
            {
                paths.add(CheckedContender.start(path, input, commands));
            }
            measure();
        }
        finally
        {
            paths.forEach(CheckedContender::close);
            Files.delete(commands);
        }
        files.write(header, results, text.runLines());
        text.printLines(header).forEach(out::println);
    }

    private void measure() throws IOException
    {
        warmUp();
        final WireLine floors = meter.ask(
            new WireLine("floors").put("cpuA", options.sourceCpu()).put("cpuB", options.handlerCpu()));
        header.floors(floors.fraction("clockNs"), floors.fraction("lineNs"));
        out.println("host floors: " + header.floorLine());
        measureCost();
        for (final Rate rate : options.rates())
        {
            results.add(measureWithRepeats(rate));
        }
        for (int i = 0; i < paths.size(); i++)
        {
            searchCarried(i);
        }
    }

    private void warmUp() throws IOException
    {
        out.println("warming up");
        // More than any path takes, so that what happens at a full ring is warm too.
        final RoundPlan flood = options.plan(options.rates().get(0)).at(Rate.MAX_PER_SECOND, FLOOD_MS);
        for (final CheckedContender path : paths)
        {
            header.placement(round(path, flood, "warm-up").placement());
        }
        for (int i = 0; i < WARM_UP_ROUNDS; i++)
        {
            for (final Rate rate : options.rates())
            {
                // The high rates get the code compiled, the low ones show it the waiting; half a round is enough.
                final RoundPlan plan = options.plan(rate).at(rate.perSecond(), halfRoundMs());
                for (final CheckedContender path : paths)
                {
                    round(path, plan, "warm-up");
                }
            }
            hiccup();
        }
    }

    private void measureCost() throws IOException
    {
        final List<CostRunner.Cost[]> costs = new ArrayList<>();
        try (CheckedContender loop = CheckedContender.start(ReportPath.loop(options.handler()), input, commands))
        {
            // Server, raw floor, loop, and whatever paths there are beside them.
            final List<CheckedContender> turns = new ArrayList<>(paths);
            turns.add(2, loop);
            final RoundPlan plan = options.plan(options.rates().get(0));
            for (int i = -COST_WARM_UPS; i < options.rounds(); i++)
            {
                final CostRunner.Cost[] turn = new CostRunner.Cost[turns.size()];
                for (int j = 0; j < turn.length; j++)
                {
                    turn[j] = turns.get(j).cost(plan, COST_EVENTS);
                }
                if (i >= 0)
                {
                    costs.add(turn);
                }
            }
        }
        text.cost(ReportTable.cost(costs)).forEach(out::println);
    }

    private RateSummary measureWithRepeats(final Rate rate) throws IOException
    {
        RateSummary best = null;
        final List<RateSummary> tries = new ArrayList<>();
        long longestMs = 0;
        for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++)
        {
            final long beforeMs = System.currentTimeMillis();
            final RateSummary result = measureOnce(rate);
            tries.add(result);
            longestMs = Math.max(longestMs, System.currentTimeMillis() - beforeMs);
            if (best == null || result.valid() || result.clean() > best.clean())
            {
                best = result;
            }
            if (result.valid())
            {
                break;
            }
            final String whyNot = whyNotAgain(result, attempt, longestMs);
            note(rate.label() + " attempt " + attempt + " is INVALID (" + result.invalid() + "), " +
                (whyNot.isEmpty() ? "run again" : "not run again: " + whyNot));
            if (!whyNot.isEmpty())
            {
                break;
            }
        }
        text.discarded(tries, best);
        return best;
    }

    private String whyNotAgain(final RateSummary result, final int attempt, final long attemptMs)
    {
        if (attempt == MAX_ATTEMPTS)
        {
            return "that was the last attempt";
        }
        if (result.server().verdict().saturated())
        {
            return "the server is SATURATED, which stays so";
        }
        // The rates that were not yet measured once come before any repeat.
        final int others = options.rates().size() - results.size() - 1;
        return leftMs() >= (1 + others) * attemptMs ? "" : "the time budget does not allow it";
    }

    private void note(final String line)
    {
        text.attempt(line);
        out.println(line);
    }

    private long leftMs()
    {
        return options.budgetSeconds() * 1_000L - ManagementFactory.getRuntimeMXBean().getUptime();
    }

    /** At the lowest rate that saturated the path; higher ones tell nothing new. */
    private void searchCarried(final int index) throws IOException
    {
        for (final RateSummary rate : results)
        {
            final PathSummary path = rate.paths().get(index);
            if (path.verdict().saturated())
            {
                final RoundPlan plan = options.plan(rate.rate());
                final RateSearch search = new RateSearch(
                    perSecond -> round(paths.get(index), plan.at(perSecond, halfRoundMs()), "search"),
                    () -> leftMs() >= SEARCH_STEP_MS);
                out.println(text.carried(rate.rate().label() + " " + path.name() + ": " +
                    search.below(path.achievedPerSecond())));
                return;
            }
        }
    }

    private RateSummary measureOnce(final Rate rate) throws IOException
    {
        final List<List<RoundResult>> rounds = new ArrayList<>();
        paths.forEach(path -> rounds.add(new ArrayList<>()));
        final List<HiccupRound> hiccups = new ArrayList<>();
        for (int i = 1; i <= options.rounds(); i++)
        {
            final StringBuilder line = new StringBuilder(
                String.format(Locale.ROOT, "%5s/s round %d/%d", rate.label(), i, options.rounds()));
            for (int j = 0; j < paths.size(); j++)
            {
                final RoundResult result = round(paths.get(j), options.plan(rate), "round " + i);
                rounds.get(j).add(result);
                line.append(progress(paths.get(j).name(), result));
            }
            hiccups.add(hiccup());
            out.println(line.append("   hiccup p99 ")
                .append(Quantile.text(Quantile.of(hiccups.get(i - 1).hiccups(), 99.0))));
        }
        final int cores = host.onlineCpus();
        final List<PathSummary> summaries = new ArrayList<>();
        for (int j = 0; j < paths.size(); j++)
        {
            summaries.add(new PathSummary(paths.get(j).name(), rate, rounds.get(j), cores));
        }
        return new RateSummary(rate, summaries, hiccups);
    }

    private RoundResult round(final CheckedContender path, final RoundPlan plan, final String which) throws IOException
    {
        final RoundResult result = path.round(plan, which);
        if (path == paths.get(0))
        {
            text.handled(result);
        }
        return result;
    }

    private HiccupRound hiccup() throws IOException
    {
        // Half as long as a round: at a million a second that is samples enough, and it leaves time for the paths.
        final RoundPlan plan = options.plan(options.rates().get(0)).at(HICCUP_PER_SECOND, halfRoundMs());
        return HiccupRound.from(meter.ask(plan.toLine("hiccup")));
    }

    private int halfRoundMs()
    {
        return Math.max(1, options.roundMs() / 2);
    }

    private static String progress(final String name, final RoundResult round)
    {
        return String.format(Locale.ROOT, "   %s p50 %-7s p99 %-7s steal %s %%", name,
            Quantile.text(Quantile.of(round.intended(), 50.0)), Quantile.text(Quantile.of(round.intended(), 99.0)),
            ReportTable.percent(round.steal()));
    }
}

package io.millrace.benchmarks.rate;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

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
    private static final int COST_WARM_UPS = 4;
    private static final int WARM_UP_ROUNDS = 2;
    private static final int FLOOD_MS = 50;

    private final ReportOptions options;
    private final RecordedCommands commands;
    private final HostFiles host;
    private final PrintStream out;
    private final RunHeader header;
    private final List<RateSummary> results = new ArrayList<>();
    private final List<String> attempts = new ArrayList<>();
    private final Map<String, Long> handledByCommand = new TreeMap<>();
    private List<String> costLines = List.of();
    private ContenderProcess server;
    private ContenderProcess raw;
    private ContenderProcess meter;

    /**
     * A report.
     *
     * @param options  checked settings.
     * @param commands the input.
     * @param host     where to read the host.
     * @param out      for people.
     */
    public RateReport(
        final ReportOptions options,
        final RecordedCommands commands,
        final HostFiles host,
        final PrintStream out)
    {
        this.options = options;
        this.commands = commands;
        this.host = host;
        this.out = out;
        header = new RunHeader(options, commands, host);
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
        out.println("starting the contenders, each in a JVM of its own: " + String.join(" ", ContenderProcess.flags()));
        try (ContenderProcess first = ContenderProcess.start("server", options.input());
            ContenderProcess second = ContenderProcess.start("raw", options.input());
            ContenderProcess third = ContenderProcess.start(ContenderMain.HOST, ""))
        {
            server = first;
            raw = second;
            meter = third;
            measure();
        }
        final ReportText text = new ReportText(options, results, attempts, costLines, handledByCommand);
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
        costLines.forEach(out::println);
        for (final Rate rate : options.rates())
        {
            results.add(measureWithRepeats(rate));
        }
    }

    private void warmUp() throws IOException
    {
        out.println("warming up");
        // More than any path takes, so that what happens at a full ring is warm too.
        final RoundPlan flood = options.plan(options.rates().get(0)).at(Rate.MAX_PER_SECOND, FLOOD_MS);
        header.placement(round(server, "server", flood, "warm-up").placement());
        round(raw, "raw", flood, "warm-up");
        for (int i = 0; i < WARM_UP_ROUNDS; i++)
        {
            for (final Rate rate : options.rates())
            {
                // The high rates get the code compiled, the low ones show it the waiting; half a round is enough.
                final RoundPlan plan = options.plan(rate).at(rate.perSecond(), Math.max(1, options.roundMs() / 2));
                round(server, "server", plan, "warm-up");
                round(raw, "raw", plan, "warm-up");
            }
            hiccup();
        }
    }

    private void measureCost() throws IOException
    {
        final List<CostRunner.Cost[]> costs = new ArrayList<>();
        try (ContenderProcess loop = ContenderProcess.start(Contender.LOOP, options.input()))
        {
            for (int i = -COST_WARM_UPS; i < options.rounds(); i++)
            {
                final CostRunner.Cost[] turn = {cost(server, "server"), cost(raw, "raw"), cost(loop, Contender.LOOP)};
                if (i >= 0)
                {
                    costs.add(turn);
                }
            }
        }
        costLines = ReportTable.cost(costs);
    }

    private CostRunner.Cost cost(final ContenderProcess contender, final String name) throws IOException
    {
        final WireLine question = options.plan(options.rates().get(0)).toLine("cost").put("events", COST_EVENTS);
        final CostRunner.Cost cost = CostRunner.Cost.from(contender.ask(question));
        if (cost.checksum() != commands.checksum(cost.sent()))
        {
            throw new WrongAnswerException(name + " on one thread: wrong checksum over " + cost.sent() + " events");
        }
        return cost;
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
            final boolean affordable = leftMs() >= longestMs + othersMs(longestMs);
            note(rate.label() + " attempt " + attempt + " is INVALID (" + reason(result) + "), " +
                (attempt == MAX_ATTEMPTS ? "not run again: that was the last attempt" :
                    affordable ? "run again" : "not run again: the time budget does not allow it"));
            if (!affordable)
            {
                break;
            }
        }
        noteDiscarded(tries, best);
        return best;
    }

    private void noteDiscarded(final List<RateSummary> tries, final RateSummary kept)
    {
        for (int i = 0; i < tries.size(); i++)
        {
            if (tries.get(i) != kept)
            {
                attempts.add("");
                attempts.add(kept.rate().label() + " attempt " + (i + 1) + ", " + tries.get(i).status() +
                    ", DISCARDED: the tables above are of attempt " + (tries.indexOf(kept) + 1));
                attempts.addAll(ReportTable.discardedRounds(tries.get(i)));
                attempts.add("");
            }
        }
    }

    private static String reason(final RateSummary result)
    {
        return result.server().verdict().valid() ?
            "raw: " + result.raw().verdict().invalid() : "server: " + result.server().verdict().invalid();
    }

    private void note(final String line)
    {
        attempts.add(line);
        out.println(line);
    }

    private long leftMs()
    {
        return options.budgetSeconds() * 1_000L - ManagementFactory.getRuntimeMXBean().getUptime();
    }

    /** The rates that were not yet measured once come before any repeat. */
    private long othersMs(final long eachMs)
    {
        return (options.rates().size() - results.size() - 1) * eachMs;
    }

    private RateSummary measureOnce(final Rate rate) throws IOException
    {
        final List<RoundResult> ours = new ArrayList<>();
        final List<RoundResult> floors = new ArrayList<>();
        final List<HiccupRound> hiccups = new ArrayList<>();
        for (int i = 1; i <= options.rounds(); i++)
        {
            final String which = "round " + i;
            ours.add(round(server, "server", options.plan(rate), which));
            floors.add(round(raw, "raw", options.plan(rate), which));
            hiccups.add(hiccup());
            progress(rate, i, ours.get(i - 1), floors.get(i - 1), hiccups.get(i - 1));
        }
        final int cores = host.onlineCpus();
        return new RateSummary(rate, new PathSummary("server", rate, ours, cores),
            new PathSummary("raw", rate, floors, cores), hiccups);
    }

    private RoundResult round(
        final ContenderProcess contender,
        final String name,
        final RoundPlan plan,
        final String which) throws IOException
    {
        final RoundResult result = RoundResult.from(plan, contender.ask(plan.toLine("round")));
        final String wrong = result.wrongAnswer(commands);
        if (wrong != null)
        {
            throw new WrongAnswerException(name + " at " + plan.perSecond() + "/s, " + which + ": " + wrong);
        }
        if ("server".equals(name))
        {
            CommandWord.byName(result.counts()).forEach((key, count) -> handledByCommand.merge(key, count, Long::sum));
        }
        return result;
    }

    private HiccupRound hiccup() throws IOException
    {
        // Half as long as a round: at a million a second that is samples enough, and it leaves time for the paths.
        final RoundPlan plan = options.plan(options.rates().get(0))
            .at(HICCUP_PER_SECOND, Math.max(1, options.roundMs() / 2));
        return HiccupRound.from(meter.ask(plan.toLine("hiccup")));
    }

    private void progress(
        final Rate rate,
        final int round,
        final RoundResult ours,
        final RoundResult floor,
        final HiccupRound hiccup)
    {
        out.printf(Locale.ROOT, "%5s/s round %d/%d   server p50 %-7s p99 %-7s   raw p50 %-7s p99 %-7s   " +
            "hiccup p99 %-7s   steal %s %s %%%n", rate.label(), round, options.rounds(),
            Quantile.text(Quantile.of(ours.intended(), 50.0)), Quantile.text(Quantile.of(ours.intended(), 99.0)),
            Quantile.text(Quantile.of(floor.intended(), 50.0)), Quantile.text(Quantile.of(floor.intended(), 99.0)),
            Quantile.text(Quantile.of(hiccup.hiccups(), 99.0)),
            ReportTable.percent(ours.steal()), ReportTable.percent(floor.steal()));
    }
}

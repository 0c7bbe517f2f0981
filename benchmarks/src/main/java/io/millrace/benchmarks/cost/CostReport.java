package io.millrace.benchmarks.cost;

import io.millrace.benchmarks.cost.CostTables.IdleRow;
import io.millrace.benchmarks.harness.ChildProcess;
import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.Interleaving;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.ReportFolder;
import io.millrace.benchmarks.harness.RunHeader;
import io.millrace.benchmarks.harness.WireLine;
import io.millrace.benchmarks.jmh.Topology;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.ToDoubleFunction;

/**
 * Runs the report on what options and idling cost: starts a child for each variant, asks them for interleaved rounds,
 * writes the tables. One thread, which sleeps while a child runs.
 */
public final class CostReport
{
    // Beside the flags of every child: nothing here needs more, and all children live at once.
    private static final List<String> SMALL_HEAP = List.of("-Xms64m", "-Xmx64m");
    private static final int WARM_UP_ROUNDS = 3;
    private static final Map<String, String> NAMES =
        Map.of("one", "one thread", "two", "two threads", "full", "no room");
    // Start of a child, by each of them; the pauses before wake-ups, by each round.
    private static final double START_S = 0.7;
    private static final double PAUSES_S = 0.7;

    private final CostPlan plan;
    private final HostFiles host;
    private final PrintStream out;
    private final RunHeader header;
    private final List<String> tables = new ArrayList<>();
    private final List<String> rounds = new ArrayList<>();

    /**
     * A report.
     *
     * @param properties where the settings are.
     * @param host       where to read the host.
     * @param out        for people.
     * @throws io.millrace.benchmarks.harness.InputException when a setting is impossible; nothing was started then.
     */
    public CostReport(final Properties properties, final HostFiles host, final PrintStream out)
    {
        plan = CostPlan.from(properties, Pinning.allowed());
        this.host = host;
        this.out = out;
        final List<String> flags = new ArrayList<>(ChildProcess.flags());
        flags.addAll(SMALL_HEAP);
        header = new RunHeader("Millrace report on what options and idling cost", host).flags("every child", flags)
            .add("CPUs asked for: publisher " + cpu(plan.plan().sourceCpu()) + ", agent " +
                cpu(plan.plan().handlerCpu()))
            .add("rounds: " + plan.rounds() + " of " + plan.plan().roundMs() + " ms, interleaved, each option right " +
                "before or after what it is compared with");
    }

    private static String cpu(final int number)
    {
        return number == Pinning.NONE ? "any" : Integer.toString(number);
    }

    /**
     * Run it.
     *
     * @throws IOException when a child breaks, an answer is wrong, or a file cannot be written.
     */
    public void run() throws IOException
    {
        final ReportFolder folder = new ReportFolder(plan.dir().resolve("cost"), "{table,rounds}.txt");
        header.firstLines(seconds()).forEach(out::println);
        measureOptions();
        measureIdle();
        measureFanOuts();
        final List<String> text = header.lines();
        rounds.addAll(0, text);
        text.addAll(tables);
        folder.write("table.txt", text);
        folder.write("rounds.txt", rounds);
        folder.print(out, text);
    }

    private double seconds()
    {
        final double roundS = plan.plan().roundMs() / 1e3;
        // Each option is measured in up to three ways, beside another one: some two and a half rounds of each kind.
        return plan.options().size() * (START_S + 5 * roundS * (plan.rounds() + WARM_UP_ROUNDS)) +
            plan.idle().size() * (START_S + (roundS + PAUSES_S) * (plan.idleRounds() + 1)) +
            plan.fanOuts().size() * 2 * (START_S + roundS * (plan.rounds() + WARM_UP_ROUNDS));
    }

    private void measureOptions() throws IOException
    {
        if (plan.options().isEmpty())
        {
            return;
        }
        out.println("starting a JVM for each of " + plan.options().size() + " options");
        final Map<CostOption, ChildProcess> children = new EnumMap<>(CostOption.class);
        try
        {
            for (final CostOption option : plan.options())
            {
                final List<String> flags = new ArrayList<>(SMALL_HEAP);
                flags.addAll(option.setup().jvmFlags);
                children.put(option, ChildProcess.start(
                    option.label(), CostChild.class, flags, CostChild.OPTION, option.label()));
            }
            final List<OptionSeries> one = measure("one", children, OptionRound::cpuPerEventNs);
            final List<OptionSeries> two = measure("two", children, OptionRound::wallPerEventNs);
            report(one, two, measure("full", children, OptionRound::cpuPerEventNs));
        }
        finally
        {
            children.values().forEach(ChildProcess::close);
        }
    }

    private List<OptionSeries> measure(
        final String verb,
        final Map<CostOption, ChildProcess> children,
        final ToDoubleFunction<OptionRound> perEventNs) throws IOException
    {
        final List<OptionSeries> all = children.keySet().stream()
            .filter(option -> isFor(verb, option.setup()))
            .map(option -> new OptionSeries(option, perEventNs)).toList();
        Interleaving.run(out, "options, " + NAMES.get(verb), WARM_UP_ROUNDS, plan.rounds(), all, (series, number) ->
        {
            if (number <= 0)
            {
                round(verb, children.get(series.option()));
            }
            else
            {
                addRound(verb, children, series, number % 2 != 0);
            }
            return "";
        });
        return all;
    }

    /** What an option is compared with runs right before it and, in every other round, right after it. */
    private void addRound(
        final String verb,
        final Map<CostOption, ChildProcess> children,
        final OptionSeries series,
        final boolean besideFirst) throws IOException
    {
        final ChildProcess child = children.get(series.option());
        final ChildProcess beside = children.get(series.option().beside());
        final OptionRound before = beside != null && besideFirst ? round(verb, beside) : null;
        final OptionRound own = round(verb, child);
        series.add(own, beside == null || besideFirst ? before : round(verb, beside));
    }

    private OptionRound round(final String verb, final ChildProcess child) throws IOException
    {
        return child.ask(WireLine.of(verb, plan.plan())).as(OptionRound.class);
    }

    private static boolean isFor(final String verb, final OptionSetup setup)
    {
        switch (verb)
        {
            case "one":
                return setup.onOneThread;
            case "two":
                return setup.onTwoThreads;
            default:
                return setup.whenFull;
        }
    }

    private void section(final String title, final List<String> lines)
    {
        tables.add("");
        if (!title.isEmpty())
        {
            tables.add(title);
        }
        tables.addAll(lines);
    }

    private void report(final List<OptionSeries> one, final List<OptionSeries> two, final List<OptionSeries> full)
    {
        section("What an option costs on one thread: CPU time per event, 16 published, then handled (INVOKER)",
            CostTables.options(one, false));
        section("What an option costs between two threads: time per event, 1,024 published, then waited for",
            CostTables.options(two, true));
        section("What back-pressure costs a publisher that finds no room: CPU time per attempt, on one thread",
            CostTables.options(full, false));
        section("", CostTables.OPTION_LEGEND);
        section("", CostTables.describe(List.copyOf(plan.options())));
        rounds("one", one);
        rounds("two", two);
        rounds("full", full);
    }

    private void rounds(final String threads, final List<OptionSeries> all)
    {
        for (final OptionSeries series : all)
        {
            for (int i = 0; i < series.pairs().rounds().size(); i++)
            {
                final OptionSeries.Pair pair = series.pairs().rounds().get(i);
                rounds.add(threads + " " + series.option().label() + " round " + (i + 1) + ": " +
                    WireLine.of("", pair.round()).toString().replace('\t', ' ').trim() + (pair.beside() == null ? "" :
                    " beside " + WireLine.of("", pair.beside()).toString().replace('\t', ' ').trim()) +
                    (series.pairs().counts(i) ? "" : " does not count"));
            }
        }
    }

    private void measureIdle() throws IOException
    {
        if (plan.idle().isEmpty())
        {
            return;
        }
        final Map<IdleKind, ChildProcess> children = new EnumMap<>(IdleKind.class);
        final List<IdleRow> rows = plan.idle().stream().map(IdleRow::new).toList();
        try
        {
            for (final IdleKind kind : plan.idle())
            {
                children.put(kind,
                    ChildProcess.start(kind.label(), CostChild.class, SMALL_HEAP, CostChild.IDLE, kind.label()));
            }
            Interleaving.run(out, "idle strategies", 1, plan.idleRounds(), rows, (row, number) ->
            {
                final IdleRound round = children.get(row.kind())
                    .ask(WireLine.of("idle", plan.plan()).put("wakeUps", plan.wakeUps())).as(IdleRound.class);
                if (number > 0)
                {
                    row.rounds().add(round);
                }
                return "";
            });
        }
        finally
        {
            children.values().forEach(ChildProcess::close);
        }
        report(rows);
    }

    private void report(final List<IdleRow> rows)
    {
        section("What idling costs, and how long an idle agent takes to wake up", CostTables.idle(rows));
        section("", CostTables.IDLE_LEGEND);
        section("", CostTables.describeIdle(plan.idle()));
        for (final IdleRow row : rows)
        {
            for (int i = 0; i < row.rounds().rounds().size(); i++)
            {
                final IdleRound round = row.rounds().rounds().get(i);
                rounds.add("idle " + row.kind().label() + " round " + (i + 1) + ": CPU " + round.cpuNs() + " of " +
                    round.wallNs() + " ns, cycles " + round.cycles() + ", p50 " +
                    round.wakeUps().getValueAtPercentile(50.0) + ", max " + round.wakeUps().getMaxValue() +
                    " ns, steal " + round.steal() + ", competing threads " + round.competingThreads());
            }
        }
    }

    private void measureFanOuts() throws IOException
    {
        if (plan.fanOuts().isEmpty())
        {
            return;
        }
        final FanOutLatency latency = new FanOutLatency(plan, SMALL_HEAP, out);
        for (final Topology topology : Topology.values())
        {
            section("Fan-out " + topology.label() + ", all stages on one thread, 100,000 events/s: " +
                "from the intended send to the end of the last stage", latency.measure(topology, host.onlineCpus()));
        }
        section("", CostTables.FAN_OUT_LEGEND);
        section("", plan.fanOuts().stream().map(kind -> kind.label() + ": " + kind.what()).toList());
        rounds.addAll(latency.rounds());
    }
}

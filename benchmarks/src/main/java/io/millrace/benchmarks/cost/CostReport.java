package io.millrace.benchmarks.cost;

import io.millrace.benchmarks.cost.CostTables.IdleRow;
import io.millrace.benchmarks.harness.ChildProcess;
import io.millrace.benchmarks.harness.Children;
import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.Interleaving;
import io.millrace.benchmarks.harness.Paragraphs;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.ReportFolder;
import io.millrace.benchmarks.harness.RoundPlan;
import io.millrace.benchmarks.harness.RunHeader;
import io.millrace.benchmarks.jmh.Topology;
import org.agrona.concurrent.BusySpinIdleStrategy;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * Runs the report on the cost of options and idling: starts a child for each variant, asks them for interleaved rounds,
 * writes the tables. One thread, which sleeps while a child runs.
 */
public final class CostReport
{
    // In addition to the flags of every child: nothing here needs more, and all children live at once.
    private static final List<String> SMALL_HEAP = List.of("-Xms64m", "-Xmx64m");
    private static final int WARM_UP_ROUNDS = 3;
    // Start of a child, by each of them; the pauses before wake-ups, by each round.
    private static final double START_S = 0.7;
    private static final double PAUSES_S = 0.7;

    private final CostPlan plan;
    private final PrintStream out;
    private final RunHeader header;
    private final Paragraphs tables = new Paragraphs();
    private final List<String> rounds = new ArrayList<>();

    /**
     * A report.
     *
     * @param properties where the settings are.
     * @param out        for people.
     * @throws io.millrace.benchmarks.harness.InputException when a setting is impossible; nothing was started then.
     */
    public CostReport(final Properties properties, final PrintStream out)
    {
        plan = CostPlan.from(properties, Pinning.allowed());
        this.out = out;
        header = new RunHeader("Millrace report on the cost of options and idling")
            .flags("every child", ChildProcess.flags(SMALL_HEAP))
            .add("CPUs asked for: publisher " + cpu(plan.plan().sourceCpu()) + ", agent " +
                cpu(plan.plan().handlerCpu()))
            .add("rounds: " + plan.rounds() + " of " + plan.plan().roundMs() + " ms, interleaved, each option right " +
                "before or after its reference");
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
        header.begin(out, seconds());
        measureOptions();
        measureIdle();
        measureFanOuts();
        final List<String> head = header.lines();
        rounds.addAll(0, head);
        final List<String> text = new Paragraphs().add("", head).add("", tables.lines()).lines();
        folder.write("table.txt", text);
        folder.write("rounds.txt", rounds);
        folder.print(out, text);
    }

    private double seconds()
    {
        final double roundS = plan.plan().roundMs() / 1e3;
        // Each option is measured in up to three ways, with its reference: some two and a half rounds of each kind.
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
        try (Children<CostOption, OptionRunner> children = new Children<>())
        {
            for (final CostOption option : plan.options())
            {
                final List<String> flags = new ArrayList<>(SMALL_HEAP);
                flags.addAll(option.setup().jvmFlags);
                children.start(option, flags,
                    () -> new OptionRunner(option, BusySpinIdleStrategy::new));
            }
            report(measure(OptionMode.ONE, children), measure(OptionMode.TWO, children),
                measure(OptionMode.FULL, children));
        }
    }

    private List<OptionSeries> measure(final OptionMode mode, final Children<CostOption, OptionRunner> children)
        throws IOException
    {
        final List<OptionSeries> all = children.contenders().stream().filter(mode::isFor)
            .map(option -> new OptionSeries(option, mode.perEventNs)).toList();
        Interleaving.run(out, "options, " + mode.title, WARM_UP_ROUNDS, plan.rounds(), all, (series, number) ->
        {
            if (number <= 0)
            {
                round(mode, children, series.option);
            }
            else
            {
                addRound(mode, children, series, number % 2 != 0);
            }
            return "";
        });
        return all;
    }

    /** The reference of an option runs right before it and, in every other round, right after it. */
    private void addRound(
        final OptionMode mode,
        final Children<CostOption, OptionRunner> children,
        final OptionSeries series,
        final boolean referenceFirst) throws IOException
    {
        final CostOption reference = series.option.reference;
        final OptionRound before = reference != null && referenceFirst ? round(mode, children, reference) : null;
        final OptionRound own = round(mode, children, series.option);
        series.add(own, reference == null || referenceFirst ? before : round(mode, children, reference));
    }

    private OptionRound round(
        final OptionMode mode, final Children<CostOption, OptionRunner> children, final CostOption option)
        throws IOException
    {
        final RoundPlan asked = plan.plan();
        return children.ask(option, runner -> Pinning.onOwnThread(() -> mode.run(runner, asked)));
    }

    private void report(final List<OptionSeries> one, final List<OptionSeries> two, final List<OptionSeries> full)
    {
        tables.add("Cost of an option on one thread: CPU time per event, 16 published, then handled (INVOKER)",
            CostTables.options(one, false));
        tables.add("Cost of an option between two threads: time per event, 1,024 published, then waited for",
            CostTables.options(two, true));
        tables.add(
            "Cost of back-pressure for a publisher that finds the ring full: CPU time per attempt, on one thread",
            CostTables.options(full, false));
        tables.add("", CostTables.OPTION_LEGEND);
        tables.add("", CostTables.describe(List.copyOf(plan.options())));
        rounds(OptionMode.ONE, one);
        rounds(OptionMode.TWO, two);
        rounds(OptionMode.FULL, full);
    }

    private void rounds(final OptionMode mode, final List<OptionSeries> all)
    {
        for (final OptionSeries series : all)
        {
            rounds.addAll(series.pairs.lines((pair, i) -> mode + " " + series.option + " round " + (i + 1) + ": " +
                pair.round() + (pair.reference() == null ? "" : " compared with " + pair.reference()) +
                (series.pairs.counts(i) ? "" : " does not count")));
        }
    }

    private void measureIdle() throws IOException
    {
        if (plan.idle().isEmpty())
        {
            return;
        }
        final List<IdleRow> rows = plan.idle().stream().map(IdleRow::new).toList();
        final RoundPlan asked = plan.plan();
        final int wakeUps = plan.wakeUps();
        try (Children<IdleKind, IdleRunner> children = new Children<>())
        {
            for (final IdleKind kind : plan.idle())
            {
                children.start(kind, SMALL_HEAP,
                    () -> new IdleRunner(kind, new BusySpinIdleStrategy()));
            }
            Interleaving.run(out, "idle strategies", 1, plan.idleRounds(), rows, (row, number) ->
            {
                final IdleRound round = children.ask(row.kind(),
                    runner -> Pinning.onOwnThread(() -> runner.run(asked, wakeUps)));
                if (number > 0)
                {
                    row.rounds().add(round);
                }
                return "";
            });
        }
        report(rows);
    }

    private void report(final List<IdleRow> rows)
    {
        tables.add("Cost of idling, and the time that an idle agent takes to wake up", CostTables.idle(rows));
        tables.add("", CostTables.IDLE_LEGEND);
        tables.add("", CostTables.describeIdle(plan.idle()));
        for (final IdleRow row : rows)
        {
            rounds.addAll(row.rounds().lines((round, i) -> "idle " + row.kind() + " round " + (i + 1) + ": CPU " +
                round.cpuNs() + " of " + round.wallNs() + " ns, cycles " + round.cycles() + ", p50 " +
                round.wakeUps().getValueAtPercentile(50.0) + ", max " + round.wakeUps().getMaxValue() +
                " ns, steal " + round.steal() + ", competing threads " + round.competingThreads()));
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
            tables.add("Fan-out " + topology + ", all stages on one thread, 100,000 events/s: " +
                "from the intended send to the end of the last stage",
                latency.measure(topology, HostFiles.HERE.onlineCpus()));
        }
        tables.add("", CostTables.FAN_OUT_LEGEND);
        tables.add("", plan.fanOuts().stream().map(kind -> kind + ": " + kind.what).toList());
        rounds.addAll(latency.rounds);
    }
}

package io.millrace.benchmarks.cost;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.ToDoubleFunction;

import io.millrace.benchmarks.cost.CostTables.IdleRow;
import io.millrace.benchmarks.jmh.Topology;
import io.millrace.benchmarks.rate.ContenderProcess;
import io.millrace.benchmarks.rate.HostFiles;
import io.millrace.benchmarks.rate.Pinning;
import io.millrace.benchmarks.rate.RunHeader;

/**
 * Runs the report on what options and idling cost: starts a child for each variant, asks them in turns, writes the
 * tables. One thread, which sleeps while a child runs.
 */
public final class CostReport
{
    // Beside the flags of every child: nothing here needs more, and all children live at once.
    private static final List<String> SMALL_HEAP = List.of("-Xms64m", "-Xmx64m");
    private static final int WARM_UP_ROUNDS = 3;
    private static final Map<String, String> NAMES =
        Map.of("one", "one thread", "two", "two threads", "full", "no room");

    private final CostPlan plan;
    private final HostFiles host;
    private final PrintStream out;
    private final String loadBefore;
    private final Instant started = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final List<String> tables = new ArrayList<>();
    private final List<String> rounds = new ArrayList<>();

    /**
     * A report.
     *
     * @param properties where the settings are.
     * @param host       where to read the host.
     * @param out        for people.
     * @throws io.millrace.benchmarks.flow.InputException when a setting is impossible; nothing was started then.
     */
    public CostReport(final Properties properties, final HostFiles host, final PrintStream out)
    {
        plan = CostPlan.from(properties, Pinning.allowed());
        this.host = host;
        this.out = out;
        loadBefore = host.loadAverage();
    }

    /**
     * Run it.
     *
     * @throws IOException when a child breaks, an answer is wrong, or a file cannot be written.
     */
    public void run() throws IOException
    {
        final Path dir = Files.createDirectories(plan.dir().resolve("cost"));
        Files.deleteIfExists(dir.resolve("table.txt"));
        Files.deleteIfExists(dir.resolve("rounds.txt"));
        measureOptions();
        measureIdle();
        measureFanOuts();
        final List<String> header = header();
        final List<String> text = new ArrayList<>(header);
        text.addAll(tables);
        Files.write(dir.resolve("table.txt"), text, StandardCharsets.UTF_8);
        rounds.addAll(0, header);
        Files.write(dir.resolve("rounds.txt"), rounds, StandardCharsets.UTF_8);
        out.println();
        text.forEach(out::println);
        out.println();
        out.println(
            "Files in " + dir.toAbsolutePath().normalize() + ": table.txt (the above), rounds.txt (every round)");
    }

    private List<String> header()
    {
        return new ArrayList<>(List.of(
            "Millrace report on what options and idling cost, of " + started,
            "host: " + RunHeader.hostLine(host),
            RunHeader.processorLine(host),
            RunHeader.jdkLine(),
            "JVM flags of every child: " + String.join(" ", ContenderProcess.flags()) + " " +
                String.join(" ", SMALL_HEAP),
            RunHeader.gitLine(),
            "load average before: " + loadBefore + "; now: " + host.loadAverage(),
            "CPUs asked for: publisher " + cpu(plan.plan().sourceCpu()) + ", agent " + cpu(plan.plan().handlerCpu()),
            "rounds: " + plan.rounds() + " of " + plan.plan().roundMs() + " ms, in turns, " +
                "each option right beside what it is held against"));
    }

    private static String cpu(final int number)
    {
        return number == Pinning.NONE ? "any" : Integer.toString(number);
    }

    private void measureOptions() throws IOException
    {
        if (plan.options().isEmpty())
        {
            return;
        }
        out.println("starting a JVM for each of " + plan.options().size() + " options");
        final Map<CostOption, ContenderProcess> children = new EnumMap<>(CostOption.class);
        try
        {
            for (final CostOption option : plan.options())
            {
                final List<String> flags = new ArrayList<>(SMALL_HEAP);
                flags.addAll(option.setup().jvmFlags);
                children.put(option, ContenderProcess.start(
                    option.label(), CostChild.class, flags, CostChild.OPTION, option.label()));
            }
            final List<OptionSeries> one = measure("one", children, OptionRound::cpuPerEventNs);
            final List<OptionSeries> two = measure("two", children, OptionRound::wallPerEventNs);
            tell(one, two, measure("full", children, OptionRound::cpuPerEventNs));
        }
        finally
        {
            children.values().forEach(ContenderProcess::close);
        }
    }

    private List<OptionSeries> measure(
        final String verb,
        final Map<CostOption, ContenderProcess> children,
        final ToDoubleFunction<OptionRound> perEventNs) throws IOException
    {
        final List<OptionSeries> all = children.keySet().stream()
            .filter(option -> isFor(verb, option.setup()))
            .map(option -> new OptionSeries(option, perEventNs)).toList();
        for (int i = -WARM_UP_ROUNDS; i < plan.rounds(); i++)
        {
            for (final OptionSeries series : all)
            {
                if (i < 0)
                {
                    round(verb, children.get(series.option()));
                }
                else
                {
                    addRound(verb, children, series, i % 2 == 0);
                }
            }
            out.println("options, " + NAMES.get(verb) + ": " +
                (i < 0 ? "warm-up" : "round " + (i + 1) + "/" + plan.rounds()));
        }
        return all;
    }

    /** What an option is held beside runs right before it and, in every other round, right after it. */
    private void addRound(
        final String verb,
        final Map<CostOption, ContenderProcess> children,
        final OptionSeries series,
        final boolean besideFirst) throws IOException
    {
        final ContenderProcess child = children.get(series.option());
        final ContenderProcess beside = children.get(series.option().beside());
        if (beside == null)
        {
            series.add(round(verb, child));
        }
        else if (besideFirst)
        {
            final OptionRound first = round(verb, beside);
            series.add(round(verb, child), first);
        }
        else
        {
            final OptionRound first = round(verb, child);
            series.add(first, round(verb, beside));
        }
    }

    private OptionRound round(final String verb, final ContenderProcess child) throws IOException
    {
        return OptionRound.from(child.ask(plan.plan().toLine(verb)));
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

    private void tell(final List<OptionSeries> one, final List<OptionSeries> two, final List<OptionSeries> full)
    {
        tables.add("");
        tables.add("What an option costs on one thread: CPU time per event, 16 published, then handled (INVOKER)");
        tables.addAll(CostTables.options(one, false));
        tables.add("");
        tables.add("What an option costs between two threads: time per event, 1,024 published, then waited for");
        tables.addAll(CostTables.options(two, true));
        tables.add("");
        tables.add("What back-pressure costs a publisher that finds no room: CPU time per attempt, on one thread");
        tables.addAll(CostTables.options(full, false));
        tables.add("");
        tables.addAll(CostTables.OPTION_LEGEND);
        tables.add("");
        tables.addAll(CostTables.describe(List.copyOf(plan.options())));
        rounds("one", one);
        rounds("two", two);
        rounds("full", full);
    }

    private void rounds(final String threads, final List<OptionSeries> all)
    {
        for (final OptionSeries series : all)
        {
            for (int i = 0; i < series.rounds().size(); i++)
            {
                rounds.add(threads + " " + series.option().label() + " round " + (i + 1) + ": " +
                    series.rounds().get(i) + (series.besides().isEmpty() ? "" : " beside " + series.besides().get(i)) +
                    (series.counts(i) ? "" : " does not count"));
            }
        }
    }

    private void measureIdle() throws IOException
    {
        if (plan.idle().isEmpty())
        {
            return;
        }
        final Map<IdleKind, ContenderProcess> children = new EnumMap<>(IdleKind.class);
        final List<IdleRow> rows = plan.idle().stream().map(kind -> new IdleRow(kind, new ArrayList<>())).toList();
        try
        {
            for (final IdleKind kind : plan.idle())
            {
                children.put(kind,
                    ContenderProcess.start(kind.label(), CostChild.class, SMALL_HEAP, CostChild.IDLE, kind.label()));
            }
            for (int i = -1; i < plan.idleRounds(); i++)
            {
                for (final IdleRow row : rows)
                {
                    final IdleRound round = IdleRound.from(children.get(row.kind())
                        .ask(plan.plan().toLine("idle").put("wakeUps", plan.wakeUps())));
                    if (i >= 0)
                    {
                        row.rounds().add(round);
                    }
                }
                out.println("idle strategies: " + (i < 0 ? "warm-up" : "round " + (i + 1) + "/" + plan.idleRounds()));
            }
        }
        finally
        {
            children.values().forEach(ContenderProcess::close);
        }
        tell(rows);
    }

    private void tell(final List<IdleRow> rows)
    {
        tables.add("");
        tables.add("What idling costs, and how long an idle agent takes to wake up");
        tables.addAll(CostTables.idle(rows));
        tables.add("");
        tables.addAll(CostTables.IDLE_LEGEND);
        tables.add("");
        tables.addAll(CostTables.describeIdle(plan.idle()));
        for (final IdleRow row : rows)
        {
            for (int i = 0; i < row.rounds().size(); i++)
            {
                final IdleRound round = row.rounds().get(i);
                rounds.add("idle " + row.kind().label() + " round " + (i + 1) + ": CPU " + round.cpuNs() + " of " +
                    round.wallNs() + " ns, cycles " + round.cycles() + ", p50 " +
                    round.wakeUps().getValueAtPercentile(50.0) + ", max " + round.wakeUps().getMaxValue() +
                    " ns, steal " + round.steal() + ", crowd " + round.crowd());
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
            final List<String> table = latency.measure(topology, host.onlineCpus());
            tables.add("");
            tables.add("Fan-out " + topology.label() + ", all stages on one thread, 100,000 events/s: " +
                "from the intended send to the end of the last stage");
            tables.addAll(table);
        }
        tables.add("");
        tables.addAll(CostTables.FAN_OUT_LEGEND);
        tables.add("");
        plan.fanOuts().forEach(kind -> tables.add(kind.label() + ": " + kind.what()));
        rounds.addAll(latency.rounds());
    }
}

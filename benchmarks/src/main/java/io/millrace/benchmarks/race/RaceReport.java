package io.millrace.benchmarks.race;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.millrace.benchmarks.rate.ContenderMain;
import io.millrace.benchmarks.rate.ContenderProcess;
import io.millrace.benchmarks.rate.HiccupRound;
import io.millrace.benchmarks.rate.HostFiles;
import io.millrace.benchmarks.rate.Quantile;
import io.millrace.benchmarks.rate.ReportOptions;
import io.millrace.benchmarks.rate.RoundPlan;
import io.millrace.benchmarks.rate.RunHeader;
import io.millrace.benchmarks.rate.WireLine;

/**
 * Runs the race: for each heat starts a JVM for each contender, asks them in turns, judges, runs again what the host
 * spoiled, writes. One thread, which sleeps while a contender runs.
 */
public final class RaceReport
{
    // The same for all: small, since all live at once, and with the export that Agrona's queues need.
    private static final List<String> FLAGS = List.of(
        "-Xms128m", "-Xmx128m", "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED");
    private static final int MAX_ATTEMPTS = 4;
    // The compiler decides anew in each JVM what becomes part of what, which moves a path by a fifth: several JVMs.
    private static final int TURNS_PER_JVM = 3;
    private static final int WARM_UPS = 4;
    private static final long WARM_UP_PER_SECOND = 1_000_000;
    // The hiccup meter's open loop, as in the message-rate report; it has no ring.
    private static final long HICCUP_PER_SECOND = 1_000_000;

    private final RaceOptions options;
    private final HostFiles host;
    private final PrintStream out;
    private final RaceFiles files;
    private final Instant started = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final String loadBefore;
    private final List<String> notes = new ArrayList<>();
    private final List<HeatSummary> results = new ArrayList<>();
    private String placement = "not known";
    private ContenderProcess meter;

    /**
     * A race.
     *
     * @param options checked settings.
     * @param host    where to read the host.
     * @param out     for people.
     */
    public RaceReport(final RaceOptions options, final HostFiles host, final PrintStream out)
    {
        this.options = options;
        this.host = host;
        this.out = out;
        files = new RaceFiles(options.dir());
        loadBefore = host.loadAverage();
    }

    /**
     * Run it.
     *
     * @throws IOException when a contender breaks or answers wrongly, or a file cannot be written.
     */
    public void run() throws IOException
    {
        files.clear();
        header().forEach(out::println);
        try (ContenderProcess child = ContenderProcess.start(ContenderMain.HOST, ContenderMain.class, FLAGS,
            ContenderMain.HOST, ""))
        {
            meter = child;
            floors("before");
            for (final Heat heat : options.heats())
            {
                results.add(runWithRepeats(heat));
            }
            floors("after");
        }
        final List<String> text = header();
        final RacePlot plot = new RacePlot(List.of(RunHeader.hostLine(host), started + "; " + placement + "; " +
            options.rounds() + " rounds of " + options.roundMs() + " ms in turns"));
        for (final HeatSummary result : results)
        {
            text.add("");
            text.addAll(RaceTable.lines(result));
            plot.add(result);
        }
        text.add("");
        text.addAll(RaceTable.LEGEND);
        files.write(text, plot.svg());
        out.println();
        text.forEach(out::println);
        out.println();
        out.println(files.describe());
    }

    private List<String> header()
    {
        final List<String> lines = new ArrayList<>(List.of(
            "Millrace race of " + started,
            "host: " + RunHeader.hostLine(host),
            RunHeader.processorLine(host),
            "pinning: " + placement,
            RunHeader.jdkLine(),
            "JVM flags of every contender: " + String.join(" ", ContenderProcess.flags()) + " " +
                String.join(" ", FLAGS),
            "GC: Serial (contenders)",
            RunHeader.gitLine(),
            "load average before: " + loadBefore + "; now: " + host.loadAverage(),
            "rounds: " + options.rounds() + " of " + options.roundMs() + " ms, all contenders of a heat in turns, " +
                "each in a JVM of its own, new ones every " + TURNS_PER_JVM + " turns"));
        lines.addAll(notes);
        return lines;
    }

    private void note(final String line)
    {
        notes.add(line);
        out.println(line);
    }

    private void floors(final String when) throws IOException
    {
        final WireLine floors = meter.ask(
            new WireLine("floors").put("cpuA", options.frontCpu()).put("cpuB", options.backCpu()));
        note(String.format(Locale.ROOT, "host floors %s: cache line to the other core and back %s (p50), " +
            "clock reading %.1f ns", when, Quantile.text(floors.fraction("lineNs")), floors.fraction("clockNs")));
    }

    private HeatSummary runWithRepeats(final Heat heat) throws IOException
    {
        final List<HeatSummary> attempts = new ArrayList<>();
        HeatSummary best = null;
        long longestMs = 0;
        while (attempts.size() < MAX_ATTEMPTS)
        {
            final long beforeMs = System.currentTimeMillis();
            final HeatSummary attempt = run(heat);
            attempts.add(attempt);
            longestMs = Math.max(longestMs, System.currentTimeMillis() - beforeMs);
            if (best == null || attempt.valid() || attempt.clean() > best.clean())
            {
                best = attempt;
            }
            // Few rounds are a look, which is not worth a repeat.
            if (attempt.valid() || options.rounds() < ReportOptions.FULL_ROUNDS)
            {
                break;
            }
            final boolean affordable = leftMs() >= longestMs * (1 + options.heats().size() - results.size() - 1);
            note(heat.name() + " attempt " + attempts.size() + " is INVALID, " +
                (attempts.size() == MAX_ATTEMPTS ? "not run again: that was the last attempt" :
                    affordable ? "run again" : "not run again: the time budget does not allow it"));
            if (!affordable)
            {
                break;
            }
        }
        final HeatSummary kept = best;
        files.write(header(), kept, attempts.stream().filter(attempt -> attempt != kept).toList());
        return kept;
    }

    private long leftMs()
    {
        return options.budgetSeconds() * 1_000L - ManagementFactory.getRuntimeMXBean().getUptime();
    }

    private HeatSummary run(final Heat heat) throws IOException
    {
        out.println();
        out.println(heat.title() + ": " + String.join(" ", heat.contenders()));
        final HeatSummary summary = new HeatSummary(heat);
        for (int first = 1; first <= options.rounds(); first += TURNS_PER_JVM)
        {
            run(summary, first, Math.min(first + TURNS_PER_JVM - 1, options.rounds()));
        }
        return summary;
    }

    /** Some turns, in JVMs of their own. */
    private void run(final HeatSummary summary, final int firstTurn, final int lastTurn) throws IOException
    {
        final Heat heat = summary.heat();
        final Map<String, ContenderProcess> children = new LinkedHashMap<>();
        try
        {
            for (final String contender : heat.contenders())
            {
                children.put(contender, ContenderProcess.start(contender, RaceChild.class, FLAGS, contender));
            }
            warmUp(children, options.plan(heat));
            for (int turn = firstTurn; turn <= lastTurn; turn++)
            {
                final StringBuilder line = new StringBuilder("  " + turn + "/" + options.rounds());
                for (final Map.Entry<String, ContenderProcess> child : children.entrySet())
                {
                    final RaceResult round = ask(child.getValue(), options.plan(heat));
                    summary.add(child.getKey(), round);
                    line.append("  ").append(child.getKey()).append(' ').append(text(heat, round));
                }
                if (heat.discipline() == Discipline.ONE_WAY)
                {
                    summary.add(hiccup());
                }
                out.println(line);
            }
        }
        finally
        {
            children.values().forEach(ContenderProcess::close);
        }
    }

    private static String text(final Heat heat, final RaceResult round)
    {
        final double figure = round.figure(heat.discipline());
        final String text = heat.discipline().moreIsBetter() ? RaceTable.millions(figure) : Quantile.text(figure);
        return round.isClean() ? text : "(" + text + ")";
    }

    /** Half as long as a round. A fast open loop gets the code compiled, the heat's own rate shows it the waiting. */
    private void warmUp(final Map<String, ContenderProcess> children, final RacePlan plan) throws IOException
    {
        final long halfMs = Math.max(1, options.roundMs() / 2);
        final boolean paced = plan.discipline() == Discipline.ONE_WAY || plan.discipline() == Discipline.SUSTAINED;
        for (int i = 1; i <= WARM_UPS; i++)
        {
            final boolean isOwn = !paced || i == WARM_UPS;
            for (final ContenderProcess child : children.values())
            {
                ask(child, isOwn ? plan.at(plan.discipline(), plan.perSecond(), halfMs) :
                    plan.at(Discipline.ONE_WAY, WARM_UP_PER_SECOND, halfMs));
            }
        }
    }

    private RaceResult ask(final ContenderProcess child, final RacePlan plan) throws IOException
    {
        final RaceResult result = RaceResult.from(child.ask(plan.toLine()));
        placement = result.placement();
        return result;
    }

    private HiccupRound hiccup() throws IOException
    {
        final RoundPlan plan = new RoundPlan(HICCUP_PER_SECOND, options.roundMs(), 1, "empty",
            options.frontCpu(), options.backCpu());
        return HiccupRound.from(meter.ask(plan.toLine("hiccup")));
    }
}

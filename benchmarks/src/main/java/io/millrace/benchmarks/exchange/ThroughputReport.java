package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.harness.Figure;
import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.HostMeter;
import io.millrace.benchmarks.harness.Interleaving;
import io.millrace.benchmarks.harness.Paragraphs;
import io.millrace.benchmarks.harness.Repeats;
import io.millrace.benchmarks.harness.ReportFolder;
import io.millrace.benchmarks.harness.Round;
import io.millrace.benchmarks.harness.RunHeader;
import io.millrace.benchmarks.harness.RunOptions;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs order-throughput: in each set-up both exchanges flat out, their rounds interleaved. One thread, which sleeps
 * while a contender runs.
 */
public final class ThroughputReport
{
    // The books' code is compiled to its end only after some ten million commands; the larger set-ups take longer.
    private static final int WARM_UPS = 4;
    // A round, for the estimate: some millions of commands and what is placed first.
    private static final double ROUND_S = 2.5;

    private final ExchangeOptions options;
    private final RunOptions run;
    private final PrintStream out;
    private final ExchangeRival rival = ExchangeRival.find();
    private final RunHeader header;
    private final Repeats budget;
    private final List<List<ThroughputTable.Summary>> results = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final List<String> broken = new ArrayList<>();

    /**
     * A report.
     *
     * @param options checked settings.
     * @param out     for people.
     */
    public ThroughputReport(final ExchangeOptions options, final PrintStream out)
    {
        this.options = options;
        run = options.run();
        this.out = out;
        header = ExchangeHeader.of("Millrace order-throughput", options, rival);
        budget = new Repeats(run.budgetSeconds(), notes::add);
    }

    /**
     * Run it.
     *
     * @throws IOException when a contender breaks or a file cannot be written; what was measured before is written.
     */
    public void run() throws IOException
    {
        final ReportFolder folder = new ReportFolder(run.dir(), "{run.txt,rounds.csv}");
        header.begin(out, Math.min(run.budgetSeconds(),
            2 * ROUND_S * options.setups().size() * (run.rounds() + WARM_UPS)));
        measureHost();
        for (int i = 0; i < options.setups().size(); i++)
        {
            final ExchangeSetup setup = options.setups().get(i);
            String part = setup.label();
            try
            {
                // The remaining set-ups share the remaining time.
                final long leftMs = Math.max(0, budget.leftMs());
                measure(setup, leftMs - leftMs / (options.setups().size() - i));
                // The rounds are complete.
                part = "the reading of the host after " + part;
                measureHost();
            }
            catch (final IOException ex)
            {
                broken.add(part + " broke off: " + ex.getMessage());
                out.println(broken.get(broken.size() - 1));
            }
        }
        notes.addAll(broken);
        write(folder);
        if (!broken.isEmpty())
        {
            throw new IOException(String.join("; ", broken));
        }
    }

    private void measureHost() throws IOException
    {
        try (HostMeter meter = new HostMeter(List.of(), run.sourceCpu(), run.handlerCpu()))
        {
            out.println(header.baseline(meter));
        }
    }

    /** Measure a set-up until so much of the budget is left. */
    private void measure(final ExchangeSetup setup, final long untilLeftMs) throws IOException
    {
        try (ExchangePair pair = ExchangePair.open(options, setup, rival, out))
        {
            if (!pair.whyAlone().isEmpty())
            {
                notes.add(setup.label() + " " + pair.whyAlone());
            }
            final ExchangePlan plan = options.plan(0, options.commands(setup));
            warmUp(pair, plan, untilLeftMs);
            final Map<ExchangeContender, List<Round>> rounds = new LinkedHashMap<>();
            pair.contenders.forEach(contender -> rounds.put(contender, new ArrayList<>()));
            try
            {
                measure(setup, plan, rounds, untilLeftMs);
            }
            finally
            {
                // The rounds that ended before a failure are reported, too.
                final List<ThroughputTable.Summary> summaries = rounds.entrySet().stream()
                    .filter(entry -> !entry.getValue().isEmpty()).map(entry -> new ThroughputTable.Summary(setup,
                    entry.getKey().name(), Round.series(entry.getValue(), HostFiles.HERE.onlineCpus()))).toList();
                if (!summaries.isEmpty())
                {
                    results.add(summaries);
                }
            }
        }
    }

    private void warmUp(final ExchangePair pair, final ExchangePlan plan, final long untilLeftMs) throws IOException
    {
        for (final ExchangeContender contender : pair.contenders)
        {
            // At most a third of the time is for this.
            final long enoughMs =
                budget.leftMs() - (budget.leftMs() - untilLeftMs) / 3 / pair.contenders.size();
            for (int i = 0; i < WARM_UPS && (i == 0 || budget.leftMs() > enoughMs); i++)
            {
                contender.round(plan, "warm-up");
            }
        }
    }

    private void measure(
        final ExchangeSetup setup,
        final ExchangePlan plan,
        final Map<ExchangeContender, List<Round>> rounds,
        final long untilLeftMs) throws IOException
    {
        long roundOfAllMs = 0;
        for (int i = 1; i <= run.rounds(); i++)
        {
            final long beforeMs = budget.leftMs();
            if (i > 1 && beforeMs - roundOfAllMs < untilLeftMs)
            {
                notes.add(setup.label() + ": the time budget allows " + (i - 1) + " of " + run.rounds() + " rounds");
                return;
            }
            Interleaving.run(out, setup.label() + " round " + i + "/" + run.rounds(), i, rounds.keySet(),
                (contender, number) ->
                {
                    final Round round = contender.round(plan, "round " + number);
                    rounds.get(contender).add(round);
                    if (contender.name().equals(ExchangeContender.OURS))
                    {
                        header.placement(round.placement());
                    }
                    return contender.name() + " " + Figure.two(round.achievedPerSecond() / 1e6) + " M/s steal " +
                        Figure.percent(round.readings().steal()) + " %";
                });
            roundOfAllMs = beforeMs - budget.leftMs();
        }
    }

    private void write(final ReportFolder folder) throws IOException
    {
        final List<String> text = new Paragraphs().add("", header.lines())
            .add("", ThroughputTable.text(results, notes)).lines();
        folder.write("run.txt", text);
        folder.write("rounds.csv", ThroughputTable.rounds(results));
        folder.print(out, text);
    }
}

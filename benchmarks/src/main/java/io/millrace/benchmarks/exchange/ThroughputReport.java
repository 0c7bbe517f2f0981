package io.millrace.benchmarks.exchange;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.millrace.benchmarks.rate.ContenderMain;
import io.millrace.benchmarks.rate.ContenderProcess;
import io.millrace.benchmarks.rate.HostFiles;
import io.millrace.benchmarks.rate.Rate;
import io.millrace.benchmarks.rate.ReportTable;
import io.millrace.benchmarks.rate.RoundPlan;
import io.millrace.benchmarks.rate.WireLine;
import io.millrace.benchmarks.rate.WrongAnswerException;

/**
 * order-throughput: our exchange and another one flat out in each set-up, in turns. One thread, which sleeps while a
 * contender runs.
 */
public final class ThroughputReport
{
    // The books' code is compiled to its end only after some ten million commands; the larger set-ups take longer.
    private static final int WARM_UPS = 4;
    private static final long MS_PER_S = 1_000;
    private static final long NS_PER_MS = 1_000_000;

    private final long startNs = System.nanoTime();
    private final ExchangeOptions options;
    private final HostFiles host;
    private final PrintStream out;
    private final ExchangeRival rival = ExchangeRival.find();
    private final ExchangeHeader header;
    private final List<List<ThroughputSummary>> results = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final List<String> broken = new ArrayList<>();

    /**
     * A report.
     *
     * @param options checked settings.
     * @param host    where to read the host.
     * @param out     for people.
     */
    public ThroughputReport(final ExchangeOptions options, final HostFiles host, final PrintStream out)
    {
        this.options = options;
        this.host = host;
        this.out = out;
        header = new ExchangeHeader("Millrace order-throughput", options, host, rival);
    }

    /**
     * Run it.
     *
     * @throws IOException          when an exchange breaks or a file cannot be written. What was measured until then is
     *                              written, and the other set-ups are run all the same.
     * @throws WrongAnswerException when the answer of an exchange is wrong.
     */
    public void run() throws IOException
    {
        header.lines().subList(0, 2).forEach(out::println);
        try (ContenderProcess meter = ContenderProcess.start(ContenderMain.HOST, ""))
        {
            out.println("host floors: " + header.floors(meter.ask(new WireLine("floors")
                .put("cpuA", options.report().sourceCpu()).put("cpuB", options.report().handlerCpu()))));
        }
        for (int i = 0; i < options.setups().size(); i++)
        {
            // What is left is shared among the set-ups that are left.
            final ExchangeSetup setup = options.setups().get(i);
            try
            {
                measure(setup, passedMs() + leftMs() / (options.setups().size() - i));
            }
            catch (final IOException ex)
            {
                broken.add(setup.label() + " broke off: " + ex.getMessage());
                out.println(broken.get(broken.size() - 1));
            }
        }
        notes.addAll(broken);
        write();
        if (!broken.isEmpty())
        {
            throw new IOException(String.join("; ", broken));
        }
    }

    private long passedMs()
    {
        return (System.nanoTime() - startNs) / NS_PER_MS;
    }

    private long leftMs()
    {
        return Math.max(0, options.report().budgetSeconds() * MS_PER_S - passedMs());
    }

    private void measure(final ExchangeSetup setup, final long untilMs) throws IOException
    {
        try (ExchangePair pair = ExchangePair.open(options, setup, rival, out))
        {
            if (!pair.whyAlone().isEmpty())
            {
                notes.add(setup.label() + " " + pair.whyAlone());
            }
            final ExchangePlan plan = options.plan(0, options.commands(setup));
            warmUp(pair, plan, untilMs);
            final List<List<ExchangeRound>> rounds = new ArrayList<>();
            pair.contenders().forEach(contender -> rounds.add(new ArrayList<>()));
            try
            {
                turns(pair, plan, rounds, untilMs);
            }
            finally
            {
                // Of what breaks off the rounds that ended are told, too.
                if (!rounds.get(0).isEmpty())
                {
                    results.add(summaries(setup, pair, rounds));
                }
            }
        }
    }

    private void turns(
        final ExchangePair pair, final ExchangePlan plan, final List<List<ExchangeRound>> rounds, final long untilMs)
        throws IOException
    {
        long turnMs = 0;
        for (int i = 1; i <= options.report().rounds(); i++)
        {
            final long beforeMs = passedMs();
            if (i > 1 && beforeMs + turnMs > untilMs)
            {
                notes.add(pair.flow().setup().label() + ": the time budget allows " + (i - 1) + " of " +
                    options.report().rounds() + " rounds");
                return;
            }
            turn(pair, plan, rounds, i);
            turnMs = passedMs() - beforeMs;
        }
    }

    private void warmUp(final ExchangePair pair, final ExchangePlan plan, final long untilMs) throws IOException
    {
        for (final ExchangeContender contender : pair.contenders())
        {
            // At most a third of the time is for this.
            final long enoughMs = passedMs() + (untilMs - passedMs()) / 3 / pair.contenders().size();
            for (int i = 0; i < WARM_UPS && (i == 0 || passedMs() < enoughMs); i++)
            {
                contender.round(plan, "warm-up");
            }
        }
    }

    private void turn(
        final ExchangePair pair, final ExchangePlan plan, final List<List<ExchangeRound>> rounds, final int number)
        throws IOException
    {
        final StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%s round %d/%d",
            pair.flow().setup().label(), number, options.report().rounds()));
        for (int j = 0; j < pair.contenders().size(); j++)
        {
            final ExchangeContender contender = pair.contenders().get(j);
            final ExchangeRound round = contender.round(plan, "round " + number);
            rounds.get(j).add(round);
            line.append(String.format(Locale.ROOT, "   %s %.2f M/s steal %s %%", contender.name(),
                round.achievedPerSecond() / 1e6, ReportTable.percent(round.steal())));
            if (j == 0)
            {
                header.placement(round.placement());
            }
        }
        out.println(line);
    }

    private List<ThroughputSummary> summaries(
        final ExchangeSetup setup, final ExchangePair pair, final List<List<ExchangeRound>> rounds)
    {
        final RoundPlan plan = options.report().plan(new Rate(Rate.MIN_PER_SECOND));
        final List<ThroughputSummary> summaries = new ArrayList<>();
        // Ours runs first in a turn, so that only the other one may have no round.
        for (int j = 0; j < rounds.size() && !rounds.get(j).isEmpty(); j++)
        {
            summaries.add(new ThroughputSummary(
                setup, pair.contenders().get(j).name(), rounds.get(j), plan, host.onlineCpus()));
        }
        return summaries;
    }

    private void write() throws IOException
    {
        final List<String> text = new ArrayList<>(header.lines());
        text.add("");
        text.addAll(ThroughputTable.text(results, notes));
        final Path dir = options.report().dir();
        Files.write(dir.resolve("run.txt"), text, StandardCharsets.UTF_8);
        Files.write(dir.resolve("rounds.csv"), ThroughputTable.rounds(results), StandardCharsets.UTF_8);
        out.println();
        text.forEach(out::println);
        out.println("Written: " + dir.toAbsolutePath().normalize() + " (run.txt, rounds.csv)");
    }
}

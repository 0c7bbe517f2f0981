package io.millrace.benchmarks.exchange;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.millrace.benchmarks.rate.ContenderMain;
import io.millrace.benchmarks.rate.ContenderProcess;
import io.millrace.benchmarks.rate.HiccupRound;
import io.millrace.benchmarks.rate.HostFiles;
import io.millrace.benchmarks.rate.PathSummary;
import io.millrace.benchmarks.rate.Quantile;
import io.millrace.benchmarks.rate.Rate;
import io.millrace.benchmarks.rate.RateSummary;
import io.millrace.benchmarks.rate.ReportTable;
import io.millrace.benchmarks.rate.RoundPlan;
import io.millrace.benchmarks.rate.RoundResult;
import io.millrace.benchmarks.rate.WireLine;
import io.millrace.benchmarks.rate.WrongAnswerException;

/**
 * order-latency: our exchange and another one at rising rates, in turns, each until its median latency passes ten
 * milliseconds; then the highest rate that each carries. One thread, which sleeps while a contender runs.
 */
public final class LatencyReport
{
    private static final int MAX_ATTEMPTS = 4;
    private static final long HICCUP_PER_SECOND = 1_000_000;
    // The books' code is compiled to its end only after some ten million commands.
    private static final int WARM_UPS = 4;
    // What a search may take of each contender, and writing the files after it.
    private static final long SEARCH_MS = 25_000;
    // Five short rounds of at most 0.7 s and what is around them.
    private static final long SEARCH_STEP_MS = 5_000;
    private static final long MS_PER_S = 1_000;
    private static final long NS_PER_MS = 1_000_000;

    private final long startNs = System.nanoTime();
    private final ExchangeOptions options;
    private final HostFiles host;
    private final PrintStream out;
    private final ExchangeRival rival = ExchangeRival.find();
    private final ExchangeHeader header;
    private final List<RateSummary> results = new ArrayList<>();
    private final List<String> stable = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private List<ExchangeContender> contenders;
    private ContenderProcess meter;
    // Why it broke off; empty while it did not.
    private String broken = "";
    // What a turn of all contenders took when it last ran.
    private long turnMs;

    /**
     * A report.
     *
     * @param options checked settings.
     * @param host    where to read the host.
     * @param out     for people.
     */
    public LatencyReport(final ExchangeOptions options, final HostFiles host, final PrintStream out)
    {
        this.options = options;
        this.host = host;
        this.out = out;
        header = new ExchangeHeader("Millrace order-latency", options, host, rival);
        turnMs = 2L * options.report().roundMs();
    }

    /**
     * Run it.
     *
     * @throws IOException          when an exchange breaks or a file cannot be written. The rates that were measured
     *                              until then are written.
     * @throws WrongAnswerException when the answer of an exchange is wrong.
     */
    public void run() throws IOException
    {
        final LatencyFiles files = new LatencyFiles(options.report().dir());
        files.clear();
        header.lines().subList(0, 2).forEach(out::println);
        try (ContenderProcess hostMeter = ContenderProcess.start(ContenderMain.HOST, "");
            ExchangePair pair = ExchangePair.open(options, options.setups().get(0), rival, out))
        {
            meter = hostMeter;
            contenders = new ArrayList<>(pair.contenders());
            if (!pair.whyAlone().isEmpty())
            {
                notes.add(pair.whyAlone());
            }
            warmUp();
            out.println("host floors: " + header.floors(meter.ask(new WireLine("floors")
                .put("cpuA", options.report().sourceCpu()).put("cpuB", options.report().handlerCpu()))));
            measureAndSearch(pair);
        }
        write(files);
        if (!broken.isEmpty())
        {
            throw new IOException(broken);
        }
    }

    private void measureAndSearch(final ExchangePair pair) throws IOException
    {
        try
        {
            measure();
            for (final ExchangeContender contender : pair.contenders())
            {
                search(contender);
            }
        }
        catch (final IOException ex)
        {
            if (results.isEmpty())
            {
                throw ex;
            }
            broken = String.valueOf(ex.getMessage());
            note("broke off: " + broken);
        }
    }

    private void write(final LatencyFiles files) throws IOException
    {
        final List<String> text = LatencyTable.text(results, stable, notes);
        files.write(header, results, text);
        out.println();
        header.lines().forEach(out::println);
        out.println();
        text.forEach(out::println);
        out.println("Written: " + options.report().dir().toAbsolutePath().normalize() + " (" +
            String.join(", ", files.names(results)) + ")");
    }

    private void warmUp() throws IOException
    {
        out.println("warming up");
        for (final ExchangeContender contender : contenders)
        {
            for (int i = 0; i < WARM_UPS; i++)
            {
                contender.round(options.plan(0, commands()), "warm-up");
            }
            // Shows the code the waiting, and the schedule.
            for (final long perSecond : new long[] {200_000, 1_000_000})
            {
                round(contender, perSecond, "warm-up");
            }
        }
        hiccup();
    }

    private void measure() throws IOException
    {
        final List<Rate> rates = options.report().rates();
        for (int i = 0; i < rates.size() && !contenders.isEmpty(); i++)
        {
            final int rounds = affordable(rates.size() - i);
            if (rounds == 0)
            {
                note("the time budget ends before " + rates.get(i).label() + "/s");
                return;
            }
            final RateSummary summary = withRepeats(rates.get(i), rounds, rates.size() - i - 1);
            results.add(summary);
            dropOut(summary);
        }
    }

    /** How many rounds each of the rates that are left may have. */
    private int affordable(final int ratesLeft)
    {
        final long forRates = leftMs() - SEARCH_MS * contenders.size();
        final long rounds = forRates / ratesLeft / Math.max(1, turnMs);
        return (int)Math.max(forRates > turnMs ? 1 : 0, Math.min(options.report().rounds(), rounds));
    }

    private long leftMs()
    {
        return options.report().budgetSeconds() * MS_PER_S - (System.nanoTime() - startNs) / NS_PER_MS;
    }

    private void note(final String line)
    {
        notes.add(line);
        out.println(line);
    }

    private RateSummary withRepeats(final Rate rate, final int rounds, final int othersLeft) throws IOException
    {
        RateSummary best = null;
        for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++)
        {
            final RateSummary summary = once(rate, rounds);
            if (best == null || summary.valid() || summary.clean() > best.clean())
            {
                best = summary;
            }
            final boolean again = !summary.valid() && attempt < MAX_ATTEMPTS &&
                leftMs() > turnMs * rounds * (1 + othersLeft) + SEARCH_MS * contenders.size();
            if (!summary.valid())
            {
                note(rate.label() + " attempt " + attempt + " is INVALID (" + summary.invalid() + "), " +
                    (again ? "run again" : "not run again"));
            }
            if (!again)
            {
                break;
            }
        }
        return best;
    }

    private RateSummary once(final Rate rate, final int rounds) throws IOException
    {
        final List<List<RoundResult>> results = new ArrayList<>();
        contenders.forEach(contender -> results.add(new ArrayList<>()));
        final List<HiccupRound> hiccups = new ArrayList<>();
        for (int i = 1; i <= rounds; i++)
        {
            final long beforeMs = System.currentTimeMillis();
            final StringBuilder line =
                new StringBuilder(String.format(Locale.ROOT, "%5s/s round %d/%d", rate.label(), i, rounds));
            for (int j = 0; j < contenders.size(); j++)
            {
                final RoundResult round = round(contenders.get(j), rate.perSecond(), "round " + i);
                results.get(j).add(round);
                line.append(String.format(Locale.ROOT, "   %s p50 %-7s p99 %-7s steal %s %%", contenders.get(j).name(),
                    Quantile.text(Quantile.of(round.intended(), 50.0)),
                    Quantile.text(Quantile.of(round.intended(), 99.0)), ReportTable.percent(round.steal())));
            }
            hiccups.add(hiccup());
            out.println(line);
            turnMs = System.currentTimeMillis() - beforeMs;
        }
        final List<PathSummary> paths = new ArrayList<>();
        for (int j = 0; j < contenders.size(); j++)
        {
            paths.add(new PathSummary(contenders.get(j).name(), rate, results.get(j), host.onlineCpus()));
        }
        return new RateSummary(rate, paths, hiccups);
    }

    private RoundResult round(final ExchangeContender contender, final long perSecond, final String which)
        throws IOException
    {
        final RoundPlan plan = plan(perSecond);
        final ExchangeRound round =
            contender.round(options.plan(perSecond, (int)Math.max(1, plan.events())), which);
        if (contender.name().equals(ExchangeContender.OURS))
        {
            header.placement(round.placement());
        }
        return ExchangeJudge.result(round, plan);
    }

    private int commands()
    {
        return options.commands(options.setups().get(0));
    }

    /** A full round, or a shorter one where the flow has no more commands. */
    private RoundPlan plan(final long perSecond)
    {
        final long roundMs = Math.min(options.report().roundMs(), commands() * MS_PER_S / perSecond);
        return options.report().plan(new Rate(perSecond)).at(perSecond, Math.max(1, roundMs));
    }

    private HiccupRound hiccup() throws IOException
    {
        // Half as long as a round: at a million a second that is samples enough, and it leaves time for the contenders.
        return HiccupRound.from(meter.ask(options.report().plan(new Rate(HICCUP_PER_SECOND))
            .at(HICCUP_PER_SECOND, Math.max(1, options.report().roundMs() / 2)).toLine("hiccup")));
    }

    /** Higher rates tell nothing new of a contender whose median has passed the limit. */
    private void dropOut(final RateSummary summary)
    {
        for (final PathSummary path : summary.paths())
        {
            // A median that the host has spoiled says nothing of the contender.
            if (path.verdict().valid() && !(Quantile.of(path.intended(), 50.0) < StableRate.MAX_P50_NS))
            {
                contenders.removeIf(contender -> contender.name().equals(path.name()));
                out.println(path.name() + ": its median has passed 10 ms at " + summary.rate().label() + "/s");
            }
        }
    }

    private void search(final ExchangeContender contender) throws IOException
    {
        long carried = 0;
        long missed = 0;
        for (final RateSummary summary : results)
        {
            for (final PathSummary path : summary.paths())
            {
                final long rate = summary.rate().perSecond();
                if (path.name().equals(contender.name()) && StableRate.carried(
                    rate, path.achievedPerSecond(), Quantile.of(path.intended(), 50.0)))
                {
                    carried = Math.max(carried, rate);
                }
                else if (path.name().equals(contender.name()) && path.verdict().valid())
                {
                    missed = rate;
                }
            }
        }
        final StableRate search = new StableRate(
            perSecond -> round(contender, perSecond, "search"), () -> leftMs() >= SEARCH_STEP_MS);
        stable.add(contender.name() + ": highest stable rate " +
            search.between(carried, missed > carried ? missed : 0));
        out.println(stable.get(stable.size() - 1));
    }
}

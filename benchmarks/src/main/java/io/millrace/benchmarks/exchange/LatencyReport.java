package io.millrace.benchmarks.exchange;

import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.HostMeter;
import io.millrace.benchmarks.harness.Paragraphs;
import io.millrace.benchmarks.harness.PathSummary;
import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.Rate;
import io.millrace.benchmarks.harness.RateFiles;
import io.millrace.benchmarks.harness.RateRounds;
import io.millrace.benchmarks.harness.RateSearch;
import io.millrace.benchmarks.harness.RateSummary;
import io.millrace.benchmarks.harness.Repeats;
import io.millrace.benchmarks.harness.ReportFolder;
import io.millrace.benchmarks.harness.RunHeader;
import io.millrace.benchmarks.harness.RunOptions;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs order-latency from the first line to the last: both exchanges at one rate after the other, their rounds
 * interleaved, and then the search for the highest rate that each carries. One thread, which sleeps while a contender
 * runs.
 */
public final class LatencyReport
{
    /** Median latency at which the published benchmark ends. */
    private static final long MAX_P50_NS = 10_000_000;
    /** Resolution of the search for the highest rate, in commands per second. */
    private static final long STEP = 100_000;
    // The books' code is compiled to its end only after some ten million commands.
    private static final int WARM_UPS = 4;
    // Time for the search of each contender, and for writing the files after it.
    private static final long SEARCH_MS = 25_000;
    // Five short rounds of at most 0.7 s and what is around them.
    private static final long SEARCH_STEP_MS = 5_000;
    private static final long MS_PER_S = 1_000;

    private final ExchangeOptions options;
    private final RunOptions run;
    private final PrintStream out;
    private final ExchangeRival rival = ExchangeRival.find();
    private final RunHeader header;
    private final Repeats repeats;
    private final List<RateSummary> results = new ArrayList<>();
    private final List<String> stable = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private List<ExchangeContender> contenders;
    private HostMeter meter;
    // Why it broke off; empty while it did not.
    private String broken = "";
    // Duration of the last round of all contenders.
    private long roundOfAllMs;

    /**
     * A report.
     *
     * @param options checked settings.
     * @param out     for people.
     */
    public LatencyReport(final ExchangeOptions options, final PrintStream out)
    {
        this.options = options;
        run = options.run();
        this.out = out;
        header = ExchangeHeader.of("Millrace order-latency", options, rival);
        repeats = new Repeats(run.budgetSeconds(), this::note);
        roundOfAllMs = 2L * run.roundMs();
    }

    /**
     * Run it.
     *
     * @throws IOException when a contender breaks or a file cannot be written; what was measured before is written.
     */
    public void run() throws IOException
    {
        final ReportFolder folder = new ReportFolder(
            run.dir(), "{,*_}order_latency_*.hgrm", "{hiccup.hgrm,run.txt,latency.svg}");
        header.begin(out, Math.min(run.budgetSeconds(),
            60 + run.seconds(2.5 * options.rates().size() * run.rounds(), 500)));
        try (HostMeter child = new HostMeter(List.of(), run.sourceCpu(), run.handlerCpu());
            ExchangePair pair = ExchangePair.open(options, options.setups().get(0), rival, out))
        {
            meter = child;
            contenders = new ArrayList<>(pair.contenders);
            if (!pair.whyAlone().isEmpty())
            {
                notes.add(pair.whyAlone());
            }
            warmUp();
            out.println(header.baseline(meter));
            measureAndSearch(pair);
        }
        write(folder);
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
            for (final ExchangeContender contender : searched(pair.contenders))
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

    /** With a journal the rates are compared, and no highest one is searched: the disk decides it. */
    private List<ExchangeContender> searched(final List<ExchangeContender> all)
    {
        return options.journals().isEmpty() ? all : List.of();
    }

    private void write(final ReportFolder folder) throws IOException
    {
        final List<String> text = LatencyTable.text(results, stable, notes);
        RateFiles.write(folder, header, results, LatencyTable.withRounds(text, results), path ->
            (path.name().equals(ExchangeContender.OURS) ? "" : path.name() + "_") + "order_latency_" +
                path.rate().label(), false);
        folder.write("latency.svg",
            RatePlot.svg(header.subtitles("set-up " + options.setups().get(0).label()), results));
        folder.print(out, new Paragraphs().add("", header.lines()).add("", text).lines());
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
                final String placement = contender.round(perSecond, roundMs(perSecond), "warm-up").placement();
                if (contender.name().equals(ExchangeContender.OURS))
                {
                    header.placement(placement);
                }
            }
        }
        meter.hiccup(run.roundMs() / 2);
    }

    private void measure() throws IOException
    {
        final List<Rate> rates = options.rates();
        for (int i = 0; i < rates.size() && !contenders.isEmpty(); i++)
        {
            final Rate rate = rates.get(i);
            final int rounds = affordable(rates.size() - i);
            if (rounds == 0)
            {
                note("the time budget ends before " + rate.label() + "/s");
                return;
            }
            final int roundMs = (int)roundMs(rate.perSecond());
            final RateSummary summary = repeats.run(rate.label(), rates.size() - i - 1,
                SEARCH_MS * searched(contenders).size(), () ->
                {
                    final long beforeMs = System.currentTimeMillis();
                    final RateSummary attempt =
                        new RateRounds(out, meter, HostFiles.HERE.onlineCpus(), roundMs)
                            .measure(rate, rounds, contenders);
                    roundOfAllMs = (System.currentTimeMillis() - beforeMs) / rounds;
                    return attempt;
                }).kept();
            results.add(summary);
            out.println(header.baseline(meter));
            dropOut(summary);
        }
    }

    /** Number of rounds that each remaining rate may have. */
    private int affordable(final int ratesLeft)
    {
        final long forRates = repeats.leftMs() - SEARCH_MS * searched(contenders).size();
        final long rounds = forRates / ratesLeft / Math.max(1, roundOfAllMs);
        return (int)Math.max(forRates > roundOfAllMs ? 1 : 0, Math.min(run.rounds(), rounds));
    }

    private void note(final String line)
    {
        notes.add(line);
        out.println(line);
    }

    private int commands()
    {
        return options.commands(options.setups().get(0));
    }

    /** A full round, or a shorter one where the flow has no more commands. */
    private long roundMs(final long perSecond)
    {
        return Math.max(1, Math.min(run.roundMs(), commands() * MS_PER_S / perSecond));
    }

    /** Higher rates add nothing about a contender whose median has passed the limit. */
    private void dropOut(final RateSummary summary)
    {
        for (final PathSummary path : summary.paths())
        {
            // A median that the host has spoiled says nothing of the contender.
            if (path.series().isValid() && !(Quantile.of(path.intended(), 50.0) < MAX_P50_NS))
            {
                contenders.removeIf(contender -> contender.name().equals(path.name()));
                out.println(path.name() + ": its median has passed 10 ms at " + summary.rate().label() + "/s");
            }
        }
    }

    private void search(final ExchangeContender contender) throws IOException
    {
        final RateSearch search = new RateSearch(MAX_P50_NS,
            perSecond -> contender.round(perSecond, roundMs(perSecond), "search"),
            () -> repeats.leftMs() >= SEARCH_STEP_MS);
        long carried = 0;
        long missed = 0;
        for (final RateSummary summary : results)
        {
            final long rate = summary.rate().perSecond();
            for (final PathSummary path : summary.paths())
            {
                final boolean isOwn = path.name().equals(contender.name());
                if (isOwn && search.isCarried(rate, path.achievedPerSecond(), Quantile.of(path.intended(), 50.0)))
                {
                    carried = Math.max(carried, rate);
                }
                else if (isOwn && path.series().isValid())
                {
                    missed = rate;
                }
            }
        }
        stable.add(contender.name() + ": highest stable rate: " +
            search.between(carried, missed > carried ? missed : 0, STEP));
        out.println(stable.get(stable.size() - 1));
    }
}

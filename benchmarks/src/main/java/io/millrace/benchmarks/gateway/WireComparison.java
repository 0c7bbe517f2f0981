package io.millrace.benchmarks.gateway;

import io.millrace.benchmarks.harness.Figure;
import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.Rate;
import io.millrace.benchmarks.harness.ReportFolder;
import io.millrace.benchmarks.harness.RunHeader;
import io.millrace.benchmarks.harness.RunOptions;
import io.millrace.benchmarks.harness.TextTable;
import io.millrace.server.metrics.HgrmWriter;
import org.HdrHistogram.Histogram;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The gateway beside a bare path with the same work: interleaved rounds at each rate, and the highest rate of both
 * without loss. One thread.
 *
 * @param run    rounds and their length.
 * @param folder of the percentile files.
 * @param header of the report.
 * @param what   the rates are of, in front of a line of the header; possibly empty.
 * @param bare   name of the other path.
 * @param prefix of the percentile files.
 * @param path   runs a round.
 */
record WireComparison(
    RunOptions run, ReportFolder folder, RunHeader header, String what, String bare, String prefix, Path path)
{
    private static final double ACHIEVED = 0.99;

    /** Two spinning receivers would share one CPU, so each round starts and ends its path. */
    @FunctionalInterface
    interface Path
    {
        WireRounds.Round round(boolean isBare, long count, long perSecond) throws IOException;
    }

    /**
     * Measure.
     *
     * @param table    with a line for each path and rate.
     * @param withCpu  whether it has the columns of CPU and bytes.
     * @param rates    those asked for.
     * @param search   rising rates, of which the highest without loss is added.
     * @param searchMs length of a round of the search.
     * @throws IOException when a file or a socket fails.
     */
    void run(
        final TextTable table, final boolean withCpu, final List<Rate> rates, final long[] search, final int searchMs)
        throws IOException
    {
        for (final Rate rate : rates)
        {
            compare(table, withCpu, rate.label(), rate.perSecond());
        }
        final long highest = highest(false, search, searchMs);
        final long bareHighest = highest(true, search, searchMs);
        header.add(what + "highest rate without loss, in steps: gateway " + step(highest) + ", " + bare + " " +
            step(bareHighest));
        if (Math.min(highest, bareHighest) > 0)
        {
            compare(table, withCpu, "max", Math.min(highest, bareHighest));
        }
    }

    private static String step(final long highest)
    {
        return highest == 0 ? "not even the lowest" : Figure.rate(highest);
    }

    private void compare(final TextTable table, final boolean withCpu, final String name, final long perSecond)
        throws IOException
    {
        final List<WireRounds> paths = List.of(new WireRounds("gateway"), new WireRounds(bare));
        final long count = Math.max(1, perSecond * run.roundMs() / 1_000);
        for (int i = 0; i < 2 * run.rounds(); i++)
        {
            // A B B A A B: each path runs first in every other round.
            final boolean isBare = (i + 1 & 2) != 0;
            paths.get(isBare ? 1 : 0).series.add(path.round(isBare, count, perSecond));
        }
        for (final WireRounds each : paths)
        {
            final boolean isBare = each == paths.get(1);
            final Histogram wire = each.series.merged(WireRounds.Round::wire);
            final List<String> cells = new ArrayList<>(List.of(name, each.name,
                Figure.rate(each.series.median(WireRounds.Round::achieved)),
                each.count(WireRounds.Round::sent), each.count(WireRounds.Round::missing), each.clean(),
                Quantile.text(wire, 50), Quantile.text(wire, 90), Quantile.text(wire, 99), Quantile.text(wire, 99.9),
                Quantile.text(wire.getMaxValue()), isBare ? "1.00" : each.ratioTo(paths.get(1), 50)));
            if (withCpu)
            {
                cells.add(each.cpu());
                cells.add(Long.toString(
                    each.series.rounds().stream().mapToLong(WireRounds.Round::bytes).max().orElse(-1)));
            }
            table.add(cells);
            HgrmWriter.write(folder.file(prefix + (isBare ? "bare_" : "gateway_") + name + ".hgrm"), header.lines(),
                wire);
        }
    }

    private long highest(final boolean isBare, final long[] search, final int searchMs) throws IOException
    {
        long best = 0;
        for (final long perSecond : search)
        {
            final WireRounds.Round round = path.round(isBare, perSecond * searchMs / 1_000, perSecond);
            if (round.missing() > 0 || round.achieved() < ACHIEVED * perSecond)
            {
                return best;
            }
            best = perSecond;
        }
        return best;
    }
}

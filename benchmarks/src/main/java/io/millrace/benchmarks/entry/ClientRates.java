package io.millrace.benchmarks.entry;

import io.millrace.benchmarks.harness.Chart;
import io.millrace.benchmarks.harness.Chart.Line;
import io.millrace.benchmarks.harness.Chart.Stroke;
import io.millrace.benchmarks.harness.Figure;
import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.RateChart;
import io.millrace.benchmarks.harness.ReportFolder;
import io.millrace.benchmarks.harness.RunHeader;
import io.millrace.benchmarks.harness.Series;
import io.millrace.benchmarks.harness.TextTable;
import io.millrace.exchange.session.SessionContext;
import io.millrace.journal.Durability;
import io.millrace.server.metrics.LatencyRecorder;
import org.HdrHistogram.Histogram;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Finds the highest stable rate of an exchange with one agent, by the number of its clients, not forced and durable.
 * All clients are on one thread. A rate is stable if two of up to five rounds achieve 99 % of it with a median below
 * 10 ms. A set-up is not measured beyond its first rate that is not stable.
 */
record ClientRates(Path folder, int rounds, long roundNs)
{
    static final String PICTURE = "clients.svg";
    /** Of each set-up and rate, for the duration of the report: a set-up ends long before the last rate. */
    static final int ROUNDS = 6 * 5;
    private static final long[] RATES = {20_000, 40_000, 80_000, 100_000, 125_000, 160_000, 200_000, 250_000, 320_000,
        400_000, 500_000, 640_000, 800_000, 1_000_000};
    private static final int[] CLIENTS = {1, 8, 64};
    private static final long MAX_P50_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int AGREEING = 2;
    private static final int MAX_ROUNDS = 5;
    private static final double WIDE = 2.4;

    /** A number of clients and a durability. */
    private static final class Setup
    {
        private final int clients;
        private final Durability durability;
        private final Line line;
        private long stable;
        private boolean hasEnded;
        /** At the highest stable rate. */
        private Histogram latencies = LatencyRecorder.newHistogram();
        private Histogram next = LatencyRecorder.newHistogram();
        private int achieved;

        Setup(final int clients, final Durability durability, final int colour)
        {
            this.clients = clients;
            this.durability = durability;
            line = new Line(new Stroke(Chart.COLOURS.get(colour), WIDE, isDurable() ? Stroke.DASHED : ""),
                new ArrayList<>());
        }

        private boolean isDurable()
        {
            return durability == Durability.EVERY_BATCH;
        }

        @Override
        public String toString()
        {
            return clients + (clients == 1 ? " client" : " clients") + (isDurable() ? ", durable" : "");
        }
    }

    ClientRates
    {
        rounds = Math.min(rounds, MAX_ROUNDS);
    }

    List<String> run(final RunHeader header, final ReportFolder files) throws IOException
    {
        final List<Setup> setups = new ArrayList<>();
        for (final Durability durability : new Durability[] {Durability.OS_CACHE, Durability.EVERY_BATCH})
        {
            for (int i = 0; i < CLIENTS.length; i++)
            {
                setups.add(new Setup(CLIENTS[i], durability, i));
            }
        }
        for (final Setup setup : setups)
        {
            round(setup, RATES[0]);
        }
        final List<Long> rates = new ArrayList<>();
        for (final long rate : RATES)
        {
            if (setups.stream().anyMatch(setup -> !setup.hasEnded))
            {
                rates.add(rate);
                measure(rate, setups);
            }
        }
        final TextTable table = new TextTable(1, "clients", "highest stable rate", "p50", "p90", "p99");
        final Map<String, Line> lines = new LinkedHashMap<>();
        for (final Setup setup : setups)
        {
            table.add(setup.toString(), Figure.rate(setup.stable) + "/s", Quantile.text(setup.latencies, 50),
                Quantile.text(setup.latencies, 90), Quantile.text(setup.latencies, 99));
            lines.put(setup + ": " + Figure.rate(setup.stable) + "/s", setup.line);
        }
        files.write(PICTURE, RateChart.svg("Order to answer over loopback, median; the highest stable rates",
            header.subtitles("one agent; dashed: forced before the answer"), rates, lines));
        return table.lines();
    }

    private void measure(final long rate, final List<Setup> setups) throws IOException
    {
        for (final Setup setup : setups)
        {
            setup.next = LatencyRecorder.newHistogram();
            setup.achieved = 0;
        }
        for (int i = 0; i < rounds; i++)
        {
            for (final Setup setup : setups)
            {
                if (!setup.hasEnded && setup.achieved < AGREEING)
                {
                    setup.achieved += round(setup, rate) ? 1 : 0;
                }
            }
        }
        for (final Setup setup : setups)
        {
            if (!setup.hasEnded)
            {
                setup.hasEnded = setup.achieved < Math.min(AGREEING, rounds);
                setup.line.points().add(new double[] {rate, setup.next.getValueAtPercentile(50)});
                setup.stable = setup.hasEnded ? setup.stable : rate;
                setup.latencies = setup.hasEnded ? setup.latencies : setup.next;
            }
        }
    }

    private boolean round(final Setup setup, final long rate) throws IOException
    {
        try (EntryPath path = new OrderPath(setup.toString(), EntryMeasurement.fresh(folder), setup.durability, 1,
            setup.clients, new SessionContext()))
        {
            path.round(rate, roundNs / 2);
            final EntryRound one = path.round(rate, roundNs);
            setup.next.add(one.latencies());
            return one.answersPerSecond() >= Series.MIN_ACHIEVED * rate && one.ns(50) < MAX_P50_NS;
        }
    }
}

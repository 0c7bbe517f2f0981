package io.millrace.benchmarks.gateway;

import io.millrace.benchmarks.harness.HiccupMeter;
import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.RunOptions;
import io.millrace.benchmarks.harness.TextTable;
import io.millrace.benchmarks.harness.WrongAnswerException;
import io.millrace.gateway.BboEvent;
import io.millrace.server.InVmSource;
import io.millrace.server.metrics.LatencyRecorder;
import org.HdrHistogram.Histogram;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * From the publication of an event to the read of nine clients: alone, beside a tenth that has stopped reading, and
 * beside a tenth that reads. The rounds are interleaved, each with a gateway of its own.
 */
record StalledClient(RunOptions options)
{
    private static final int READING = 9;
    private static final long PER_SECOND = 2_000;
    private static final int WARM_UP = 5_000;
    /** Until the tenth client's socket and queue are full; they take some 3,000. */
    private static final int MAX_FILL = 200_000;
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(5);

    private enum Tenth
    {
        NONE("nine clients"), STALLED("and a tenth that is stalled"), READS("and a tenth that reads");

        private final WireRounds rounds;

        Tenth(final String label)
        {
            rounds = new WireRounds(label);
        }
    }

    List<String> run() throws IOException
    {
        final Histogram hiccups = LatencyRecorder.newHistogram();
        final Tenth[] all = Tenth.values();
        for (final Tenth tenth : all)
        {
            round(tenth);
        }
        for (int i = 0; i < options.rounds(); i++)
        {
            hiccups.add(HiccupMeter.measure(
                PER_SECOND * 5, options.roundMs(), options.sourceCpu(), options.handlerCpu()));
            for (int k = 0; k < all.length; k++)
            {
                final Tenth tenth = all[(i + k) % all.length];
                tenth.rounds.series.add(round(tenth));
            }
        }
        final TextTable table = new TextTable(1, PER_SECOND + "/s to", "events", "clean", "p50", "p90", "p99", "max",
            "p90 to nine", "p90 to ten reading");
        for (final Tenth tenth : all)
        {
            final Histogram sum = tenth.rounds.series.merged(WireRounds.Round::wire);
            table.add(tenth.rounds.name, tenth.rounds.count(WireRounds.Round::sent), tenth.rounds.clean(),
                Quantile.text(sum, 50), Quantile.text(sum, 90), Quantile.text(sum, 99),
                Quantile.text(sum.getMaxValue()), tenth.rounds.ratioTo(Tenth.NONE.rounds, 90),
                tenth.rounds.ratioTo(Tenth.READS.rounds, 90));
        }
        table.add("hiccups of the host", "", "", Quantile.text(hiccups, 50), Quantile.text(hiccups, 90),
            Quantile.text(hiccups, 99), Quantile.text(hiccups.getMaxValue()), "", "");
        return table.lines();
    }

    private WireRounds.Round round(final Tenth tenth) throws IOException
    {
        final InVmSource<BboEvent> source = new InVmSource<>(BboEvent::new, 1_024);
        final LineFeed feed = new LineFeed();
        final List<LineClient> clients = new ArrayList<>();
        try (TcpPath.Gateway gateway = TcpPath.Gateway.fromThread(source, options.handlerCpu()))
        {
            final TcpRound.Outlet outlet = lineLength -> publish(source, feed.event);
            final int count = tenth == Tenth.NONE ? READING : READING + 1;
            for (int i = 0; i < count; i++)
            {
                clients.add(new LineClient(feed, gateway.tcpPort()));
            }
            gateway.awaitClients(count);
            TcpRound.warmUp(feed, clients, outlet, WARM_UP);
            final List<LineClient> nine = clients.subList(0, READING);
            final List<LineClient> reading = tenth == Tenth.STALLED ? nine : clients;
            while (tenth == Tenth.STALLED && gateway.counter("merged") == 0)
            {
                TcpRound.warmUp(feed, nine, outlet, 1);
                if (feed.count() > MAX_FILL)
                {
                    throw new WrongAnswerException("the tenth client is not stalled after " + MAX_FILL + " events");
                }
            }
            final WireRounds.Round result =
                TcpRound.run(feed, reading, nine, outlet, PER_SECOND * options.roundMs() / 1_000, PER_SECOND);
            reading.forEach(LineClient::checkComplete);
            check(gateway, feed, clients, tenth == Tenth.STALLED);
            return result;
        }
        finally
        {
            for (final LineClient client : clients)
            {
                client.close();
            }
        }
    }

    private static boolean publish(final InVmSource<BboEvent> source, final BboEvent event)
    {
        final BboEvent claimed = source.claim();
        return claimed != null && source.publish(claimed.copyOf(event));
    }

    /** What the stalled client did not get is counted; when it reads again, it has the newest event of each symbol. */
    private static void check(
        final TcpPath.Gateway gateway, final LineFeed feed, final List<LineClient> clients, final boolean stalled)
        throws IOException
    {
        final LineClient last = clients.get(clients.size() - 1);
        final long untilNs = System.nanoTime() + DRAIN_NS;
        while (!last.isCurrent() && System.nanoTime() < untilNs)
        {
            last.poll();
        }
        final long queued = gateway.counter("queued");
        final long merged = gateway.counter("merged");
        final long lines = TcpRound.lines(clients);
        if (!last.isCurrent() || queued + merged != feed.count() * clients.size() ||
            lines != queued + gateway.counter("rows") || merged > 0 != stalled || gateway.counter("cutOff") > 0)
        {
            throw new WrongAnswerException(lines + " lines of " + feed.count() + " events: queued " + queued +
                ", left out " + merged + ", latest " + gateway.counter("rows"));
        }
    }
}

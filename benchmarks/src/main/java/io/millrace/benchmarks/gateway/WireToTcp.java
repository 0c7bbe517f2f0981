package io.millrace.benchmarks.gateway;

import io.millrace.benchmarks.harness.Figure;
import io.millrace.benchmarks.harness.HostFiles;
import io.millrace.benchmarks.harness.Quantile;
import io.millrace.benchmarks.harness.Rate;
import io.millrace.benchmarks.harness.ReportFolder;
import io.millrace.benchmarks.harness.RunHeader;
import io.millrace.benchmarks.harness.RunOptions;
import io.millrace.benchmarks.harness.TextTable;
import io.millrace.gateway.bbo.BboPacketCodec;
import io.millrace.gateway.bbo.PacketForm;
import io.millrace.pool.ByteView;
import io.millrace.server.metrics.HgrmWriter;
import io.millrace.server.metrics.LatencyRecorder;
import org.HdrHistogram.Histogram;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * From the intended send time of a UDP packet to the read of its line by one TCP client: the gateway, and a bare loop
 * that writes the same bytes. Each packet carries its line in front of its quote. The rounds are interleaved, each with
 * sockets of its own.
 */
final class WireToTcp
{
    private static final int WARM_UP = 5_000;
    private static final int FIRST_WARM_UP = 50_000;
    private static final long[] SEARCH = {125_000, 150_000, 175_000, 200_000, 250_000, 300_000, 400_000, 500_000};
    private static final double ACHIEVED = 0.99;
    private static final String[] NAMES = {"gateway", "bare loop"};

    private final RunOptions run;
    private final HostFiles host;
    private final ReportFolder folder;
    private final RunHeader header;
    private final TextTable table = new TextTable(2, "UDP to TCP", "path", "achieved", "sent", "lost", "clean", "p50",
        "p90", "p99", "p99.9", "max", "p50 to bare");

    WireToTcp(final RunOptions run, final HostFiles host, final ReportFolder folder, final RunHeader header)
    {
        this.run = run;
        this.host = host;
        this.folder = folder;
        this.header = header;
    }

    List<String> run(final List<Rate> rates) throws IOException
    {
        for (int which = 0; which < NAMES.length; which++)
        {
            round(which, FIRST_WARM_UP, 1, 1_000);
        }
        for (final Rate rate : rates)
        {
            compare(rate.label(), rate.perSecond());
        }
        final long highest = highest(0);
        final long bareHighest = highest(1);
        header.add("UDP to TCP, highest rate without loss, in steps: gateway " +
            GatewayMeasurement.step(highest) + ", bare loop " + GatewayMeasurement.step(bareHighest));
        if (Math.min(highest, bareHighest) > 0)
        {
            compare("max", Math.min(highest, bareHighest));
        }
        return table.lines();
    }

    private void compare(final String name, final long perSecond) throws IOException
    {
        final List<List<TcpRound>> rounds = List.of(new ArrayList<>(), new ArrayList<>());
        final long count = Math.max(1, perSecond * run.roundMs() / 1_000);
        for (int i = 0; i < run.rounds(); i++)
        {
            for (int k = 0; k < NAMES.length; k++)
            {
                final int which = (i + k) % NAMES.length;
                rounds.get(which).add(round(which, WARM_UP, count, perSecond));
            }
        }
        final double[] ratios = new double[run.rounds()];
        for (int i = 0; i < ratios.length; i++)
        {
            ratios[i] = (double)rounds.get(0).get(i).latency().getValueAtPercentile(50) /
                rounds.get(1).get(i).latency().getValueAtPercentile(50);
        }
        for (int which = 0; which < NAMES.length; which++)
        {
            final List<TcpRound> all = rounds.get(which);
            final List<TcpRound> clean = all.stream().filter(TcpRound::isClean).toList();
            final Histogram sum = LatencyRecorder.newHistogram();
            (clean.isEmpty() ? all : clean).forEach(round -> sum.add(round.latency()));
            table.add(name, NAMES[which],
                Figure.rate(Quantile.median(all.stream().mapToDouble(TcpRound::achieved).toArray())),
                Long.toString(all.stream().mapToLong(TcpRound::sent).sum()),
                Long.toString(all.stream().mapToLong(TcpRound::missing).sum()), clean.size() + "/" + all.size(),
                Quantile.text(sum, 50), Quantile.text(sum, 90), Quantile.text(sum, 99), Quantile.text(sum, 99.9),
                Quantile.text(sum.getMaxValue()),
                which == 0 ? Figure.two(Quantile.median(ratios)) : "1.00");
            final String file = String.format(Locale.ROOT, "tcp_%s_%s.hgrm", which == 0 ? "gateway" : "bare", name);
            HgrmWriter.write(folder.file(file), header.lines(), sum);
        }
    }

    private TcpRound round(final int which, final int warmUp, final long count, final long perSecond)
        throws IOException
    {
        final LineFeed feed = new LineFeed();
        try (TcpPath path = which == 0 ? TcpPath.Gateway.fromUdp(run.handlerCpu()) :
            new TcpPath.Bare(run.handlerCpu());
            LineClient client = new LineClient(feed, path.tcpPort());
            DatagramChannel channel = DatagramChannel.open())
        {
            channel.configureBlocking(false);
            channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), path.udpPort()));
            path.awaitClient();
            final TcpRound.Outlet outlet = outlet(feed, channel);
            final List<LineClient> clients = List.of(client);
            TcpRound.warmUp(feed, clients, outlet, warmUp);
            final TcpRound round = TcpRound.run(feed, clients, clients, outlet, count, perSecond, host);
            if (round.missing() == 0)
            {
                client.checkComplete();
            }
            return round;
        }
    }

    private static TcpRound.Outlet outlet(final LineFeed feed, final DatagramChannel channel)
    {
        final ByteBuffer packet = ByteBuffer.allocateDirect(1_024);
        final ByteView view = new ByteView(packet);
        final BboPacketCodec codec = new BboPacketCodec(PacketForm.EXTENDED);
        return lineLength ->
        {
            packet.clear();
            packet.put(feed.line(), 0, lineLength);
            packet.limit(lineLength + codec.encode(feed.event, view, lineLength)).position(0);
            return channel.write(packet) > 0;
        };
    }

    private long highest(final int which) throws IOException
    {
        long best = 0;
        for (final long perSecond : SEARCH)
        {
            final TcpRound round = round(which, WARM_UP, perSecond * run.roundMs() / 1_000, perSecond);
            if (round.missing() > 0 || round.achieved() < ACHIEVED * perSecond)
            {
                return best;
            }
            best = perSecond;
        }
        return best;
    }
}

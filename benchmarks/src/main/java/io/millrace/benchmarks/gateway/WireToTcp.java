package io.millrace.benchmarks.gateway;

import io.millrace.benchmarks.harness.Rate;
import io.millrace.benchmarks.harness.ReportFolder;
import io.millrace.benchmarks.harness.RunHeader;
import io.millrace.benchmarks.harness.RunOptions;
import io.millrace.benchmarks.harness.TextTable;
import io.millrace.gateway.bbo.BboPacketCodec;
import io.millrace.gateway.bbo.PacketForm;
import io.millrace.pool.ByteView;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.List;

/**
 * From the intended send time of a UDP packet to the read of its line by one TCP client: the gateway, and a bare loop
 * that writes the same bytes. Each packet carries its line in front of its quote. The rounds are interleaved, each with
 * sockets of its own.
 */
record WireToTcp(RunOptions run)
{
    private static final int WARM_UP = 5_000;
    private static final int FIRST_WARM_UP = 50_000;
    private static final long[] SEARCH = {125_000, 150_000, 175_000, 200_000, 250_000, 300_000, 400_000, 500_000};

    List<String> run(final List<Rate> rates, final ReportFolder folder, final RunHeader header) throws IOException
    {
        round(false, FIRST_WARM_UP, 1, 1_000);
        round(true, FIRST_WARM_UP, 1, 1_000);
        final TextTable table = new TextTable(2, "UDP to TCP", "path", "achieved", "sent", "lost", "clean", "p50",
            "p90", "p99", "p99.9", "max", "p50 to bare");
        new WireComparison(run, folder, header, "UDP to TCP, ", "bare loop", "tcp_",
            (isBare, count, perSecond) -> round(isBare, WARM_UP, count, perSecond))
            .run(table, false, rates, SEARCH, run.roundMs());
        return table.lines();
    }

    private WireRounds.Round round(final boolean isBare, final int warmUp, final long count, final long perSecond)
        throws IOException
    {
        final LineFeed feed = new LineFeed();
        try (TcpPath path = isBare ? new TcpPath.Bare(run.handlerCpu()) : TcpPath.Gateway.fromUdp(run.handlerCpu());
            LineClient client = new LineClient(feed, path.tcpPort());
            DatagramChannel channel = DatagramChannel.open())
        {
            channel.configureBlocking(false);
            channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), path.udpPort()));
            path.awaitClient();
            final TcpRound.Outlet outlet = outlet(feed, channel);
            final List<LineClient> clients = List.of(client);
            TcpRound.warmUp(feed, clients, outlet, warmUp);
            final WireRounds.Round round = TcpRound.run(feed, clients, clients, outlet, count, perSecond);
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
}

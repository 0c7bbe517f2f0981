package io.millrace.benchmarks.gateway;

import io.millrace.benchmarks.harness.Daemon;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.benchmarks.harness.ServerUnderTest;
import io.millrace.gateway.BboEvent;
import io.millrace.gateway.bbo.BboPacketDescriptor;
import io.millrace.gateway.sink.TcpContext;
import io.millrace.gateway.sink.TcpSink;
import io.millrace.gateway.udp.UdpEndpoint;
import io.millrace.gateway.udp.UdpSource;
import io.millrace.server.Flow;
import io.millrace.server.InVmSource;
import io.millrace.server.Pipelines;
import io.millrace.server.Server;
import org.agrona.concurrent.BusySpinIdleStrategy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Function;

/**
 * What TCP clients connect to: the gateway, or a bare loop from a UDP socket to a TCP socket. One thread that spins.
 */
interface TcpPath extends AutoCloseable
{
    /** Of the UDP socket. */
    int udpPort();

    int tcpPort();

    /** Returns when the connected client gets what comes from now on; what comes to a socket before waits in it. */
    default void awaitClient()
    {
    }

    @Override
    void close();

    /** Source and TCP sink of a server, on one agent: a second one that spins would have no CPU of its own. */
    final class Gateway implements TcpPath
    {
        private static final int CAPACITY = 4_096;
        private static final String FLOW = "quotes";
        private static final String SINK = "tcp";

        private final UdpSource udp;
        private final TcpSink tcp;
        private final Server server;

        private Gateway(
            final UdpSource udp, final TcpContext context, final int cpu,
            final Function<Flow.Start, Flow<BboEvent>> source, final String... hosted)
        {
            this.udp = udp;
            final TcpSink tcp = new TcpSink(context.port(0).withSequence().withoutSnapshot());
            server = Server.launch(new Server.Context().idle(BusySpinIdleStrategy::new)
                .flow(FLOW, f -> source.apply(f).through(Pipelines.ring()).to(SINK, tcp))
                .agent("gateway", agent -> ServerUnderTest.pin(agent.hosts(hosted), cpu)));
            tcp.addCounters(server.counters(), SINK);
            this.tcp = tcp;
        }

        static Gateway fromUdp(final int cpu)
        {
            final UdpSource source = new UdpSource(UdpEndpoint.loopback(0));
            // Room for all that a slow reader leaves, so that nothing is conflated.
            return new Gateway(source, new TcpContext().clientQueueBytes(1 << 24), cpu,
                f -> f.from(BboEvent::new, CAPACITY, source), FLOW + "-source", SINK);
        }

        static Gateway fromThread(final InVmSource<BboEvent> source, final int cpu)
        {
            return new Gateway(null, new TcpContext().stallTimeoutNs(0), cpu, f -> f.from(source), SINK);
        }

        long counter(final String name)
        {
            return server.counters().value(SINK + "." + name);
        }

        @Override
        public int udpPort()
        {
            return udp.port(0);
        }

        @Override
        public int tcpPort()
        {
            return tcp.port();
        }

        @Override
        public void awaitClient()
        {
            awaitClients(1);
        }

        void awaitClients(final int count)
        {
            while (counter("clients") < count)
            {
                Thread.yield();
            }
        }

        @Override
        public void close()
        {
            server.close();
        }
    }

    /** Writes the line that a packet carries in front of its quote to one client: the bytes that the gateway writes. */
    final class Bare implements TcpPath
    {
        private final DatagramChannel in = DatagramChannel.open();
        private final ServerSocketChannel listener = ServerSocketChannel.open();
        private final Thread thread;
        private final int cpu;
        /** Volatile: written by one thread, read by the other. */
        private volatile boolean stop;

        Bare(final int cpu) throws IOException
        {
            this.cpu = cpu;
            in.setOption(StandardSocketOptions.SO_RCVBUF, 4 << 20);
            in.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            in.configureBlocking(false);
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            thread = Daemon.start("bare", this::run);
        }

        private void run()
        {
            Pinning.pinCurrentThread(cpu);
            final ByteBuffer buffer = ByteBuffer.allocateDirect(2_049);
            try (SocketChannel out = listener.accept())
            {
                out.setOption(StandardSocketOptions.TCP_NODELAY, true);
                out.configureBlocking(false);
                while (!stop)
                {
                    forward(buffer, out);
                }
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        }

        private void forward(final ByteBuffer buffer, final SocketChannel out) throws IOException
        {
            buffer.clear();
            if (in.receive(buffer) == null)
            {
                Thread.onSpinWait();
                return;
            }
            buffer.flip().limit(buffer.limit() - BboPacketDescriptor.EXTENDED_LENGTH);
            while (buffer.hasRemaining() && !stop)
            {
                out.write(buffer);
            }
        }

        @Override
        public int udpPort()
        {
            return in.socket().getLocalPort();
        }

        @Override
        public int tcpPort()
        {
            return listener.socket().getLocalPort();
        }

        @Override
        public void close()
        {
            stop = true;
            Daemon.join(thread);
            try
            {
                in.close();
                listener.close();
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        }
    }
}

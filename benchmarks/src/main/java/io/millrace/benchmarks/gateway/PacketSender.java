package io.millrace.benchmarks.gateway;

import io.millrace.benchmarks.harness.OpenLoop;
import io.millrace.gateway.BboEvent;
import io.millrace.gateway.bbo.BboPacketCodec;
import io.millrace.gateway.bbo.BboPacketDescriptor;
import io.millrace.gateway.bbo.PacketForm;
import io.millrace.gateway.feed.BboFeed;
import io.millrace.gateway.feed.GeneratedFeed;
import io.millrace.pool.ByteView;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/**
 * Sends extended packets of 256 bytes on a schedule. Their send time is the intended one, by {@link
 * System#nanoTime()}: sender and receiver are in one process.
 */
final class PacketSender implements AutoCloseable, OpenLoop.Outlet
{
    private static final int SYMBOLS = 500;

    private final DatagramChannel channel;
    private final ByteBuffer packet = ByteBuffer.allocateDirect(BboPacketDescriptor.DEFAULT_PAYLOAD_LENGTH);
    private final ByteView view = new ByteView(packet);
    private final BboPacketCodec codec = new BboPacketCodec(PacketForm.EXTENDED);
    private final BboFeed feed;
    private final BboEvent event = new BboEvent();
    final OpenLoop loop;

    PacketSender(final int port) throws IOException
    {
        this(port, true, new GeneratedFeed(SYMBOLS, Long.MAX_VALUE, 1));
    }

    PacketSender(final int port, final boolean spins, final BboFeed feed) throws IOException
    {
        this.feed = feed;
        channel = DatagramChannel.open();
        channel.configureBlocking(false);
        channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        loop = new OpenLoop(this, spins);
    }

    @Override
    public boolean offer(final long number, final long intendedNs, final long nowNs)
    {
        next();
        event.position(1, number + 1).times(intendedNs, 0);
        codec.encode(event, view, packet.capacity() - BboPacketDescriptor.EXTENDED_LENGTH);
        packet.clear();
        try
        {
            return channel.write(packet) > 0;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private void next()
    {
        try
        {
            feed.next(event);
        }
        catch (final Exception ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    @Override
    public void close() throws IOException
    {
        channel.close();
    }
}

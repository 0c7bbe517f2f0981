package io.millrace.gateway.udp;

import io.millrace.gateway.BboEvent;
import io.millrace.gateway.Symbols;
import io.millrace.gateway.bbo.BboPacketCodec;
import io.millrace.gateway.bbo.PacketForm;
import io.millrace.pool.ByteView;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/** Sends packets to one port of this machine. */
final class Line implements AutoCloseable
{
    static final long A = Symbols.of("A");
    static final long B = Symbols.of("B");

    final DatagramChannel channel;
    private final BboPacketCodec plain = new BboPacketCodec(PacketForm.PLAIN);
    private final BboPacketCodec extended = new BboPacketCodec(PacketForm.EXTENDED);
    private final ByteBuffer packet = ByteBuffer.allocateDirect(60);
    private final ByteView view = new ByteView(packet);
    private final BboEvent event = new BboEvent();

    Line(final int port) throws IOException
    {
        channel = DatagramChannel.open();
        channel.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
        channel.connect(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port));
    }

    InetSocketAddress address() throws IOException
    {
        return (InetSocketAddress)channel.getLocalAddress();
    }

    /** An empty one from a socket of its own: a connected channel sends none. */
    void send(final byte[] payload) throws IOException
    {
        if (payload.length > 0)
        {
            channel.write(ByteBuffer.wrap(payload));
            return;
        }
        try (DatagramChannel unconnected = DatagramChannel.open())
        {
            unconnected.send(ByteBuffer.wrap(payload), channel.getRemoteAddress());
        }
    }

    void plain(final long symbol, final long bidPrice) throws IOException
    {
        send(plain, event.quote(symbol, bidPrice, 100, bidPrice + 100, 100));
    }

    void extended(final long session, final long sequence) throws IOException
    {
        extended(A, session, sequence, 10_000, 10_100, 0);
    }

    void extended(
        final long symbol,
        final long session,
        final long sequence,
        final long bidPrice,
        final long askPrice,
        final long sendTimeNs) throws IOException
    {
        send(extended, event.quote(symbol, bidPrice, 100, askPrice, 100).position(session, sequence)
            .times(sendTimeNs, 0));
    }

    private void send(final BboPacketCodec codec, final BboEvent quote) throws IOException
    {
        packet.clear().limit(codec.encode(quote, view, 0));
        channel.write(packet);
    }

    @Override
    public void close() throws IOException
    {
        channel.close();
    }
}

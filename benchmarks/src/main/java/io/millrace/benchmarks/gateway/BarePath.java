package io.millrace.benchmarks.gateway;

import io.millrace.benchmarks.harness.Daemon;
import io.millrace.benchmarks.harness.Pinning;
import io.millrace.gateway.BboEvent;
import io.millrace.gateway.RealTime;
import io.millrace.gateway.bbo.BboPacketCodec;
import io.millrace.gateway.bbo.BboPacketDescriptor;
import io.millrace.gateway.bbo.PacketForm;
import io.millrace.pool.ByteView;
import io.millrace.server.codec.DecodeResult;
import org.agrona.concurrent.IdleStrategy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/**
 * The baseline: one thread, one socket, one loop. It reads sequence and send time out of the buffer; or it decodes the
 * whole packet between two clock readings.
 */
final class BarePath extends QuotePath
{
    private static final int SEQUENCE = BboPacketDescriptor.EXTENDED_LENGTH - BboPacketDescriptor.SEQUENCE_OFFSET;
    private static final int SEND_TIME = BboPacketDescriptor.EXTENDED_LENGTH - BboPacketDescriptor.SEND_TIME_OFFSET;

    private final Place place;
    private final boolean decodes;
    private final DatagramChannel channel;
    private final int port;
    private final Thread thread;
    /** Volatile: written by one thread, read by the other. */
    private volatile boolean stop;
    private volatile long lost;
    private volatile String realTime = "not asked for";

    BarePath(final Place place, final boolean decodes)
    {
        this.place = place;
        this.decodes = decodes;
        try
        {
            channel = DatagramChannel.open();
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.SO_RCVBUF, 4 << 20);
            channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            port = ((InetSocketAddress)channel.getLocalAddress()).getPort();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        thread = Daemon.start("bare", this::run);
    }

    private void run()
    {
        Pinning.pinCurrentThread(place.cpu());
        if (place.priority() != 0)
        {
            realTime = RealTime.raiseCurrentThread(place.priority());
        }
        started();
        final ByteBuffer buffer = ByteBuffer.allocateDirect(2_049);
        final ByteView view = new ByteView(buffer);
        final IdleStrategy idle = place.idle();
        final BboPacketCodec codec = new BboPacketCodec(PacketForm.ANY);
        final BboEvent event = new BboEvent();
        try
        {
            while (!stop)
            {
                idle.idle(receive(buffer, view, codec, event));
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private long nextSequence = 1;

    private int receive(
        final ByteBuffer buffer, final ByteView view, final BboPacketCodec codec, final BboEvent event)
        throws IOException
    {
        buffer.clear();
        if (channel.receive(buffer) == null)
        {
            return 0;
        }
        final int length = buffer.position();
        long insideNs = 0;
        if (decodes)
        {
            final long beginNs = System.nanoTime();
            final DecodeResult result = codec.decode(view, 0, length, event);
            insideNs = result == DecodeResult.OK ? System.nanoTime() - beginNs : -1;
        }
        final long sequence = buffer.getLong(length - SEQUENCE);
        if (sequence != nextSequence)
        {
            lost += sequence - nextSequence;
        }
        nextSequence = sequence + 1;
        handle(sequence, buffer.getLong(length - SEND_TIME), insideNs, System.nanoTime());
        return 1;
    }

    @Override
    int port()
    {
        return port;
    }

    @Override
    long lost()
    {
        return lost;
    }

    @Override
    String realTime()
    {
        return realTime;
    }

    @Override
    public void close()
    {
        stop = true;
        Daemon.join(thread);
        try
        {
            channel.close();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}

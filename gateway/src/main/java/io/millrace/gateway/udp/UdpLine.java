package io.millrace.gateway.udp;

import io.millrace.pool.ByteView;
import io.millrace.pool.PaddedLong;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * One socket of a source, with its buffer and counters. The polling thread calls it, except where a method says
 * otherwise.
 * <p>
 * {@code receive} and not {@code read}, because the latter returns 0 for an empty datagram and for none. It returns the
 * sender's address, and the JDK keeps that object for the next datagram of the same sender: nothing is allocated while
 * one sender sends. Where two alternate, each datagram costs an address object.
 */
final class UdpLine
{
    static final int NONE = -1;

    private static final Path SOCKETS = Path.of("/proc/net/udp");

    final PaddedLong received = new PaddedLong(0);
    final PaddedLong foreign = new PaddedLong(0);
    final PaddedLong malformed = new PaddedLong(0);
    final PaddedLong first = new PaddedLong(0);
    /** Of this line alone; null if there is no other line. */
    final SequenceTracker tracker;
    final ByteView view;

    private final UdpEndpoint endpoint;
    private final ByteBuffer buffer;
    private DatagramChannel channel;
    /** Volatile: written once by the polling thread, before the socket receives; read by any thread. */
    private volatile InetSocketAddress local;
    private volatile long closedDrops;
    private SocketAddress lastSender;
    private boolean lastAllowed;

    UdpLine(final UdpEndpoint endpoint, final int maxPayload, final boolean hasTracker)
    {
        this.endpoint = endpoint;
        // One byte more: a datagram that fills it was too long, and the kernel has cut it.
        buffer = ByteBuffer.allocateDirect(maxPayload + 1);
        view = new ByteView(buffer);
        tracker = hasTracker ? new SequenceTracker() : null;
    }

    UdpEndpoint endpoint()
    {
        return endpoint;
    }

    void open() throws IOException
    {
        channel = endpoint.open();
        local = (InetSocketAddress)channel.getLocalAddress();
    }

    void close() throws IOException
    {
        if (channel != null)
        {
            closedDrops = kernelDrops();
            local = null;
            channel.close();
            channel = null;
        }
    }

    /** Length of the next datagram, from 0; or NONE. An exception is an error that the kernel reported instead. */
    int receive() throws IOException
    {
        buffer.clear();
        final SocketAddress sender = channel.receive(buffer);
        if (sender == null)
        {
            return NONE;
        }
        received.addOpaque(1);
        if (sender != lastSender)
        {
            lastSender = sender;
            lastAllowed = endpoint.allows((InetSocketAddress)sender);
        }
        return buffer.position();
    }

    /** Whether the sender of the last datagram may send. */
    boolean isAllowed()
    {
        return lastAllowed;
    }

    boolean isTooLong(final int length)
    {
        return length == buffer.capacity();
    }

    /** Any thread; 0 if the line is closed. */
    int port()
    {
        final InetSocketAddress address = local;
        return address == null ? 0 : address.getPort();
    }

    /**
     * Datagrams that the kernel dropped because the socket's buffer was full. Any thread; reads a file. Sockets with
     * the same address and port count together. 0 where the system has no such file.
     */
    long kernelDrops()
    {
        final InetSocketAddress address = local;
        if (address == null)
        {
            return closedDrops;
        }
        final String wanted = nameInFile(address, ByteOrder.nativeOrder());
        long drops = 0;
        try
        {
            for (final String line : Files.readAllLines(SOCKETS))
            {
                final String[] fields = line.trim().split("\\s+");
                if (fields.length > 12 && fields[1].equals(wanted))
                {
                    drops += Long.parseLong(fields[12]);
                }
            }
        }
        catch (final IOException | NumberFormatException ex)
        {
            return 0;
        }
        return drops;
    }

    /** As the kernel prints a socket: its four address bytes as one number in the byte order of the machine. */
    static String nameInFile(final InetSocketAddress address, final ByteOrder order)
    {
        final int number = ByteBuffer.wrap(address.getAddress().getAddress()).order(order).getInt();
        return String.format(Locale.ROOT, "%08X:%04X", number, address.getPort());
    }

    String describe() throws IOException
    {
        return endpoint + (channel == null ? "" :
            ", socket buffer " + channel.getOption(StandardSocketOptions.SO_RCVBUF) + " bytes");
    }
}

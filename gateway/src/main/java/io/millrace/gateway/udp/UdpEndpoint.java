package io.millrace.gateway.udp;

import io.millrace.pool.Range;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.DatagramChannel;
import java.util.List;
import java.util.Objects;

/**
 * Where one line of a feed arrives: address, port, and who may send. Immutable. IPv4.
 */
public final class UdpEndpoint
{
    /** Default size of the socket's buffer: 100 ms at 40,000 packets/s, as the kernel counts some 1,280 bytes each. */
    public static final int DEFAULT_BUFFER_BYTES = 4 << 20;

    private final InetAddress address;
    private final int port;
    private final NetworkInterface groupInterface;
    private final int bufferBytes;
    private final List<InetSocketAddress> senders;

    private UdpEndpoint(
        final InetAddress address,
        final int port,
        final NetworkInterface groupInterface,
        final int bufferBytes,
        final List<InetSocketAddress> senders)
    {
        this.address = Objects.requireNonNull(address, "address");
        Range.check("port", port, 0, 0xFFFF);
        this.port = port;
        this.groupInterface = groupInterface;
        this.bufferBytes = bufferBytes;
        this.senders = senders;
    }

    /**
     * Packets to the loopback address 127.0.0.1.
     *
     * @param port 0 to 65,535; 0: a free one, see {@link UdpSource#port(int)}.
     * @return the endpoint.
     */
    public static UdpEndpoint loopback(final int port)
    {
        return unicast(loopbackAddress(), port);
    }

    static InetAddress loopbackAddress()
    {
        try
        {
            return InetAddress.getByAddress(new byte[]{127, 0, 0, 1});
        }
        catch (final UnknownHostException ex)
        {
            throw new AssertionError(ex);
        }
    }

    /**
     * Packets to one of this machine's addresses.
     *
     * @param address of a network interface. 0.0.0.0 means all of them: nothing else does.
     * @param port    0 to 65,535; 0: a free one.
     * @return the endpoint.
     */
    public static UdpEndpoint unicast(final InetAddress address, final int port)
    {
        return new UdpEndpoint(address, port, null, DEFAULT_BUFFER_BYTES, List.of());
    }

    /**
     * Packets to a multicast group that arrive on one interface.
     *
     * @param group          a multicast address.
     * @param port           0 to 65,535; 0: a free one.
     * @param groupInterface the interface that joins the group.
     * @return the endpoint.
     * @throws IllegalArgumentException if the address is no multicast address.
     */
    public static UdpEndpoint multicast(
        final InetAddress group, final int port, final NetworkInterface groupInterface)
    {
        if (!group.isMulticastAddress())
        {
            throw new IllegalArgumentException(group.getHostAddress() + " is no multicast address: 224.0.0.0 to " +
                "239.255.255.255");
        }
        return new UdpEndpoint(
            group, port, Objects.requireNonNull(groupInterface, "groupInterface"), DEFAULT_BUFFER_BYTES, List.of());
    }

    /**
     * Accept packets of these senders only; others are counted as foreign. If there is one sender, and it has a port,
     * the socket is connected to it: the kernel then drops the others, and nobody counts them.
     *
     * @param newSenders addresses; port 0 means any port of that address.
     * @return a copy with this setting.
     */
    public UdpEndpoint from(final InetSocketAddress... newSenders)
    {
        for (final InetSocketAddress sender : newSenders)
        {
            if (sender.isUnresolved())
            {
                throw new IllegalArgumentException("sender " + sender + " has no address: the name is not known");
            }
        }
        return new UdpEndpoint(address, port, groupInterface, bufferBytes, List.of(newSenders));
    }

    /**
     * Size of the socket's receive buffer. The kernel may grant less ({@code net.core.rmem_max}); see {@link
     * UdpSource#describe()}.
     *
     * @param bytes 4,096 to 1 GiB.
     * @return a copy with this setting.
     */
    public UdpEndpoint bufferBytes(final int bytes)
    {
        Range.check("bufferBytes", bytes, 4_096, 1 << 30);
        return new UdpEndpoint(address, port, groupInterface, bytes, senders);
    }

    /** A channel that receives here. */
    DatagramChannel open() throws IOException
    {
        final DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
        try
        {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.SO_RCVBUF, bufferBytes);
            if (groupInterface != null)
            {
                // Several processes may listen to a group. Bound to the group itself, the socket gets nothing else.
                channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            }
            channel.bind(new InetSocketAddress(address, port));
            if (groupInterface != null)
            {
                channel.join(address, groupInterface);
            }
            if (senders.size() == 1 && senders.get(0).getPort() != 0)
            {
                channel.connect(senders.get(0));
            }
            return channel;
        }
        catch (final IOException | RuntimeException ex)
        {
            channel.close();
            throw new IOException("cannot receive on " + this + ": " + ex, ex);
        }
    }

    /** Whether another endpoint receives the same packets. */
    boolean isSameAs(final UdpEndpoint other)
    {
        return port != 0 && port == other.port && address.equals(other.address) &&
            Objects.equals(groupInterface, other.groupInterface) && senders.equals(other.senders);
    }

    /** Called for each new sender, not for each packet. */
    boolean allows(final InetSocketAddress sender)
    {
        if (senders.isEmpty())
        {
            return true;
        }
        for (final InetSocketAddress allowed : senders)
        {
            if (allowed.getAddress().equals(sender.getAddress()) &&
                (allowed.getPort() == 0 || allowed.getPort() == sender.getPort()))
            {
                return true;
            }
        }
        return false;
    }

    @Override
    public String toString()
    {
        return address.getHostAddress() + ":" + port +
            (groupInterface == null ? "" : " on " + groupInterface.getName()) +
            (senders.isEmpty() ? "" : " from " + senders);
    }
}

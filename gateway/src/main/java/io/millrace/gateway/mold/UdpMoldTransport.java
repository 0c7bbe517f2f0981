package io.millrace.gateway.mold;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;

/**
 * Packets from a UDP port or multicast group; requests go to one server, whose answers come back on their own socket.
 * The request socket takes packets of that server only. Bind the other one to a named address: the loopback address
 * keeps other hosts out.
 * <p>
 * The JDK allocates an address object whenever the sender is another one than before; after {@link #connect}, never.
 */
public final class UdpMoldTransport implements MoldTransport
{
    /** Some 20 ms of packets at 1 GB/s; the system may grant less. */
    private static final int RECEIVE_BUFFER_LENGTH = 1 << 22;

    private final DatagramChannel data;
    private final DatagramChannel requests;
    private long failedRequests;

    /**
     * Opens the sockets.
     *
     * @param address       to bind, or the multicast group and its port.
     * @param networkName   interface of the group, such as {@code lo}; null for unicast.
     * @param requestServer where missing messages are requested; null to request none.
     * @throws IOException if a socket cannot be opened, bound or connected, also because a name is not known.
     */
    public UdpMoldTransport(
        final InetSocketAddress address, final String networkName, final InetSocketAddress requestServer)
        throws IOException
    {
        data = DatagramChannel.open(StandardProtocolFamily.INET);
        try
        {
            data.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER_LENGTH);
            data.configureBlocking(false);
            final InetAddress group = address.getAddress();
            if (group.isMulticastAddress())
            {
                final NetworkInterface network = NetworkInterface.getByName(String.valueOf(networkName));
                if (network == null)
                {
                    throw new IOException("interface " + networkName + " for the group " + address + " does not exist");
                }
                data.setOption(StandardSocketOptions.SO_REUSEADDR, true);
                data.bind(address);
                data.join(group, network);
            }
            else
            {
                data.bind(address);
            }
            requests = requestServer == null ? null : connected(requestServer);
        }
        catch (final IOException | RuntimeException ex)
        {
            data.close();
            throw new IOException(
                "cannot receive on " + address + " with requests to " + requestServer + ": " + ex, ex);
        }
    }

    private static DatagramChannel connected(final InetSocketAddress server) throws IOException
    {
        final DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
        try
        {
            channel.configureBlocking(false);
            return channel.connect(server);
        }
        catch (final IOException | RuntimeException ex)
        {
            channel.close();
            throw ex;
        }
    }

    /**
     * Take packets of one sender only.
     *
     * @param sender address of its socket.
     * @return this.
     * @throws IOException if the socket is closed.
     */
    public UdpMoldTransport connect(final InetSocketAddress sender) throws IOException
    {
        data.connect(sender);
        return this;
    }

    /**
     * The bound address.
     *
     * @return with the port that was given or chosen.
     * @throws IOException if the socket is closed.
     */
    public InetSocketAddress localAddress() throws IOException
    {
        return (InetSocketAddress)data.getLocalAddress();
    }

    @Override
    public boolean receive(final ByteBuffer into) throws IOException
    {
        return requests != null && read(requests, into) ||
            (data.isConnected() ? read(data, into) : data.receive(into) != null);
    }

    private boolean read(final DatagramChannel channel, final ByteBuffer into) throws IOException
    {
        try
        {
            // An empty packet reads as none; the next call receives the one behind it.
            return channel.read(into) > 0;
        }
        catch (final ClosedChannelException ex)
        {
            throw ex;
        }
        catch (final IOException ex)
        {
            // The server's machine or a firewall has refused a packet.
            failedRequests++;
            return false;
        }
    }

    @Override
    public boolean hasServer()
    {
        return requests != null;
    }

    @Override
    public boolean request(final ByteBuffer packet)
    {
        try
        {
            return requests != null && requests.write(packet) > 0;
        }
        catch (final IOException ex)
        {
            failedRequests++;
            return false;
        }
    }

    /**
     * Requests to a server that was not there. The polling thread only.
     *
     * @return a count.
     */
    public long failedRequests()
    {
        return failedRequests;
    }

    @Override
    public void close() throws IOException
    {
        data.close();
        if (requests != null)
        {
            requests.close();
        }
    }
}

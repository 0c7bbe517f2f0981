package io.millrace.exchange.itch;

import io.millrace.exchange.Listing;
import io.millrace.gateway.mold.MoldPacketEncoder;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.OffsetEpochNanoClock;
import org.agrona.concurrent.SystemNanoClock;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Settings of an {@link ItchPublisher}. Set before it is made. Each setter throws an {@link IllegalArgumentException}
 * that names value and range.
 */
public final class ItchContext
{
    /** Default multicast group: of the block that stays in an organization (RFC 2365). */
    public static final String DEFAULT_GROUP = "239.255.77.1";
    /** Default port of the group. */
    public static final int DEFAULT_PORT = 26_400;
    /** Greatest number of symbols: stock locate has 16 bits, and 0 is no stock. */
    public static final int MAX_SYMBOLS = 65_535;
    /** Default number of messages kept for retransmission. With 36 bytes each and their places it takes 13 MB. */
    public static final int DEFAULT_STORED_MESSAGES = 1 << 18;

    private static final int BYTES_PER_MESSAGE = 36;

    final List<Listing> symbols = new ArrayList<>();
    String session = Long.toString(System.currentTimeMillis(), Character.MAX_RADIX).toUpperCase(Locale.ROOT);
    InetSocketAddress destination = new InetSocketAddress(DEFAULT_GROUP, DEFAULT_PORT);
    String networkName;
    InetSocketAddress requestServer = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    InetSocketAddress snapshotServer = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    int storedMessages = DEFAULT_STORED_MESSAGES;
    int storedBytes = DEFAULT_STORED_MESSAGES * BYTES_PER_MESSAGE;
    NanoClock clock = SystemNanoClock.INSTANCE;
    EpochNanoClock epochClock = new OffsetEpochNanoClock();

    /** The defaults: multicast on the loopback interface, no symbol. */
    public ItchContext()
    {
    }

    /**
     * Adds a symbol. Its stock locate is the number of symbols so far, from 1.
     *
     * @param symbol the symbol.
     * @return this.
     */
    public ItchContext symbol(final Listing symbol)
    {
        Objects.requireNonNull(symbol, "symbol");
        for (final Listing other : symbols)
        {
            if (other.spec().symbol() == symbol.spec().symbol() || other.stock().equals(symbol.stock()))
            {
                throw new IllegalArgumentException("symbol " + symbol.spec().symbol() + " \"" + symbol.stock() +
                    "\" is not new: there is symbol " + other.spec().symbol() + " \"" + other.stock() + "\"");
            }
        }
        if (symbols.size() == MAX_SYMBOLS)
        {
            throw new IllegalArgumentException("more than " + MAX_SYMBOLS + " symbols");
        }
        symbols.add(symbol);
        return this;
    }

    /**
     * Name of the MoldUDP64 session. By default the time in milliseconds in base 36, so each start has another one.
     *
     * @param name 1 to 10 characters.
     * @return this.
     */
    public ItchContext session(final String name)
    {
        MoldPacketEncoder.session(name);
        session = name;
        return this;
    }

    /**
     * Where the packets go.
     *
     * @param address     a multicast group or a host, with a port in 1..65,535.
     * @param networkName interface for a multicast group; null for the loopback interface.
     * @return this.
     */
    public ItchContext destination(final InetSocketAddress address, final String networkName)
    {
        if (address.isUnresolved() || address.getPort() == 0)
        {
            throw new IllegalArgumentException("destination " + address + " is unresolved, or its port is not in " +
                "1..65535");
        }
        destination = address;
        this.networkName = networkName;
        return this;
    }

    /**
     * Addresses of the servers; port 0, the default, chooses one. By default both are bound to loopback.
     *
     * @param requests  UDP address of the retransmission server; resolved, as the other one.
     * @param snapshots TCP address of the snapshot server.
     * @return this.
     * @throws IllegalArgumentException if an address is not resolved.
     */
    public ItchContext servers(final InetSocketAddress requests, final InetSocketAddress snapshots)
    {
        requestServer = checkResolved(requests, "requests");
        snapshotServer = checkResolved(snapshots, "snapshots");
        return this;
    }

    private static InetSocketAddress checkResolved(final InetSocketAddress server, final String of)
    {
        if (Objects.requireNonNull(server, of).isUnresolved())
        {
            throw new IllegalArgumentException("server of " + of + ": " + server + " is unresolved");
        }
        return server;
    }

    /**
     * Messages kept for retransmission. It must be more than are sent in 2 s, the greatest age of a snapshot, and while
     * a client reads it.
     *
     * @param messages a power of two in 1,024..2^24.
     * @return this.
     */
    public ItchContext storedMessages(final int messages)
    {
        if (messages < 1_024 || messages > 1 << 24 || Integer.bitCount(messages) != 1)
        {
            throw new IllegalArgumentException(
                "storedMessages " + messages + " is not a power of two in 1024.." + (1 << 24));
        }
        storedMessages = messages;
        storedBytes = messages * BYTES_PER_MESSAGE;
        return this;
    }

    /**
     * Clocks.
     *
     * @param nanoClock of heartbeats and time limits.
     * @param ofDay     of the messages' times.
     * @return this.
     */
    public ItchContext clocks(final NanoClock nanoClock, final EpochNanoClock ofDay)
    {
        clock = Objects.requireNonNull(nanoClock, "nanoClock");
        epochClock = Objects.requireNonNull(ofDay, "ofDay");
        return this;
    }

    /** Interface of the group. */
    String network() throws IOException
    {
        if (networkName != null || !destination.getAddress().isMulticastAddress())
        {
            return networkName;
        }
        final NetworkInterface loopback = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
        if (loopback == null)
        {
            throw new IOException("there is no loopback interface: name one for the group " + destination);
        }
        return loopback.getName();
    }
}

package io.millrace.gateway.sink;

import io.millrace.pool.Range;
import jdk.net.ExtendedSocketOptions;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

import java.io.IOException;
import java.net.InetAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Settings of a {@link TcpSink}, with a fluent interface. {@link #conclude()} checks them; they are immutable
 * afterwards.
 */
public final class TcpContext
{
    /** The gateway's port. */
    public static final int DEFAULT_PORT = 9_999;
    /** Default bytes of a client's queue: some 350 JSON lines. */
    public static final int DEFAULT_CLIENT_QUEUE_BYTES = 65_536;
    /** Smallest queue of a client: room for ten of the longest messages. */
    public static final int MIN_CLIENT_QUEUE_BYTES = 4_096;
    /** Greatest queue of a client. */
    public static final int MAX_CLIENT_QUEUE_BYTES = 1 << 28;
    /** Greatest number of clients. */
    public static final int MAX_CLIENTS = 4_096;

    private static final long MAX_STALL_NS = TimeUnit.HOURS.toNanos(1);
    /** For all clients together, as the other sinks wait for their brokers. */
    private static final long CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);
    /** Bounds what the system keeps for a client that does not read; the system doubles it. */
    private static final int SEND_BUFFER_BYTES = 131_072;
    /** A silent client that has vanished is noticed after 30 + 3 x 10 seconds. */
    private static final int KEEP_ALIVE_IDLE_S = 30;
    private static final int KEEP_ALIVE_INTERVAL_S = 10;
    private static final int KEEP_ALIVE_COUNT = 3;

    InetAddress bindAddress = InetAddress.getLoopbackAddress();
    int port = DEFAULT_PORT;
    int maxClients = 64;
    int clientQueueBytes = DEFAULT_CLIENT_QUEUE_BYTES;
    private int sendBufferBytes = SEND_BUFFER_BYTES;
    long closeTimeoutNs = CLOSE_TIMEOUT_NS;
    long stallTimeoutNs = TimeUnit.SECONDS.toNanos(10);
    int maxSymbols = LatestQuotes.DEFAULT_MAX_SYMBOLS;
    TcpPolicy policy = TcpPolicy.CONFLATE;
    boolean binary;
    boolean withSequence;
    boolean snapshot = true;
    NanoClock clock = SystemNanoClock.INSTANCE;
    private boolean concluded;

    /** The defaults. */
    public TcpContext()
    {
    }

    private TcpContext set(final Runnable change)
    {
        if (concluded)
        {
            throw new IllegalStateException("the settings of the TCP sink are concluded: they cannot be changed");
        }
        change.run();
        return this;
    }

    /**
     * Address to listen on.
     *
     * @param address of an interface; default: loopback.
     * @return this.
     */
    public TcpContext bindAddress(final InetAddress address)
    {
        return set(() -> bindAddress = Objects.requireNonNull(address, "address"));
    }

    /**
     * Port to listen on.
     *
     * @param number 0 to 65,535; 0: the system chooses one; default {@value #DEFAULT_PORT}.
     * @return this.
     */
    public TcpContext port(final int number)
    {
        return set(() -> port = number);
    }

    /**
     * Greatest number of clients. One more connection is closed at once.
     *
     * @param count 1 to {@value #MAX_CLIENTS}; default 64.
     * @return this.
     */
    public TcpContext maxClients(final int count)
    {
        return set(() -> maxClients = count);
    }

    /**
     * Bytes that wait for each client, beside the system's send buffer of 256 KiB.
     *
     * @param bytes {@value #MIN_CLIENT_QUEUE_BYTES} to {@value #MAX_CLIENT_QUEUE_BYTES}; default 65,536.
     * @return this.
     */
    public TcpContext clientQueueBytes(final int bytes)
    {
        return set(() -> clientQueueBytes = bytes);
    }

    /** For tests, whose clients may be slow. */
    TcpContext closeTimeoutNs(final long timeoutNs)
    {
        return set(() -> closeTimeoutNs = timeoutNs);
    }

    /** For tests, which fill it. */
    TcpContext sendBufferBytes(final int bytes)
    {
        return set(() -> sendBufferBytes = bytes);
    }

    /**
     * Time after which a client is disconnected whose socket takes no byte although some wait.
     *
     * @param timeoutNs 0 to an hour, in nanoseconds; 0: never; default 10 seconds.
     * @return this.
     */
    public TcpContext stallTimeoutNs(final long timeoutNs)
    {
        return set(() -> stallTimeoutNs = timeoutNs);
    }

    /**
     * Greatest number of symbols of which the latest event is kept. Events of other symbols are delivered, but are in
     * no snapshot, and a client whose queue is full at such an event is disconnected.
     *
     * @param count 1 to 1,048,576; default 16,384.
     * @return this.
     */
    public TcpContext maxSymbols(final int count)
    {
        return set(() -> maxSymbols = count);
    }

    /**
     * Policy for a client whose queue is full.
     *
     * @param newPolicy the policy; default {@link TcpPolicy#CONFLATE}.
     * @return this.
     */
    public TcpContext policy(final TcpPolicy newPolicy)
    {
        return set(() -> policy = Objects.requireNonNull(newPolicy, "policy"));
    }

    /**
     * Send binary frames instead of JSON lines.
     *
     * @return this.
     */
    public TcpContext binary()
    {
        return set(() -> binary = true);
    }

    /**
     * End each JSON object with the sequence; a binary frame always has it.
     *
     * @return this.
     */
    public TcpContext withSequence()
    {
        return set(() -> withSequence = true);
    }

    /**
     * Send no latest events to a new client: it gets only events after its connection.
     *
     * @return this.
     */
    public TcpContext withoutSnapshot()
    {
        return set(() -> snapshot = false);
    }

    /**
     * The clock of the stall timeout.
     *
     * @param newClock default: the system's.
     * @return this.
     */
    public TcpContext clock(final NanoClock newClock)
    {
        return set(() -> clock = Objects.requireNonNull(newClock, "clock"));
    }

    /**
     * Check all settings.
     *
     * @return this.
     * @throws IllegalArgumentException if one is out of range; the message names the value and the range.
     */
    public TcpContext conclude()
    {
        Range.check("port", port, 0, 65_535);
        Range.check("maxClients", maxClients, 1, MAX_CLIENTS);
        Range.check("clientQueueBytes", clientQueueBytes, MIN_CLIENT_QUEUE_BYTES, MAX_CLIENT_QUEUE_BYTES);
        Range.check("stallTimeoutNs", stallTimeoutNs, 0, MAX_STALL_NS);
        Range.check("maxSymbols", maxSymbols, 1, LatestQuotes.MAX_SYMBOLS);
        concluded = true;
        return this;
    }

    void configure(final SocketChannel channel) throws IOException
    {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.setOption(StandardSocketOptions.SO_SNDBUF, sendBufferBytes);
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        if (channel.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE))
        {
            channel.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, KEEP_ALIVE_IDLE_S);
            channel.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, KEEP_ALIVE_INTERVAL_S);
            channel.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, KEEP_ALIVE_COUNT);
        }
    }
}

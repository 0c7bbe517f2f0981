package io.millrace.gateway.feed;

import io.millrace.gateway.BboEvent;
import io.millrace.gateway.bbo.BboPacketCodec;
import io.millrace.gateway.bbo.BboPacketDescriptor;
import io.millrace.gateway.bbo.PacketForm;
import io.millrace.pool.ByteView;
import io.millrace.pool.PaddedLong;
import io.millrace.pool.Range;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.PortUnreachableException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Sends the events of a {@link BboFeed} as BBO packets, open loop: when each packet is due is fixed in advance, and a
 * late packet does not delay the following ones. The send time in an extended packet is the time at which it was due.
 * <p>
 * An {@link Agent}: run it by an {@code AgentRunner}, or call {@link #doWork()}. It sends what is due and returns; how
 * exactly it keeps the times depends on the idle strategy. At the end of the feed it terminates. Nothing is allocated
 * for a packet.
 */
public final class Feeder implements Agent
{
    /** Greatest rate, in packets a second. */
    public static final double MAX_RATE = 1e9;
    /** Greatest speed, as a multiple of the recorded pace. */
    public static final double MAX_SPEED = 1e9;

    /** Some 100 microseconds of work. */
    private static final int PACKETS_PER_CALL = 64;
    private static final double NS_PER_S = TimeUnit.SECONDS.toNanos(1);

    private final BboFeed feed;
    private final InetSocketAddress target;
    private final NanoClock clock;
    private final BboEvent event = new BboEvent();
    private final PaddedLong sent = new PaddedLong(0);
    private final PaddedLong refused = new PaddedLong(0);
    private final PaddedLong retries = new PaddedLong(0);
    private BboPacketCodec codec = new BboPacketCodec(PacketForm.EXTENDED);
    private int payloadLength = BboPacketDescriptor.DEFAULT_PAYLOAD_LENGTH;
    private NetworkInterface groupInterface;
    private long session;
    private double rate = 1_000;
    /** 0: at the rate. */
    private double speed;

    private DatagramChannel channel;
    private ByteBuffer packet;
    private ByteView view;
    private long startNs;
    private long startEpochNs;
    private long firstRecordedNs;
    private long count;
    private boolean waits;
    private long dueNs;

    /**
     * A feeder of 1,000 extended packets a second.
     *
     * @param feed   the events; not used by another thread.
     * @param target where to; a multicast group needs {@link #groupInterface} as well.
     */
    public Feeder(final BboFeed feed, final InetSocketAddress target)
    {
        this(feed, target, SystemNanoClock.INSTANCE);
    }

    /**
     * A feeder with another clock.
     *
     * @param feed   the events.
     * @param target where to.
     * @param clock  by which packets are due.
     */
    public Feeder(final BboFeed feed, final InetSocketAddress target, final NanoClock clock)
    {
        this.feed = Objects.requireNonNull(feed, "feed");
        this.target = Objects.requireNonNull(target, "target");
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    /**
     * Send at a fixed rate.
     *
     * @param packetsPerSecond above 0, to 1e9.
     * @return this.
     */
    public Feeder rate(final double packetsPerSecond)
    {
        checkRange("rate", packetsPerSecond, MAX_RATE);
        rate = packetsPerSecond;
        speed = 0;
        return this;
    }

    /**
     * Send at the pace of the recording: {@link BboEvent#sendTimeNs()} is the recorded time.
     *
     * @param factor above 0: 1.0 as recorded, 2.0 twice as fast; to 1e9.
     * @return this.
     */
    public Feeder recordedPace(final double factor)
    {
        checkRange("speed", factor, MAX_SPEED);
        speed = factor;
        return this;
    }

    private static void checkRange(final String what, final double value, final double max)
    {
        // Written so that NaN is refused as well.
        if (!(value > 0 && value <= max))
        {
            throw new IllegalArgumentException(what + " " + value + " is not above 0 and at most " + max);
        }
    }

    /**
     * Form of the packets; default extended.
     *
     * @param form PLAIN or EXTENDED.
     * @return this.
     */
    public Feeder form(final PacketForm form)
    {
        if (form == PacketForm.ANY)
        {
            throw new IllegalArgumentException("form ANY is not one to send: PLAIN or EXTENDED");
        }
        codec = new BboPacketCodec(form);
        return this;
    }

    /**
     * Length of each payload: zeros come before the packet.
     *
     * @param bytes 60 (28 is enough for plain packets) to 65,507; default 256.
     * @return this.
     */
    public Feeder payloadLength(final int bytes)
    {
        payloadLength = Range.check("payloadLength", bytes, BboPacketDescriptor.PLAIN_LENGTH, 65_507);
        return this;
    }

    /**
     * Session id of extended packets; default: the time of the start, nanoseconds since 1970.
     *
     * @param id any number but 0.
     * @return this.
     */
    public Feeder session(final long id)
    {
        if (id == 0)
        {
            throw new IllegalArgumentException("session 0 is no session id");
        }
        session = id;
        return this;
    }

    /**
     * Interface through which packets to a multicast group leave.
     *
     * @param newInterface the interface.
     * @return this.
     */
    public Feeder groupInterface(final NetworkInterface newInterface)
    {
        groupInterface = Objects.requireNonNull(newInterface, "groupInterface");
        return this;
    }

    /** {@inheritDoc} Opens the socket; the first packet is due now. */
    @Override
    public void onStart()
    {
        if (payloadLength < codec.maxLengthBytes())
        {
            throw new IllegalArgumentException(
                "payloadLength " + payloadLength + " is below the packet's " + codec.maxLengthBytes());
        }
        packet = ByteBuffer.allocateDirect(payloadLength);
        view = new ByteView(packet);
        try
        {
            channel = DatagramChannel.open(StandardProtocolFamily.INET);
            channel.configureBlocking(false);
            if (groupInterface != null)
            {
                channel.setOption(StandardSocketOptions.IP_MULTICAST_IF, groupInterface);
            }
            channel.connect(target);
        }
        catch (final IOException ex)
        {
            onClose();
            throw new IllegalStateException("cannot send to " + target + ": " + ex, ex);
        }
        startNs = clock.nanoTime();
        startEpochNs = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
        session = session == 0 ? startEpochNs : session;
    }

    /**
     * {@inheritDoc}
     * Sends what is due, at most 64 packets.
     *
     * @throws AgentTerminationException at the end of the feed.
     */
    @Override
    public int doWork() throws Exception
    {
        int done = 0;
        while (done < PACKETS_PER_CALL)
        {
            if (!waits && !prepare())
            {
                if (done > 0)
                {
                    return done;
                }
                throw new AgentTerminationException("the feed has ended");
            }
            if (dueNs - clock.nanoTime() > 0 || !isSent())
            {
                return done;
            }
            waits = false;
            done++;
        }
        return done;
    }

    /** Encodes the next event; false at the end. Events that have no packet are counted and left out. */
    private boolean prepare() throws Exception
    {
        while (feed.next(event))
        {
            if (count == 0)
            {
                firstRecordedNs = event.sendTimeNs();
            }
            final double afterStartNs =
                speed == 0 ? count * NS_PER_S / rate : (event.sendTimeNs() - firstRecordedNs) / speed;
            // Rounded up: a packet may be late, but never early.
            final long afterNs = (long)Math.ceil(afterStartNs);
            dueNs = startNs + afterNs;
            event.position(session, count + 1).times(startEpochNs + afterNs, 0);
            if (codec.encode(event, view, payloadLength - codec.maxLengthBytes()) > 0)
            {
                count++;
                waits = true;
                return true;
            }
            refused.addOpaque(1);
        }
        return false;
    }

    /** False if the socket's buffer is full: the packet is sent later. */
    private boolean isSent() throws IOException
    {
        packet.clear();
        try
        {
            if (channel.write(packet) == payloadLength)
            {
                sent.addOpaque(1);
                return true;
            }
        }
        catch (final PortUnreachableException ex)
        {
            // Nobody listened to an earlier packet; this one was not sent.
            retries.addOpaque(1);
            return false;
        }
        retries.addOpaque(1);
        return false;
    }

    @Override
    public void onClose()
    {
        final DatagramChannel closing = channel;
        channel = null;
        if (closing != null)
        {
            try
            {
                closing.close();
            }
            catch (final IOException ex)
            {
                throw new IllegalStateException("closing the socket to " + target, ex);
            }
        }
    }

    @Override
    public String roleName()
    {
        return "feeder";
    }

    /** @return packets sent. Any thread. */
    public long sent()
    {
        return sent.getOpaque();
    }

    /** @return events that no packet can hold. Any thread. */
    public long refused()
    {
        return refused.getOpaque();
    }

    /** @return sends that the socket refused because its buffer was full or nobody listened. Any thread. */
    public long retries()
    {
        return retries.getOpaque();
    }

    /** @return session id of the packets. After the start; calling thread. */
    public long session()
    {
        return session;
    }
}

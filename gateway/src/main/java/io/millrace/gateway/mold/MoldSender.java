package io.millrace.gateway.mold;

import io.millrace.pool.PaddedLong;
import io.millrace.server.Counters;
import io.millrace.server.codec.EventCodec;
import org.agrona.concurrent.NanoClock;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.TimeUnit;

/**
 * Sends a MoldUDP64 session to a UDP address or multicast group, and answers requests for earlier messages from a
 * bounded store. A packet is sent when it is full or at {@link #flush()}; a heartbeat follows after a second without a
 * packet. What the socket does not take is counted, and receivers request it.
 * <p>
 * A request is answered by one packet at most, and a call of {@link #doWork()} answers at most
 * {@value #REQUESTS_PER_CYCLE} of them. Bind the server to a named interface. One thread; any thread reads the
 * counters.
 */
public final class MoldSender implements Closeable
{
    /** Requests answered in a duty cycle. */
    public static final int REQUESTS_PER_CYCLE = 8;

    private static final long HEARTBEAT_NS = TimeUnit.SECONDS.toNanos(1);

    private final DatagramChannel data;
    private final DatagramChannel server;
    private final MoldStore store;
    private final NanoClock clock;
    private final MoldPacketEncoder packet;
    private final MoldPacketEncoder answer;
    private final long sessionHigh;
    private final short sessionLow;
    private final MoldPacket request = new MoldPacket();
    private final ByteBuffer received = ByteBuffer.allocateDirect(MoldDescriptor.HEADER_LENGTH + 1);
    private final PaddedLong messages = new PaddedLong(0);
    private final PaddedLong packets = new PaddedLong(0);
    private final PaddedLong heartbeats = new PaddedLong(0);
    private final PaddedLong unsent = new PaddedLong(0);
    private final PaddedLong requests = new PaddedLong(0);
    private final PaddedLong malformedRequests = new PaddedLong(0);
    private final PaddedLong unansweredRequests = new PaddedLong(0);
    private final PaddedLong tooLong = new PaddedLong(0);
    private final PaddedLong noRecord = new PaddedLong(0);
    private long lastSentNs;
    private boolean ended;

    /**
     * Opens the sockets.
     *
     * @param session     1 to 10 characters; another one after each start, so that receivers notice it.
     * @param destination where packets go.
     * @param networkName interface for a multicast group, such as {@code lo}; null for unicast.
     * @param server      address of the retransmission server; port 0 chooses one.
     * @param store       keeps messages for it.
     * @param clock       for heartbeats.
     * @throws IOException if a socket cannot be opened or bound.
     */
    public MoldSender(
        final String session,
        final InetSocketAddress destination,
        final String networkName,
        final InetSocketAddress server,
        final MoldStore store,
        final NanoClock clock) throws IOException
    {
        packet = new MoldPacketEncoder(session, MoldDescriptor.DEFAULT_PACKET_LENGTH);
        answer = new MoldPacketEncoder(session, MoldDescriptor.DEFAULT_PACKET_LENGTH);
        final ByteBuffer name = ByteBuffer.wrap(MoldPacketEncoder.session(session));
        sessionHigh = name.getLong(0);
        sessionLow = name.getShort(Long.BYTES);
        this.store = store;
        this.clock = clock;
        data = DatagramChannel.open(StandardProtocolFamily.INET);
        try
        {
            this.server = DatagramChannel.open(StandardProtocolFamily.INET);
            if (destination.getAddress().isMulticastAddress())
            {
                final NetworkInterface network = NetworkInterface.getByName(String.valueOf(networkName));
                if (network == null)
                {
                    throw new IOException(
                        "interface " + networkName + " for the group " + destination + " does not exist");
                }
                data.setOption(StandardSocketOptions.IP_MULTICAST_IF, network);
            }
            data.configureBlocking(false);
            data.connect(destination);
            this.server.bind(server);
            this.server.configureBlocking(false);
        }
        catch (final IOException | RuntimeException ex)
        {
            close();
            throw new IOException("cannot send to " + destination + " with requests on " + server + ": " + ex, ex);
        }
        packet.begin(store.next());
        lastSentNs = clock.nanoTime();
    }

    /**
     * Address of the retransmission server.
     *
     * @return with the port that was given or chosen.
     * @throws IOException if the socket is closed.
     */
    public InetSocketAddress serverAddress() throws IOException
    {
        return (InetSocketAddress)server.getLocalAddress();
    }

    /**
     * Send a message, at the latest with the next {@link #flush()}.
     *
     * @param from   has it.
     * @param offset of it.
     * @param length of it, 0 to 1,450 bytes.
     * @return false if it is longer; it is counted and has no sequence.
     */
    public boolean offer(final ByteBuffer from, final int offset, final int length)
    {
        if (!packet.put(from, offset, length))
        {
            flush();
            if (!packet.put(from, offset, length))
            {
                tooLong.addOpaque(1);
                return false;
            }
        }
        store.put(from, offset, length);
        messages.addOpaque(1);
        return true;
    }

    /** Send the messages that wait. */
    public void flush()
    {
        if (packet.count() > 0)
        {
            send();
        }
    }

    private void send()
    {
        boolean isSent = false;
        try
        {
            isSent = data.write(packet.packet()) > 0;
        }
        catch (final IOException ex)
        {
            // No route, or no receiver on this host: the messages are in the store.
            isSent = false;
        }
        (isSent ? packets : unsent).addOpaque(1);
        lastSentNs = clock.nanoTime();
        packet.begin(store.next());
    }

    /**
     * Send a heartbeat if it is time, and answer requests.
     *
     * @return number of requests read.
     * @throws IOException if the server's socket is closed.
     */
    public int doWork() throws IOException
    {
        if (clock.nanoTime() - lastSentNs >= HEARTBEAT_NS)
        {
            if (ended)
            {
                packet.endOfSession(store.next());
            }
            if (packet.count() == 0)
            {
                heartbeats.addOpaque(1);
            }
            send();
        }
        int read = 0;
        while (read < REQUESTS_PER_CYCLE && answerOne())
        {
            read++;
        }
        return read;
    }

    private boolean answerOne() throws IOException
    {
        final SocketAddress from = server.receive(received.clear());
        if (from == null)
        {
            return false;
        }
        final int length = received.position();
        received.clear();
        // A request has a count and no messages, so it is no packet to be wrapped with its length.
        if (length != MoldDescriptor.HEADER_LENGTH)
        {
            malformedRequests.addOpaque(1);
            return true;
        }
        request.wrap(received, 0, length);
        final int wanted = received.getShort(MoldDescriptor.COUNT_OFFSET) & 0xFFFF;
        final long sequence = request.sequence();
        if (request.sessionHigh() != sessionHigh || request.sessionLow() != sessionLow || wanted == 0 ||
            sequence < 1 || sequence > Long.MAX_VALUE - wanted)
        {
            malformedRequests.addOpaque(1);
            return true;
        }
        requests.addOpaque(1);
        // Older ones are gone; what is left of the range shortens the gap.
        final long first = Math.max(sequence, store.oldest());
        final long left = Math.min(sequence + wanted, store.next() - packet.count()) - first;
        if (left <= 0)
        {
            unansweredRequests.addOpaque(1);
            return true;
        }
        store.fill(first, (int)left, answer);
        if (!isSent(from))
        {
            unansweredRequests.addOpaque(1);
        }
        return true;
    }

    private boolean isSent(final SocketAddress to)
    {
        try
        {
            return server.send(answer.packet(), to) > 0;
        }
        catch (final IOException ex)
        {
            // No route back: the receiver asks again.
            return false;
        }
    }

    /**
     * Flush, and send the end of the session. Until the sender is closed, {@link #doWork()} repeats it each second and
     * answers requests. No message may follow.
     */
    public void endSession()
    {
        flush();
        ended = true;
        packet.endOfSession(store.next());
        send();
    }

    /** An event that a codec did not write, and the codec's answer. */
    void countRefused(final int answer)
    {
        (answer == EventCodec.NO_RECORD ? noRecord : tooLong).addOpaque(1);
    }

    /** @return sequence of the next message. */
    public long nextSequence()
    {
        return store.next();
    }

    /** @return messages taken. Any thread. */
    public long messages()
    {
        return messages.getOpaque();
    }

    /** @return packets that the socket took, heartbeats included. Any thread. */
    public long packets()
    {
        return packets.getOpaque();
    }

    /** @return packets that the socket did not take. Any thread. */
    public long unsent()
    {
        return unsent.getOpaque();
    }

    /** @return valid requests. Any thread. */
    public long requests()
    {
        return requests.getOpaque();
    }

    /** @return requests of another session or without sense. Any thread. */
    public long malformedRequests()
    {
        return malformedRequests.getOpaque();
    }

    /** @return valid requests for messages not kept or not sent yet, or whose answer was not sent. Any thread. */
    public long unansweredRequests()
    {
        return unansweredRequests.getOpaque();
    }

    /** @return messages too long for a packet. Any thread. */
    public long tooLong()
    {
        return tooLong.getOpaque();
    }

    /** @return events of a {@link MoldSink} for which its codec has no record. Any thread. */
    public long noRecord()
    {
        return noRecord.getOpaque();
    }

    /**
     * Add all counters to a server's.
     *
     * @param counters of the server.
     * @param name     each name begins with it and a dot.
     */
    public void addTo(final Counters counters, final String name)
    {
        counters.add(name + ".messages", "messages sent or kept for retransmission", this::messages);
        counters.add(name + ".packets", "packets that the socket took", this::packets);
        counters.add(name + ".heartbeats", "packets without a message", heartbeats::getOpaque);
        counters.add(name + ".unsent", "packets that the socket did not take; receivers request them", this::unsent);
        counters.add(name + ".requests", "requests for earlier messages", this::requests);
        counters.add(name + ".malformedRequests", "requests refused", this::malformedRequests);
        counters.add(name + ".unansweredRequests", "requests without an answer: the store is too small, " +
            "or the socket did not take it", this::unansweredRequests);
        counters.add(name + ".tooLong", "messages refused because no packet holds them", this::tooLong);
        counters.add(name + ".noRecord", "events not sent because the codec has no record for them", this::noRecord);
    }

    @Override
    public void close() throws IOException
    {
        data.close();
        // Null when the constructor could not open it.
        if (server != null)
        {
            server.close();
        }
    }
}

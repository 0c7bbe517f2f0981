package io.millrace.gateway.mold;

import com.paritytrading.nassau.moldudp64.MoldUDP64Client;
import com.paritytrading.nassau.moldudp64.MoldUDP64ClientState;
import com.paritytrading.nassau.moldudp64.MoldUDP64ClientStatusListener;
import com.paritytrading.nassau.moldudp64.MoldUDP64DefaultMessageStore;
import com.paritytrading.nassau.moldudp64.MoldUDP64DownstreamPacket;
import com.paritytrading.nassau.moldudp64.MoldUDP64RequestServer;
import com.paritytrading.nassau.moldudp64.MoldUDP64Server;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Nassau, another implementation of MoldUDP64, sends to our receiver and receives from our sender. The test that loses
 * one packet in five asks often: with five requests for a gap, it is given up, as it must be, in one of 200 runs.
 */
@Timeout(180)
class NassauTest
{
    private static final int MESSAGES = 2_000;
    private static final List<Long> ALL = LongStream.rangeClosed(1, MESSAGES).boxed().toList();

    private final List<Long> received = new ArrayList<>();

    static InetSocketAddress loopback()
    {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    /** Messages of different lengths; the first eight bytes are the sequence. */
    static ByteBuffer message(final long sequence)
    {
        return ByteBuffer.allocate(8 + (int)(sequence % 40)).putLong(0, sequence);
    }

    private static DatagramChannel bound() throws IOException
    {
        return DatagramChannel.open().bind(loopback());
    }

    @Test
    void shouldReceiveAndRecoverWhatNassauSends() throws IOException
    {
        final DatagramChannel downstream = DatagramChannel.open();
        final DatagramChannel requests = bound();
        requests.configureBlocking(false);
        final MoldUDP64DefaultMessageStore store = new MoldUDP64DefaultMessageStore();
        try (MoldUDP64RequestServer server = new MoldUDP64RequestServer(requests);
            UdpMoldTransport udp = new UdpMoldTransport(
                loopback(), null, (InetSocketAddress)requests.getLocalAddress());
            MoldReceiver receiver = new MoldReceiver(new LossyTransport(udp, 5), new MoldReceiverContext()
                .firstSequence(1).requests(2_000_000, 1_000, 1_000), SystemNanoClock.INSTANCE))
        {
            downstream.connect(udp.localAddress());
            try (MoldUDP64Server sender = new MoldUDP64Server(downstream, "nassau"))
            {
                final MoldUDP64DownstreamPacket packet = new MoldUDP64DownstreamPacket();
                for (final long sequence : ALL)
                {
                    packet.put(message(sequence));
                    store.put(message(sequence));
                    if (sequence % 20 == 0)
                    {
                        sender.send(packet);
                        packet.clear();
                        poll(receiver);
                        server.serve(store);
                    }
                }
                sender.sendHeartbeat();
                sender.sendEndOfSession();
                while (!receiver.isExhausted())
                {
                    poll(receiver);
                    server.serve(store);
                    sender.sendEndOfSession();
                }
            }
            assertEquals(ALL, received);
            assertEquals(0, receiver.counters().lost() + receiver.counters().malformed());
            assertTrue(receiver.counters().requests() > 0);
        }
    }

    private void poll(final MoldReceiver receiver) throws IOException
    {
        receiver.poll((buffer, offset, length, sequence) ->
        {
            assertEquals(sequence, buffer.getLong(offset));
            assertEquals(message(sequence).capacity(), length);
            return received.add(sequence);
        }, 1_000);
    }

    @Test
    void shouldSendAndRetransmitWhatNassauReceives() throws IOException
    {
        final DatagramChannel channel = bound();
        channel.configureBlocking(false);
        final boolean[] ended = new boolean[1];
        try (MoldSender sender = new MoldSender("ours", (InetSocketAddress)channel.getLocalAddress(), null, loopback(),
            new MoldStore(4_096, 1 << 20), SystemNanoClock.INSTANCE);
            MoldUDP64Client client = new MoldUDP64Client(channel, sender.serverAddress(),
                message -> received.add(message.getLong()), listener(ended)))
        {
            final ByteBuffer lost = ByteBuffer.allocate(2_048);
            for (final long sequence : ALL)
            {
                assertTrue(sender.offer(message(sequence), 0, message(sequence).capacity()));
                if (sequence % 20 == 0)
                {
                    sender.flush();
                    if (sequence % 100 == 0)
                    {
                        channel.receive(lost.clear());
                    }
                    client.receive();
                    sender.doWork();
                }
            }
            sender.endSession();
            while (!ended[0] || received.size() < MESSAGES)
            {
                client.receive();
                sender.doWork();
            }
            assertEquals(ALL, received);
            assertTrue(sender.requests() > 0);
            assertEquals(0, sender.malformedRequests() + sender.unansweredRequests());
        }
    }

    private static MoldUDP64ClientStatusListener listener(final boolean[] ended)
    {
        return new MoldUDP64ClientStatusListener()
        {
            @Override
            public void state(final MoldUDP64Client client, final MoldUDP64ClientState next)
            {
            }

            @Override
            public void downstream(final MoldUDP64Client client, final long sequence, final int count)
            {
            }

            @Override
            public void request(final MoldUDP64Client client, final long sequence, final int count)
            {
            }

            @Override
            public void endOfSession(final MoldUDP64Client client)
            {
                ended[0] = true;
            }
        };
    }
}

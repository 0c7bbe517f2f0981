package io.millrace.gateway.mold;

import io.millrace.pool.testkit.ChildJvm;
import org.agrona.CloseHelper;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What a sender sends and answers, packet by packet, with real sockets; the test moves the clock. */
@Timeout(180)
class MoldSenderTest
{
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int MESSAGES = 8;
    private static final int LENGTH = 10;
    /** Seven messages: fewer than their number allows. */
    private static final int BYTES = 7 * LENGTH;

    private DatagramSocket group;
    private DatagramSocket client;
    private MoldSender sender;
    private long nowNs;

    @BeforeEach
    void open() throws IOException
    {
        group = socket();
        client = socket();
    }

    private static DatagramSocket socket() throws IOException
    {
        final DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        socket.setSoTimeout(60_000);
        return socket;
    }

    private void launch(final int bytes) throws IOException
    {
        sender = new MoldSender("S", (InetSocketAddress)group.getLocalSocketAddress(), null, NassauTest.loopback(),
            new MoldStore(MESSAGES, bytes), () -> nowNs);
    }

    @AfterEach
    void close() throws IOException
    {
        CloseHelper.close(sender);
        group.close();
        client.close();
    }

    /** Messages a, b, c and so on. */
    private void offer(final int first, final int count)
    {
        for (int i = first; i < first + count; i++)
        {
            final ByteBuffer message = ByteBuffer.wrap(text(i, 1).getBytes(StandardCharsets.US_ASCII));
            assertTrue(sender.offer(message, 0, LENGTH));
        }
    }

    private static String text(final int first, final int count)
    {
        final StringBuilder text = new StringBuilder();
        for (int i = first; i < first + count; i++)
        {
            text.append(String.valueOf((char)('a' + i - 1)).repeat(LENGTH));
        }
        return text.toString();
    }

    /** The next packet: its sequence, its count, its messages. */
    private static String receive(final DatagramSocket from) throws IOException
    {
        final byte[] bytes = new byte[2_048];
        final DatagramPacket datagram = new DatagramPacket(bytes, bytes.length);
        from.receive(datagram);
        final ByteBuffer buffer = ByteBuffer.wrap(bytes);
        final MoldPacket packet = new MoldPacket();
        assertTrue(packet.wrap(buffer, 0, datagram.getLength()));
        final StringBuilder text = new StringBuilder();
        text.append(packet.sequence()).append('+').append(packet.isEndOfSession() ? "end" : packet.count() + " ");
        while (packet.hasNext())
        {
            packet.next();
            text.append(new String(bytes, packet.messageOffset(), packet.messageLength(), StandardCharsets.US_ASCII));
        }
        return text.toString();
    }

    private void request(final String session, final long sequence, final int count) throws IOException
    {
        final ByteBuffer packet = new MoldPacketEncoder(session, MoldDescriptor.HEADER_LENGTH)
            .request(sequence, count).packet();
        final byte[] bytes = new byte[packet.remaining()];
        packet.get(bytes);
        final SocketAddress server = sender.serverAddress();
        client.send(new DatagramPacket(bytes, bytes.length, server));
        while (sender.doWork() == 0)
        {
            LockSupport.parkNanos(100_000);
        }
    }

    @Test
    void shouldCloseItsFirstSocketWhenThereIsNoDescriptorForTheSecond() throws Exception
    {
        final ChildJvm child = new ChildJvm().withFewDescriptors().run(ScarceSenderProgram.class);
        assertEquals(0, child.exitCode, child::toString);
    }

    /** Receivers get a message first by the packet that all get, so nobody has it before the others. */
    @Test
    void shouldNotAnswerWithMessagesThatWereNotSentYet() throws IOException
    {
        launch(1 << 10);
        offer(1, 2);
        request("S", 1, 2);
        assertEquals(1, sender.unansweredRequests());
        sender.flush();
        assertEquals("1+2 " + text(1, 2), receive(group));
        offer(3, 1);
        request("S", 1, 9);
        assertEquals("1+2 " + text(1, 2), receive(client));
        assertEquals(1, sender.unansweredRequests());
        assertEquals(2, sender.requests());
    }

    @Test
    void shouldAnswerWithTheMessagesThatAreKept() throws IOException
    {
        launch(1 << 10);
        offer(1, 20);
        sender.flush();
        request("S", 1, 20);
        assertEquals("13+8 " + text(13, 8), receive(client));
        request("S", 12, 1);
        assertEquals(1, sender.unansweredRequests());
    }

    /** Seven messages fill the store exactly, again and again. */
    @Test
    void shouldKeepAsManyMessagesAsTheStoreHolds() throws IOException
    {
        launch(BYTES);
        for (int next = 1; next < 20; next++)
        {
            offer(next, 1);
            sender.flush();
            request("S", 1, 20);
            final int kept = Math.min(next, BYTES / LENGTH);
            assertEquals(next - kept + 1 + "+" + kept + " " + text(next - kept + 1, kept), receive(client));
        }
    }

    @Test
    void shouldAnswerWithTheMessagesWhoseBytesAreKept() throws IOException
    {
        launch(BYTES + LENGTH / 2);
        for (int next = 1; next < 20; next++)
        {
            offer(next, 1);
            sender.flush();
            request("S", 1, 20);
            final int kept = Math.min(next, BYTES / LENGTH);
            final String answer = receive(client);
            // What does not fit behind the last message begins at the front again, and displaces one more there.
            assertTrue(answer.equals(next - kept + 1 + "+" + kept + " " + text(next - kept + 1, kept)) ||
                answer.equals(next - kept + 2 + "+" + (kept - 1) + " " + text(next - kept + 2, kept - 1)), answer);
        }
    }

    /** It displaces all, and receivers cannot get it again. */
    @Test
    void shouldSendButNotKeepAMessageThatIsLongerThanTheStore() throws IOException
    {
        launch(LENGTH + LENGTH / 2);
        offer(1, 1);
        final ByteBuffer longer = ByteBuffer.wrap(text(2, 2).getBytes(StandardCharsets.US_ASCII));
        assertTrue(sender.offer(longer, 0, 2 * LENGTH));
        sender.flush();
        assertEquals("1+2 " + text(1, 3), receive(group));
        request("S", 1, 2);
        assertEquals(1, sender.unansweredRequests());
        offer(3, 1);
        sender.flush();
        assertEquals("3+1 " + text(3, 1), receive(group));
        request("S", 1, 3);
        assertEquals("3+1 " + text(3, 1), receive(client));
        // One that fills it is kept.
        assertTrue(sender.offer(longer, 0, LENGTH + LENGTH / 2));
        sender.flush();
        request("S", 1, 4);
        assertEquals("4+1 " + text(2, 2).substring(0, LENGTH + LENGTH / 2), receive(client));
    }

    @Test
    void shouldFillAPacketToItsLastByte()
    {
        final String session = "!ABCDEFGH~";
        assertEquals(session, new String(MoldPacketEncoder.session(session), StandardCharsets.US_ASCII));
        assertEquals("S         ", new String(MoldPacketEncoder.session("S"), StandardCharsets.US_ASCII));
        final ByteBuffer message = ByteBuffer.allocate(11);
        final MoldPacketEncoder encoder = new MoldPacketEncoder(session, 32);
        assertFalse(encoder.put(message, 0, 11));
        assertTrue(encoder.put(message, 0, 10));
        assertFalse(encoder.put(message, 0, 0));
        assertEquals(32, encoder.length());
    }

    @Test
    void shouldRefuseRequestsWithoutSense() throws IOException
    {
        launch(1 << 10);
        offer(1, 2);
        sender.flush();
        request("T", 1, 1);
        request("S", 0, 1);
        request("S", -1, 1);
        request("S", 1, 0);
        request("S", Long.MAX_VALUE - 1, 5);
        assertEquals(5, sender.malformedRequests());
        // Nothing was sent for them: this is the first answer.
        request("S", 2, 1);
        assertEquals("2+1 " + text(2, 1), receive(client));
    }

    @Test
    void shouldRepeatTheEndOfTheSessionEachSecond() throws IOException
    {
        launch(1 << 10);
        nowNs += TimeUnit.SECONDS.toNanos(1);
        sender.doWork();
        assertEquals("1+0 ", receive(group));
        offer(1, 1);
        sender.endSession();
        assertEquals("1+1 " + text(1, 1), receive(group));
        assertEquals("2+end", receive(group));
        for (int i = 0; i < 3; i++)
        {
            nowNs += TimeUnit.SECONDS.toNanos(1);
            sender.doWork();
            assertEquals("2+end", receive(group));
        }
    }

    @Test
    void shouldRecoverEverythingFromASenderOverUdp() throws IOException
    {
        final long seed = Long.getLong("millrace.seed", System.nanoTime());
        System.out.println("-Dmillrace.seed=" + seed);
        final int count = 20_000;
        final List<Long> received = new ArrayList<>();
        // The transport needs the server's address, and the sender the transport's: so one sender serves, one sends.
        final MoldStore store = new MoldStore(1 << 15, 1 << 20);
        final InetSocketAddress nowhere = new InetSocketAddress(NassauTest.loopback().getAddress(), 9);
        try (MoldSender server = new MoldSender("S", nowhere, null, NassauTest.loopback(), store,
            SystemNanoClock.INSTANCE);
            UdpMoldTransport udp = new UdpMoldTransport(NassauTest.loopback(), null, server.serverAddress());
            MoldSender all = new MoldSender("S", udp.localAddress(), null, NassauTest.loopback(), store,
                SystemNanoClock.INSTANCE))
        {
            final LossyTransport lossy = new LossyTransport(udp, 6, seed);
            final MoldReceiver receiver = new MoldReceiver(lossy, new MoldReceiverContext().firstSequence(1)
                .heldPackets(8).reorderNs(MS / 10).requests(2 * MS, 1_000, 300), SystemNanoClock.INSTANCE);
            for (long i = 1; i <= count; i++)
            {
                assertTrue(all.offer(NassauTest.message(i), 0, 8 + (int)(i % 40)));
                if (i % 50 == 0)
                {
                    all.flush();
                    poll(receiver, received);
                    server.doWork();
                }
            }
            all.endSession();
            while (!receiver.isExhausted())
            {
                poll(receiver, received);
                server.doWork();
                all.endSession();
            }
            assertEquals(LongStream.rangeClosed(1, count).boxed().toList(), received);
            assertEquals(0, receiver.counters().lost() + receiver.counters().malformed());
            assertTrue(lossy.lostPackets > 100, () -> "" + lossy.lostPackets);
        }
    }

    private static void poll(final MoldReceiver receiver, final List<Long> received) throws IOException
    {
        receiver.poll((buffer, offset, length, sequence) ->
        {
            assertEquals(sequence, buffer.getLong(offset));
            assertEquals(8 + sequence % 40, length);
            return received.add(sequence);
        }, 10_000);
    }
}

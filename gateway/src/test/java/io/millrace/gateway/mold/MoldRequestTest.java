package io.millrace.gateway.mold;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** When a receiver requests, and when it does not. The test moves the clock. */
class MoldRequestTest
{
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    private final PacketWire wire = new PacketWire();
    private final List<Long> delivered = new ArrayList<>();
    private long nowNs;

    private MoldReceiver receiver(final MoldReceiverContext limits)
    {
        return new MoldReceiver(wire, limits.requests(10 * MS, 3, 4), () -> nowNs);
    }

    private void send(final long sequence)
    {
        wire.packets.add(MoldReceiverTest.packet("S", sequence, 1));
    }

    /** A poll of at most so many messages. */
    private void poll(final MoldReceiver receiver, final int limit) throws IOException
    {
        receiver.poll((buffer, offset, length, sequence) -> delivered.add(sequence), limit);
    }

    /** A poll may end before a packet that is held and comes next. */
    @Test
    void shouldRequestNothingThatItHolds() throws IOException
    {
        final MoldReceiver receiver = receiver(new MoldReceiverContext().reorderNs(0));
        send(1);
        send(3);
        poll(receiver, 10);
        assertEquals(List.of("2+1"), wire.requests);
        send(2);
        poll(receiver, 1);
        assertEquals(List.of(1L, 2L), delivered);
        poll(receiver, 1);
        assertEquals(List.of(1L, 2L, 3L), delivered);
        assertEquals(List.of("2+1"), wire.requests);
    }

    /** A full socket or a route that is away for a moment. */
    @Test
    void shouldNotGiveUpAGapBecauseOneRequestWasNotSent() throws IOException
    {
        final MoldReceiver receiver = receiver(new MoldReceiverContext().reorderNs(0).heldPackets(2));
        send(1);
        send(3);
        wire.isFull = true;
        poll(receiver, 10);
        send(4);
        // At once a second one would fail, too.
        poll(receiver, 10);
        wire.isFull = false;
        nowNs = 2 * MS;
        poll(receiver, 10);
        assertEquals(List.of("2+1", "2+1"), wire.requests);
        assertEquals(1, receiver.counters().requests());
        send(2);
        poll(receiver, 10);
        assertEquals(List.of(1L, 2L, 3L, 4L), delivered);
        assertEquals(0, receiver.counters().lost());
    }

    /** A gap that closed without an answer says nothing about the next one. */
    @Test
    void shouldTryEachGapTwice() throws IOException
    {
        final MoldReceiver receiver = receiver(new MoldReceiverContext().reorderNs(0).heldPackets(2));
        wire.isFull = true;
        send(1);
        send(3);
        poll(receiver, 10);
        send(2);
        send(5);
        send(6);
        nowNs = 5 * MS;
        poll(receiver, 10);
        assertEquals(List.of("2+1", "4+1"), wire.requests);
        assertEquals(0, receiver.counters().lost());
        nowNs = 7 * MS;
        poll(receiver, 10);
        assertEquals(1, receiver.counters().lost());
    }

    /** A server that answers lives: although the slots are full again, the next gap gets all requests. */
    @Test
    void shouldCountTheRequestsAnewAfterAnAnswer() throws IOException
    {
        final MoldReceiver receiver = receiver(new MoldReceiverContext().reorderNs(0).heldPackets(2));
        send(1);
        send(3);
        send(4);
        for (nowNs = 0; nowNs <= 40 * MS; nowNs += 10 * MS)
        {
            poll(receiver, 10);
        }
        assertEquals(List.of(1L, 3L, 4L), delivered);
        send(6);
        poll(receiver, 10);
        send(5);
        poll(receiver, 10);
        send(8);
        send(9);
        poll(receiver, 10);
        nowNs += 10 * MS;
        poll(receiver, 10);
        assertEquals(List.of("2+1", "2+1", "2+1", "5+1", "7+1", "7+1"), wire.requests);
        assertEquals(1, receiver.counters().lost());
        assertEquals(3, receiver.counters().gaps());
    }

    @Test
    void shouldCloseTheSocketsOfItsTransport() throws IOException
    {
        try (UdpMoldTransport server = new UdpMoldTransport(NassauTest.loopback(), null, null))
        {
            final UdpMoldTransport udp = new UdpMoldTransport(NassauTest.loopback(), null, server.localAddress());
            final ByteBuffer request = new MoldPacketEncoder("S", MoldDescriptor.HEADER_LENGTH).request(1, 1).packet();
            assertTrue(udp.request(request.duplicate()));
            new MoldReceiver(udp, new MoldReceiverContext(), () -> nowNs).close();
            assertThrows(ClosedChannelException.class, udp::localAddress);
            assertFalse(udp.request(request));
        }
    }

    /** Two packets that follow each other, with none between that reached the next message. */
    @Test
    void shouldGoBackToTheLastPacketIfTheFirstIsTooFarBehindIt() throws IOException
    {
        final MoldReceiver receiver = receiver(new MoldReceiverContext().maxGap(100).silenceNs(100 * MS));
        send(1_000);
        send(10);
        send(1_001);
        poll(receiver, 10);
        nowNs = 150 * MS;
        send(11);
        send(500);
        poll(receiver, 10);
        assertEquals(0, receiver.counters().fallBacks());
        send(501);
        poll(receiver, 10);
        assertEquals(1, receiver.counters().fallBacks());
        assertEquals(List.of(1_000L, 1_001L, 501L), delivered);
    }

    @Test
    void shouldNeedNoSlotForADuplicate() throws IOException
    {
        final MoldReceiver receiver = receiver(new MoldReceiverContext().reorderNs(MS).heldPackets(2));
        for (int i = 0; i < 6; i++)
        {
            send(1);
        }
        send(3);
        send(3);
        send(4);
        send(2);
        poll(receiver, 10);
        assertEquals(List.of(1L, 2L, 3L, 4L), delivered);
        assertEquals(0, receiver.counters().notHeld());
        assertEquals(6, receiver.counters().duplicates());
    }

    @Test
    void shouldBelieveAPacketWhoseEndIsAtTheGreatestGap() throws IOException
    {
        final MoldReceiver receiver = receiver(new MoldReceiverContext().reorderNs(0).maxGap(100));
        send(1);
        send(102);
        poll(receiver, 10);
        assertEquals(1, receiver.counters().farAhead());
        assertEquals(List.of(), wire.requests);
        send(101);
        poll(receiver, 10);
        assertEquals(1, receiver.counters().farAhead());
        assertEquals(List.of("2+4"), wire.requests);
    }

    /** The same packet again, as by a second line, agrees with none; nor does one too far behind it. */
    @Test
    void shouldBelieveAPacketFarAheadOnlyByANewOneCloseBehindIt() throws IOException
    {
        final MoldReceiver receiver = receiver(new MoldReceiverContext().maxGap(100).reorderNs(0));
        send(1);
        send(1_000);
        send(1_000);
        send(1_101);
        poll(receiver, 10);
        assertEquals(3, receiver.counters().farAhead());
        assertEquals(List.of(1L), delivered);
        // It ends 100 messages behind the end of the one before.
        send(1_201);
        poll(receiver, 10);
        assertEquals(1_199, receiver.counters().lost());
        // One that is near comes in between.
        send(5_000);
        send(1_202);
        send(5_001);
        poll(receiver, 10);
        assertEquals(List.of(1L, 1_201L, 1_202L), delivered);
        send(5_002);
        poll(receiver, 10);
        assertEquals(List.of(1L, 1_201L, 1_202L, 5_002L), delivered);
        assertEquals(5, receiver.counters().farAhead());
    }

    private void end(final long sequence)
    {
        final MoldPacketEncoder encoder = new MoldPacketEncoder("S", MoldDescriptor.HEADER_LENGTH);
        wire.packets.add(ByteBuffer.allocate(MoldDescriptor.HEADER_LENGTH)
            .put(encoder.endOfSession(sequence).packet()).flip());
    }

    @Test
    void shouldEndWithTheAnswerToItsRequestOfTheLastMessages() throws IOException
    {
        final MoldReceiver receiver = receiver(new MoldReceiverContext().reorderNs(0));
        send(1);
        end(3);
        poll(receiver, 10);
        assertFalse(receiver.isExhausted());
        send(2);
        poll(receiver, 10);
        assertEquals(List.of(1L, 2L), delivered);
        assertTrue(receiver.isExhausted());
    }

    @Test
    void shouldNotEndANewSessionWithTheOldOne() throws IOException
    {
        final MoldReceiver receiver = receiver(new MoldReceiverContext().firstSequence(1).reorderNs(0).silenceNs(MS));
        send(1);
        end(3);
        poll(receiver, 10);
        nowNs = 2 * MS;
        wire.packets.add(MoldReceiverTest.packet("T", 1, 0));
        poll(receiver, 10);
        assertEquals(2, receiver.counters().sessions());
        assertFalse(receiver.isExhausted());
    }
}

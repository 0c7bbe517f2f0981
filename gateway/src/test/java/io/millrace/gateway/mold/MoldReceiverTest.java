package io.millrace.gateway.mold;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Rules of recovery, with packets that the test hands over one by one; then sender and receiver over UDP. */
@Timeout(180)
class MoldReceiverTest
{
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    private final PacketWire wire = new PacketWire();
    private final List<String> events = new ArrayList<>();
    private final MoldHandler handler = new MoldHandler()
    {
        @Override
        public boolean onMessage(final ByteBuffer buffer, final int offset, final int length, final long sequence)
        {
            assertEquals(sequence, buffer.getLong(offset));
            events.add("" + sequence);
            return true;
        }

        @Override
        public void onLoss(final long first, final long count)
        {
            events.add("lost " + first + "+" + count);
        }

        @Override
        public void onNewSession()
        {
            events.add("session");
        }
    };
    private long nowNs;

    private MoldReceiver receiver(final MoldReceiverContext limits)
    {
        return new MoldReceiver(wire, limits, () -> nowNs);
    }

    static ByteBuffer packet(final String session, final long sequence, final int count)
    {
        final MoldPacketEncoder encoder = new MoldPacketEncoder(session, 1_472).begin(sequence);
        for (int i = 0; i < count; i++)
        {
            assertTrue(encoder.put(ByteBuffer.allocate(8).putLong(0, sequence + i), 0, 8));
        }
        return ByteBuffer.allocate(encoder.length()).put(encoder.packet()).flip();
    }

    private void send(final long sequence, final int count)
    {
        wire.packets.add(packet("S", sequence, count));
    }

    private void end(final long sequence)
    {
        wire.packets.add(ByteBuffer.allocate(20).put(
            new MoldPacketEncoder("S", 20).endOfSession(sequence).packet()).flip());
    }

    /** What was delivered since the last call, the clock at some milliseconds. */
    private String at(final long ms, final MoldReceiver receiver) throws IOException
    {
        nowNs = ms * MS;
        receiver.poll(handler, 1_000);
        final String text = String.join(" ", events);
        events.clear();
        return text;
    }

    @Test
    void shouldDeliverInOrderAndOnce() throws IOException
    {
        final MoldReceiver receiver = receiver(new MoldReceiverContext());
        send(7, 2);
        send(9, 1);
        send(7, 2);
        assertEquals("7 8 9", at(0, receiver));
        send(12, 1);
        send(8, 3);
        assertEquals("10", at(0, receiver));
        send(11, 1);
        assertEquals("11 12", at(0, receiver));
        assertEquals(4, receiver.counters().duplicates());
        assertEquals(1, receiver.counters().gaps());
        assertEquals(List.of(), wire.requests);
        send(13, 0);
        assertEquals("", at(0, receiver));
        assertEquals(1, receiver.counters().heartbeats());
        assertFalse(receiver.isExhausted());
        end(13);
        assertEquals("", at(0, receiver));
        assertTrue(receiver.isExhausted());
    }

    @Test
    void shouldStopWhereTheHandlerStops() throws IOException
    {
        final MoldReceiver receiver = receiver(new MoldReceiverContext());
        send(1, 3);
        end(4);
        for (int i = 1; i <= 3; i++)
        {
            assertEquals(1, receiver.poll((buffer, offset, length, sequence) -> false, 10));
            assertEquals(i + 1, receiver.nextSequence());
        }
        assertFalse(receiver.isExhausted());
        assertEquals(0, receiver.poll(handler, 10));
        assertTrue(receiver.isExhausted());
    }

    @Test
    void shouldRequestWhatIsMissingUntilItArrives() throws IOException
    {
        final MoldReceiver receiver =
            receiver(new MoldReceiverContext().firstSequence(1).reorderNs(MS).requests(10 * MS, 3, 4));
        send(11, 1);
        assertEquals("", at(0, receiver));
        assertEquals(List.of(), wire.requests);
        assertEquals("", at(1, receiver));
        assertEquals(List.of("1+4"), wire.requests);
        send(1, 4);
        assertEquals("1 2 3 4", at(2, receiver));
        assertEquals(List.of("1+4", "5+4"), wire.requests);
        assertEquals("", at(11, receiver));
        assertEquals(List.of("1+4", "5+4"), wire.requests);
        assertEquals("", at(12, receiver));
        assertEquals(List.of("1+4", "5+4", "5+4"), wire.requests);
        send(5, 6);
        assertEquals("5 6 7 8 9 10 11", at(13, receiver));
        assertEquals(1, receiver.counters().gaps());
        assertEquals(3, receiver.counters().requests());
        assertEquals(0, receiver.counters().lost());
    }

    @Test
    void shouldGiveUpAGapAfterItsAttempts() throws IOException
    {
        final MoldReceiver receiver = receiver(new MoldReceiverContext().reorderNs(0).requests(10 * MS, 2, 100));
        send(1, 1);
        send(5, 1);
        send(8, 1);
        assertEquals("1", at(0, receiver));
        assertEquals("", at(10, receiver));
        assertEquals("lost 2+3", at(20, receiver));
        assertEquals("5", at(20, receiver));
        assertEquals("", at(30, receiver));
        assertEquals("lost 6+2", at(40, receiver));
        end(9);
        assertEquals("8", at(40, receiver));
        assertEquals(2, receiver.counters().gaps());
        assertTrue(receiver.isExhausted());
        assertEquals(5, receiver.counters().lost());
        assertEquals(3, receiver.counters().messages());
    }

    /** The number behind its last message would be negative, and no later packet would fit. */
    @Test
    void shouldRefuseASequenceWithoutASuccessor() throws IOException
    {
        final MoldReceiver receiver = receiver(new MoldReceiverContext());
        send(Long.MAX_VALUE, 1);
        send(Long.MAX_VALUE - 1, 0);
        send(0, 1);
        send(-1, 0);
        send(7, 2);
        assertEquals("7 8", at(0, receiver));
        assertEquals(4, receiver.counters().malformed());
    }

    /** A server that answers with a part lives: what is left gets all attempts. */
    @Test
    void shouldCountTheAttemptsAnewAfterProgress() throws IOException
    {
        final MoldReceiver receiver =
            receiver(new MoldReceiverContext().firstSequence(1).reorderNs(0).requests(10 * MS, 2, 4));
        send(11, 1);
        assertEquals("", at(0, receiver));
        assertEquals("", at(10, receiver));
        send(1, 4);
        assertEquals("1 2 3 4", at(11, receiver));
        assertEquals("", at(21, receiver));
        assertEquals(List.of("1+4", "1+4", "5+4", "5+4"), wire.requests);
        assertEquals("lost 5+6", at(31, receiver));
    }

    @Test
    void shouldRequestTheGapOfANewSessionThatBeginsWhereTheOldOneHadOne() throws IOException
    {
        final MoldReceiver receiver =
            receiver(new MoldReceiverContext().reorderNs(0).silenceNs(100 * MS).requests(200 * MS, 1, 4));
        send(1, 1);
        send(3, 1);
        assertEquals("1", at(0, receiver));
        wire.packets.add(packet("T", 1, 1));
        wire.packets.add(packet("T", 3, 1));
        assertEquals("lost 2+2 session 1", at(100, receiver));
        assertEquals(List.of("2+1", "2+1"), wire.requests);
        assertEquals("", at(299, receiver));
        assertEquals("lost 2+1", at(300, receiver));
    }

    /** The retransmission of a packet may hold more messages than the one that is kept. */
    @Test
    void shouldHoldALongerPacketWithTheSameFirstMessage() throws IOException
    {
        final MoldReceiver receiver = receiver(new MoldReceiverContext().reorderNs(0));
        send(1, 1);
        send(3, 1);
        send(3, 3);
        send(3, 2);
        assertEquals("1", at(0, receiver));
        assertEquals(2, receiver.counters().duplicates());
        send(2, 1);
        assertEquals("2 3 4 5", at(0, receiver));
    }

    @Test
    void shouldNoticeLossByAHeartbeatAndAtTheEnd() throws IOException
    {
        final MoldReceiver receiver = receiver(new MoldReceiverContext().reorderNs(0).requests(MS, 1, 100));
        send(1, 1);
        send(4, 0);
        assertEquals("1", at(0, receiver));
        assertEquals(List.of("2+2"), wire.requests);
        send(2, 2);
        assertEquals("2 3", at(0, receiver));
        end(6);
        assertEquals("", at(0, receiver));
        assertFalse(receiver.isExhausted());
        assertEquals("lost 4+2", at(1, receiver));
        assertTrue(receiver.isExhausted());
    }

    @Test
    void shouldKeepABoundedNumberOfPacketsBehindAGap() throws IOException
    {
        final MoldReceiver receiver =
            receiver(new MoldReceiverContext().heldPackets(2).reorderNs(0).requests(MS, 9, 100));
        send(1, 1);
        for (int i = 3; i <= 6; i++)
        {
            send(i, 1);
        }
        assertEquals("1", at(0, receiver));
        assertEquals(2, receiver.counters().notHeld());
        send(2, 1);
        assertEquals("2 3 4", at(0, receiver));
        assertEquals(List.of("2+1", "5+2"), wire.requests);
        send(5, 2);
        assertEquals("5 6", at(0, receiver));
    }

    @Test
    void shouldTakeAnotherSessionOnlyAfterASilence() throws IOException
    {
        final MoldReceiver receiver = receiver(new MoldReceiverContext().silenceNs(100 * MS).reorderNs(0));
        send(1, 2);
        assertEquals("1 2", at(0, receiver));
        send(5, 1);
        wire.packets.add(packet("T", 1, 1));
        assertEquals("", at(1, receiver));
        assertEquals(1, receiver.counters().otherSession());
        wire.packets.add(packet("T", 4, 1));
        assertEquals("lost 3+3 session 4", at(101, receiver));
        send(6, 1);
        assertEquals("", at(102, receiver));
        assertEquals(2, receiver.counters().otherSession());
        assertEquals(2, receiver.counters().sessions());
        final MoldReceiver one = receiver(new MoldReceiverContext().session("S").silenceNs(MS));
        wire.packets.add(packet("T", 4, 1));
        assertEquals("", at(1_000, one));
    }

    @Test
    void shouldBelieveAPacketFarAheadOnlyTwice() throws IOException
    {
        final MoldReceiver receiver = receiver(new MoldReceiverContext().maxGap(100).reorderNs(0));
        send(1, 1);
        send(1_000_000, 1);
        send(2, 1);
        assertEquals("1 2", at(0, receiver));
        assertEquals(List.of(), wire.requests);
        send(5_000, 1);
        send(5_002, 1);
        send(5_003, 1);
        assertEquals("lost 3+4999 5002 5003", at(0, receiver));
        assertEquals(2, receiver.counters().farAhead());
    }

    @Test
    void shouldGoBackFromAFalsePosition() throws IOException
    {
        final MoldReceiver receiver =
            receiver(new MoldReceiverContext().silenceNs(100 * MS).reorderNs(0).requests(MS, 1, 100));
        send(1_000, 1);
        assertEquals("1000", at(0, receiver));
        send(10, 2);
        send(12, 1);
        assertEquals("", at(99, receiver));
        send(14, 1);
        assertEquals("", at(100, receiver));
        // Two in a row; what came since then is requested again.
        send(15, 1);
        assertEquals("session", at(101, receiver));
        assertEquals(List.of("10+5"), wire.requests);
        send(10, 5);
        assertEquals("10 11 12 13 14 15", at(101, receiver));
        // A false heartbeat makes the receiver give up what the sender has yet to send.
        send(500, 0);
        assertEquals("", at(101, receiver));
        assertEquals("lost 16+484", at(102, receiver));
        send(16, 0);
        assertEquals("", at(1_000, receiver));
        send(16, 1);
        send(17, 1);
        assertEquals("session 16 17", at(1_001, receiver));
        assertEquals(2, receiver.counters().fallBacks());
        assertEquals(1, receiver.counters().sessions());
    }

    @Test
    void shouldNotGoBackBeforeItsFirstMessage() throws IOException
    {
        final MoldReceiver receiver = receiver(new MoldReceiverContext().firstSequence(100).silenceNs(MS));
        for (int i = 1; i < 100; i++)
        {
            send(i, 1);
            assertEquals("", at(i, receiver));
        }
        send(100, 1);
        assertEquals("100", at(100, receiver));
        assertEquals(0, receiver.counters().fallBacks());
    }

    @Test
    void shouldBelieveAnEndOnlyBehindAllMessages() throws IOException
    {
        final MoldReceiver receiver = receiver(new MoldReceiverContext().reorderNs(0));
        send(1, 3);
        end(2);
        assertEquals("1 2 3", at(0, receiver));
        assertFalse(receiver.isExhausted());
        end(6);
        send(4, 4);
        assertEquals("4 5 6 7", at(0, receiver));
        assertFalse(receiver.isExhausted());
        end(8);
        assertEquals("", at(0, receiver));
        assertTrue(receiver.isExhausted());
    }

    /** The slots of packets behind a gap are free again, and that of the first packet of the new session is not. */
    @Test
    void shouldHoldPacketsOfANewSession() throws IOException
    {
        final MoldReceiver receiver =
            receiver(new MoldReceiverContext().heldPackets(3).silenceNs(MS).reorderNs(MS).firstSequence(1));
        send(3, 1);
        send(4, 1);
        assertEquals("", at(0, receiver));
        wire.packets.add(packet("T", 1, 1));
        assertEquals("lost 1+4 session 1", at(2, receiver));
        for (final int sequence : new int[]{5, 4, 3, 2})
        {
            wire.packets.add(packet("T", sequence, 1));
        }
        assertEquals("2 3 4 5", at(2, receiver));
    }

    @Test
    void shouldRequestTheBeginOfANewSession() throws IOException
    {
        final MoldReceiver receiver =
            receiver(new MoldReceiverContext().firstSequence(7).silenceNs(10 * MS).reorderNs(0).requests(MS, 1, 100));
        send(7, 1);
        assertEquals("7", at(0, receiver));
        wire.packets.add(packet("T", 1, 2));
        assertEquals("", at(1, receiver));
        wire.packets.add(packet("T", 3, 1));
        assertEquals("session", at(10, receiver));
        assertEquals(List.of("1+2"), wire.requests);
        wire.packets.add(packet("T", 1, 2));
        assertEquals("1 2 3", at(10, receiver));
        assertEquals(0, receiver.counters().lost());
    }

    @Test
    void shouldTellOfANewSessionBeforeItsLoss() throws IOException
    {
        final MoldReceiver receiver =
            receiver(new MoldReceiverContext().firstSequence(1).silenceNs(10 * MS).reorderNs(0).requests(MS, 0, 100));
        send(1, 1);
        assertEquals("1", at(0, receiver));
        wire.packets.add(packet("T", 3, 1));
        assertEquals("session lost 1+2", at(10, receiver));
        assertEquals("3", at(10, receiver));
    }

    @Test
    void shouldRefuseLimitsOutOfRange()
    {
        final MoldReceiverContext limits = new MoldReceiverContext();
        for (final Runnable wrong : List.<Runnable>of(() -> limits.packetLength(19), () -> limits.heldPackets(0),
            () -> limits.reorderNs(-1), () -> limits.requests(0, 1, 1), () -> limits.requests(1, -1, 1),
            () -> limits.requests(1, 1, 65_535), () -> limits.maxGap(0), () -> limits.silenceNs(0),
            () -> limits.session("eleven char"), () -> limits.firstSequence(-1), () -> new MoldStore(3, 1),
            () -> new MoldStore(1, 0), () -> new MoldPacketEncoder("", 20), () -> new MoldPacketEncoder("S", 19)))
        {
            assertThrows(IllegalArgumentException.class, wrong::run);
        }
    }
}

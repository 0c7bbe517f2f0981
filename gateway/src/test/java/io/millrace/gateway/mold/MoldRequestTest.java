package io.millrace.gateway.mold;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
}

package io.millrace.gateway.mold;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What a receiver loses when one packet in 100 is lost on the way, and no request is answered. */
class SilentServerTest
{
    private final PacketWire wire = new PacketWire();
    private long stepNs = TimeUnit.MICROSECONDS.toNanos(100);
    private long nowNs;
    private long sent;
    private final MoldReceiver receiver = new MoldReceiver(wire, new MoldReceiverContext(), () -> nowNs);

    private void receive() throws IOException
    {
        for (int i = 0; i < 20_000; i++)
        {
            nowNs += stepNs;
            sent++;
            if (sent % 100 != 0)
            {
                wire.packets.add(MoldReceiverTest.packet("S", sent, 1));
            }
            receiver.poll((buffer, offset, length, sequence) -> true, 1_000);
        }
    }

    /** The slots are full after 12.8 ms, and after 1.28 ms. */
    @ParameterizedTest
    @ValueSource(longs = {100_000, 10_000})
    void shouldLoseNoMoreThanTheWireWithoutAServer(final long step) throws IOException
    {
        stepNs = step;
        wire.hasServer = false;
        receive();
        assertEquals(0, receiver.counters().notHeld());
        assertEquals(199, receiver.counters().lost(), 2);
    }

    /** Such as one whose port is closed: one gap waits for 7 ms, with 128 slots for 100 packets a millisecond. */
    @Test
    void shouldWaitOnceForAServerThatTakesNoRequest() throws IOException
    {
        stepNs = 10_000;
        wire.isFull = true;
        receive();
        final long notHeld = receiver.counters().notHeld();
        assertTrue(notHeld < 1_000, () -> notHeld + " not held");
        receive();
        assertEquals(notHeld, receiver.counters().notHeld());
    }

    @Test
    void shouldWaitLessForAServerThatDoesNotAnswer() throws IOException
    {
        receive();
        // The first gaps wait for 5 requests, 2 and 1, at 10 packets a millisecond.
        final long notHeld = receiver.counters().notHeld();
        assertTrue(notHeld > 1_000 && notHeld < 4_000, () -> notHeld + " not held");
        receive();
        assertEquals(notHeld, receiver.counters().notHeld());
    }
}

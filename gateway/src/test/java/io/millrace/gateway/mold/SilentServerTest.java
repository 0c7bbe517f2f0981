package io.millrace.gateway.mold;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What a receiver loses when one packet in 100 is lost on the way, and no request is answered. */
class SilentServerTest
{
    private static final long STEP_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private final PacketWire wire = new PacketWire();
    private long nowNs;
    private long sent;
    private final MoldReceiver receiver = new MoldReceiver(wire, new MoldReceiverContext(), () -> nowNs);

    private void receiveTwoSeconds() throws IOException
    {
        for (int i = 0; i < 20_000; i++)
        {
            nowNs += STEP_NS;
            sent++;
            if (sent % 100 != 0)
            {
                wire.packets.add(MoldReceiverTest.packet("S", sent, 1));
            }
            receiver.poll((buffer, offset, length, sequence) -> true, 1_000);
        }
    }

    @Test
    void shouldLoseNoMoreThanTheWireWithoutAServer() throws IOException
    {
        wire.hasServer = false;
        receiveTwoSeconds();
        assertEquals(0, receiver.counters().notHeld());
        assertEquals(199, receiver.counters().lost(), 2);
    }

    @Test
    void shouldWaitLessForAServerThatDoesNotAnswer() throws IOException
    {
        receiveTwoSeconds();
        // The first gaps wait for 5 requests, 2 and 1, at 10 packets a millisecond.
        final long notHeld = receiver.counters().notHeld();
        assertTrue(notHeld > 1_000 && notHeld < 4_000, () -> notHeld + " not held");
        receiveTwoSeconds();
        assertEquals(notHeld, receiver.counters().notHeld());
    }
}

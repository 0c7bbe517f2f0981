package io.millrace.gateway.udp;

import org.junit.jupiter.api.Test;

import java.net.InetSocketAddress;
import java.nio.ByteOrder;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** How a line finds itself in {@code /proc/net/udp}, on any processor. */
class UdpLineTest
{
    private final InetSocketAddress address = new InetSocketAddress("127.0.1.200", 26_400);

    @Test
    void shouldNameTheAddressBackwardsOnALittleEndianMachine()
    {
        assertEquals("C801007F:6720", UdpLine.nameInFile(address, ByteOrder.LITTLE_ENDIAN));
    }

    @Test
    void shouldNameTheAddressForwardsOnABigEndianMachine()
    {
        assertEquals("7F0001C8:6720", UdpLine.nameInFile(address, ByteOrder.BIG_ENDIAN));
    }
}

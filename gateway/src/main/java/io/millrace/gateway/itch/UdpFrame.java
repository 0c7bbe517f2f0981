package io.millrace.gateway.itch;

import java.nio.ByteBuffer;

/** Finds the UDP payload in an Ethernet frame with an IPv4 packet. Allocates nothing. One thread. */
final class UdpFrame
{
    /** What a frame is. */
    enum Kind
    {
        /** A whole UDP datagram. */
        UDP,
        /** Another protocol, or a fragment. */
        OTHER,
        /** Too short for what its headers say. */
        MALFORMED
    }

    private static final int ETHER_TYPE_OFFSET = 12;
    private static final int ETHERNET_LENGTH = 14;
    private static final int VLAN_LENGTH = 4;
    private static final int MAX_VLANS = 2;
    private static final int VLAN = 0x8100;
    private static final int SERVICE_VLAN = 0x88A8;
    private static final int IPV4 = 0x0800;
    private static final int IP_LENGTH = 20;
    private static final int UDP_PROTOCOL = 17;
    private static final int UDP_LENGTH = 8;
    /** More fragments, and the fragment's offset. */
    private static final int FRAGMENT = 0x3FFF;

    private int payloadOffset;
    private int payloadLength;
    private int destinationPort;

    Kind parse(final ByteBuffer buffer, final int offset, final int length)
    {
        int ip = ETHERNET_LENGTH;
        for (int tags = 0; ip <= length; tags++)
        {
            final int type = uint16(buffer, offset + ip - ETHERNET_LENGTH + ETHER_TYPE_OFFSET);
            if (type == IPV4)
            {
                return parseIp(buffer, offset + ip, length - ip);
            }
            if (type != VLAN && type != SERVICE_VLAN || tags == MAX_VLANS)
            {
                return Kind.OTHER;
            }
            ip += VLAN_LENGTH;
        }
        return Kind.MALFORMED;
    }

    private Kind parseIp(final ByteBuffer buffer, final int ip, final int length)
    {
        if (length < IP_LENGTH)
        {
            return Kind.MALFORMED;
        }
        final int version = buffer.get(ip) >> 4 & 0xF;
        final int header = (buffer.get(ip) & 0xF) * 4;
        // A short frame has padding behind the packet.
        final int total = uint16(buffer, ip + 2);
        if (version != 4 || header < IP_LENGTH || total < header || total > length)
        {
            return Kind.MALFORMED;
        }
        if (buffer.get(ip + 9) != UDP_PROTOCOL || (uint16(buffer, ip + 6) & FRAGMENT) != 0)
        {
            return Kind.OTHER;
        }
        if (total - header < UDP_LENGTH)
        {
            return Kind.MALFORMED;
        }
        final int datagram = uint16(buffer, ip + header + 4);
        if (datagram < UDP_LENGTH || datagram > total - header)
        {
            return Kind.MALFORMED;
        }
        destinationPort = uint16(buffer, ip + header + 2);
        payloadOffset = ip + header + UDP_LENGTH;
        payloadLength = datagram - UDP_LENGTH;
        return Kind.UDP;
    }

    private static int uint16(final ByteBuffer buffer, final int offset)
    {
        return buffer.getShort(offset) & 0xFFFF;
    }

    int payloadOffset()
    {
        return payloadOffset;
    }

    int payloadLength()
    {
        return payloadLength;
    }

    int destinationPort()
    {
        return destinationPort;
    }
}

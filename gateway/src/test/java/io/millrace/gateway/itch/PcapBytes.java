package io.millrace.gateway.itch;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Writes pcap files. */
final class PcapBytes
{
    private PcapBytes()
    {
    }

    /** A file with a UDP packet for each payload. */
    static byte[] file(final boolean bigEndian, final boolean nanoseconds, final int vlans, final byte[]... payloads)
    {
        int length = 24;
        for (final byte[] payload : payloads)
        {
            length += 16 + 14 + 4 * vlans + 28 + payload.length;
        }
        final ByteOrder order = bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        final ByteBuffer file = ByteBuffer.allocate(length).order(order);
        file.putInt(nanoseconds ? 0xA1B23C4D : 0xA1B2C3D4).putShort((short)2).putShort((short)4);
        file.putLong(0).putInt(1 << 18).putInt(1);
        for (final byte[] payload : payloads)
        {
            final int packet = 14 + 4 * vlans + 28 + payload.length;
            file.order(order).putInt(7).putInt(8).putInt(packet).putInt(packet).order(ByteOrder.BIG_ENDIAN);
            file.put(new byte[12]);
            for (int i = 0; i < vlans; i++)
            {
                file.putShort((short)(i == 0 && vlans == 2 ? 0x88A8 : 0x8100)).putShort((short)7);
            }
            file.putShort((short)0x800).put((byte)0x45).put((byte)0).putShort((short)(28 + payload.length));
            file.putInt(0x00004000).put((byte)9).put((byte)17).putShort((short)0).putLong(0x0A0000010A000002L);
            file.putShort((short)1_000).putShort((short)2_000).putShort((short)(8 + payload.length));
            file.putShort((short)0).put(payload);
        }
        return file.array();
    }
}

package io.millrace.gateway.itch;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class PcapFileTest
{
    private static final byte[] PAYLOAD = {1, 2, 3};

    @TempDir
    private Path folder;

    private PcapFile open(final byte[] bytes) throws IOException
    {
        return new PcapFile(Files.write(folder.resolve("packets"), bytes));
    }

    @Test
    void shouldReadBothByteOrdersBothClocksAndVlanTags() throws IOException
    {
        for (int form = 0; form < 12; form++)
        {
            final boolean isNs = (form & 2) != 0;
            try (PcapFile file = open(PcapBytes.file((form & 1) != 0, isNs, form / 4, PAYLOAD, new byte[0])))
            {
                assertTrue(file.next());
                assertEquals(3, file.length());
                assertEquals(2, file.buffer().get(file.offset() + 1));
                assertEquals(2_000, file.destinationPort());
                assertEquals(7_000_000_000L + (isNs ? 8 : 8_000), file.timeNs());
                assertTrue(file.next());
                assertEquals(0, file.length());
                assertFalse(file.next());
                assertEquals(2, file.packets());
                assertEquals(0, file.malformed() + file.otherPackets());
            }
        }
    }

    @Test
    void shouldCountWhatIsNoWholeUdpPacket() throws IOException
    {
        final byte[] good = PcapBytes.file(true, true, 0, PAYLOAD);
        final int ip = 24 + 16 + 14;
        final int[][] others = {{ip + 9, 6}, {ip + 6, 0x20}, {ip + 7, 1}, {ip - 1, 6}};
        for (final int[] change : others)
        {
            assertCounts(0, 1, 0, changed(good, change));
        }
        final int[][] malformed =
            {{ip, 0x65}, {ip, 0x44}, {ip + 3, 200}, {ip + 3, 27}, {ip + 25, 7}, {ip + 25, 12}, {24 + 15, 255}};
        for (final int[] change : malformed)
        {
            assertCounts(0, 0, 1, changed(good, change));
        }
        assertCounts(0, 0, 1, Arrays.copyOf(good, good.length - 1));
        assertCounts(0, 0, 1, Arrays.copyOf(good, 24 + 5));
        assertCounts(0, 0, 0, Arrays.copyOf(good, 24));
    }

    private static byte[] changed(final byte[] bytes, final int... change)
    {
        final byte[] copy = bytes.clone();
        copy[change[0]] = (byte)change[1];
        return copy;
    }

    private void assertCounts(final int packets, final int others, final int malformed, final byte[] bytes)
        throws IOException
    {
        try (PcapFile file = open(bytes))
        {
            while (file.next())
            {
                assertTrue(file.length() >= 0);
            }
            assertEquals(packets, file.packets());
            assertEquals(others, file.otherPackets());
            assertEquals(malformed, file.malformed());
        }
    }

    @Test
    void shouldRefuseAFileThatIsNoPcapFile()
    {
        final byte[] good = PcapBytes.file(true, true, 0, PAYLOAD);
        assertRefused("0x00b23c4d", changed(good, 0, 0));
        assertRefused("link type 101", changed(good, 23, 101));
        assertRefused("23 bytes", Arrays.copyOf(good, 23));
        final byte[] other = good.clone();
        System.arraycopy(new byte[]{10, 13, 13, 10}, 0, other, 0, 4);
        assertRefused("pcapng", other);
    }

    private void assertRefused(final String text, final byte[] bytes)
    {
        final String message = assertThrows(IOException.class, () -> open(bytes)).getMessage();
        assertTrue(message.contains(text), message);
    }
}

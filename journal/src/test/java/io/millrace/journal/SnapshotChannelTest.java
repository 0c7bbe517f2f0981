package io.millrace.journal;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.zip.CRC32C;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** State that is kept in another log than the journal. */
class SnapshotChannelTest
{
    private final ByteBuffer bytes = ByteBuffer.allocate(1 << 20);

    private static SnapshotOutput write(final WritableByteChannel channel, final int longs) throws IOException
    {
        final SnapshotOutput out = SnapshotOutput.to(channel);
        out.putBytes(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        out.putInt(0x04030201);
        for (int i = 0; i < longs; i++)
        {
            out.putLong(~i);
        }
        assertEquals(7 + 8L * longs, out.lengthBytes());
        out.flush();
        return out;
    }

    /** A piece of the buffer of 256 KiB has 32,768 longs; 7 bytes move each of them across its end. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 32_767, 32_768, 80_000})
    void shouldGiveTheBytesThatItTook(final int longs) throws IOException
    {
        final Pieces channel = new Pieces(bytes, 100_003);
        final SnapshotOutput out = write(channel, longs);
        assertEquals(out.lengthBytes(), bytes.position());
        final CRC32C crc = new CRC32C();
        crc.update(bytes.array(), 0, bytes.position());
        assertEquals((int)crc.getValue(), out.checksum());
        // What follows the state belongs to the caller.
        bytes.put((byte)9).flip();
        final SnapshotInput in = SnapshotInput.from(channel, out.lengthBytes());
        final ByteBuffer first = ByteBuffer.allocate(3);
        in.getBytes(first);
        assertArrayEquals(new byte[] {1, 2, 3}, first.array());
        assertEquals(0x04030201, in.getInt());
        for (int i = 0; i < longs; i++)
        {
            assertEquals(~i, in.getLong());
        }
        assertEquals(0, in.remaining());
        assertEquals("the state has 0 bytes left, 8 are wanted",
            assertThrows(EOFException.class, in::getLong).getMessage());
        final ByteBuffer rest = ByteBuffer.allocate(2);
        assertEquals(1, channel.read(rest));
        assertEquals(9, rest.get(0));
    }

    @Test
    void shouldSayThatTheChannelEndsBeforeTheState() throws IOException
    {
        final Pieces channel = new Pieces(bytes, 100);
        final SnapshotOutput out = write(channel, 2);
        bytes.flip().limit(20);
        final SnapshotInput in = SnapshotInput.from(channel, out.lengthBytes());
        assertEquals("the channel ends 3 bytes before the state",
            assertThrows(EOFException.class, in::getLong).getMessage());
        assertEquals("lengthBytes -1 is negative", assertThrows(IllegalArgumentException.class,
            () -> SnapshotInput.from(new Pieces(bytes, 1), -1)).getMessage());
    }

    /** It must not spin, and the state has not ended. */
    @Test
    void shouldRefuseAChannelThatGivesOrTakesNothing() throws IOException
    {
        final SnapshotInput in = SnapshotInput.from(new Pieces(bytes, 0), 8);
        assertEquals("the channel gave no byte of the snapshot: it must block",
            assertThrows(IOException.class, in::getLong).getMessage());
        final SnapshotOutput out = SnapshotOutput.to(new Pieces(bytes, 0));
        out.putInt(1);
        assertEquals("the channel took no byte of the snapshot: it must block",
            assertThrows(IOException.class, out::flush).getMessage());
    }
}

package io.millrace.pool;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Reads and writes little-endian numbers at any offset of a buffer, and refuses every other offset.
 */
@Tag("normal")
class ByteViewTest
{
    private static ByteBuffer bufferOf(final String kind, final int bytes)
    {
        return kind.equals("direct") ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes);
    }

    @Test
    void shouldPutTheLowestByteFirst()
    {
        final byte[] bytes = new byte[16];
        final ByteView view = new ByteView(bytes);
        view.putByte(0, (byte)0xFE);
        view.putShort(1, (short)0x0201);
        view.putInt(3, 0x06050403);
        view.putLong(7, 0x0E0D0C0B0A090807L);
        assertArrayEquals(new byte[] {-2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0}, bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap", "direct"})
    void shouldReadWrittenBytesAtAnyOffset(final String kind)
    {
        final ByteView view = new ByteView(bufferOf(kind, 32));
        for (int offset = 0; offset <= 24; offset++)
        {
            for (final long value : new long[] {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 0x1122334455667788L})
            {
                view.putLong(offset, value);
                assertEquals(value, view.getLong(offset));
                view.putInt(offset, (int)value);
                assertEquals((int)value, view.getInt(offset));
                view.putShort(offset, (short)value);
                assertEquals((short)value, view.getShort(offset));
                view.putByte(offset, (byte)value);
                assertEquals((byte)value, view.getByte(offset));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap", "direct"})
    void shouldChangeNothingOutside(final String kind)
    {
        final ByteBuffer all = bufferOf(kind, 24);
        final ByteView view = new ByteView(all.slice(8, 8));
        for (final int offset : new int[] {-1, 1, 8, Integer.MAX_VALUE, Integer.MIN_VALUE})
        {
            assertThrows(IndexOutOfBoundsException.class, () -> view.putLong(offset, -1));
            assertThrows(IndexOutOfBoundsException.class, () -> view.getLong(offset));
        }
        for (final int offset : new int[] {-1, 5, 8, Integer.MAX_VALUE, Integer.MIN_VALUE})
        {
            assertThrows(IndexOutOfBoundsException.class, () -> view.putInt(offset, -1));
            assertThrows(IndexOutOfBoundsException.class, () -> view.getInt(offset));
        }
        for (final int offset : new int[] {-1, 7, 8, Integer.MAX_VALUE, Integer.MIN_VALUE})
        {
            assertThrows(IndexOutOfBoundsException.class, () -> view.putShort(offset, (short)-1));
            assertThrows(IndexOutOfBoundsException.class, () -> view.getShort(offset));
        }
        for (final int offset : new int[] {-1, 8, Integer.MAX_VALUE, Integer.MIN_VALUE})
        {
            assertThrows(IndexOutOfBoundsException.class, () -> view.putByte(offset, (byte)-1));
            assertThrows(IndexOutOfBoundsException.class, () -> view.getByte(offset));
        }
        for (int i = 0; i < all.capacity(); i++)
        {
            assertEquals(0, all.get(i));
        }
    }

    @Test
    void shouldReportWhichRangesItContains()
    {
        final ByteView view = new ByteView(new byte[8]);
        assertTrue(view.contains(0, 8));
        assertTrue(view.contains(8, 0));
        for (final int[] outside : List.of(new int[] {0, 9}, new int[] {1, 8}, new int[] {9, 0}, new int[] {-1, 1},
            new int[] {0, -1}, new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE}, new int[] {8, Integer.MIN_VALUE},
            new int[] {Integer.MAX_VALUE, 1}))
        {
            assertFalse(view.contains(outside[0], outside[1]), () -> outside[0] + ", " + outside[1]);
        }
        assertFalse(new ByteView().contains(0, 1));
        assertEquals(0, new ByteView().capacity());
    }

    @Test
    void shouldCoverAllBytesAtAnyPositionAndLimit()
    {
        final ByteBuffer buffer = ByteBuffer.allocate(16).position(3).limit(5);
        final ByteView view = new ByteView();
        view.wrap(buffer);
        buffer.limit(1).position(0);
        view.putLong(8, 42);
        assertEquals(16, view.capacity());
        assertEquals(42, buffer.clear().get(8));
        assertEquals(0, buffer.position());
    }

    @Test
    void shouldAddBytesToAChecksum()
    {
        for (final ByteBuffer buffer : new ByteBuffer[]{ByteBuffer.allocate(9), ByteBuffer.allocateDirect(9)})
        {
            final ByteView view = new ByteView(buffer);
            final CRC32C sum = new CRC32C();
            for (int i = 0; i < 9; i++)
            {
                view.putByte(i, (byte)('1' + i));
            }
            view.updateChecksum(sum, 0, 4);
            view.updateChecksum(sum, 4, 0);
            view.updateChecksum(sum, 4, 5);
            // The published check value of CRC32C, for the input "123456789".
            assertEquals(0xE3069283L, sum.getValue());
            assertThrows(IndexOutOfBoundsException.class, () -> view.updateChecksum(sum, 4, 6));
            assertThrows(IndexOutOfBoundsException.class, () -> view.updateChecksum(sum, -1, 2));
            assertEquals(0xE3069283L, sum.getValue());
            assertEquals('9', view.getByte(8));
        }
    }
}

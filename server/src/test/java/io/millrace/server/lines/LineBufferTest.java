package io.millrace.server.lines;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class LineBufferTest
{
    /** Lines of the text when it is read in pieces of that many bytes; null for a line that is too long. */
    private static List<String> lines(final String text, final int piece, final int capacity) throws IOException
    {
        final LineBuffer buffer = new LineBuffer(capacity);
        final ReadableByteChannel all = channel(text);
        final ByteBuffer some = ByteBuffer.allocate(piece).limit(0);
        final ReadableByteChannel pieces = new ReadableByteChannel()
        {
            @Override
            public int read(final ByteBuffer into) throws IOException
            {
                if (!some.hasRemaining())
                {
                    some.clear();
                    final int bytes = all.read(some);
                    some.flip();
                    if (bytes <= 0)
                    {
                        return bytes;
                    }
                }
                int count = 0;
                while (some.hasRemaining() && into.hasRemaining())
                {
                    into.put(some.get());
                    count++;
                }
                return count;
            }

            @Override
            public boolean isOpen()
            {
                return true;
            }

            @Override
            public void close()
            {
            }
        };
        final List<String> lines = new ArrayList<>();
        do
        {
            for (int length = buffer.next(); length != LineBuffer.NONE; length = buffer.next())
            {
                final StringBuilder line = new StringBuilder();
                for (int i = 0; i < length; i++)
                {
                    line.append((char)buffer.view().getByte(buffer.lineOffset() + i));
                }
                lines.add(length == LineBuffer.TOO_LONG ? null : line.toString());
            }
        }
        while (buffer.read(pieces) > 0);
        return lines;
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, LineFormat.MAX_LINE_BYTES + 1, Integer.MAX_VALUE})
    void shouldRefuseACapacityOutOfRange(final int capacity)
    {
        final String refusal =
            assertThrows(IllegalArgumentException.class, () -> new LineBuffer(capacity)).getMessage();
        assertTrue(refusal.contains("capacity " + capacity), refusal);
    }

    @Test
    void shouldFindTheSameLinesHoweverTheyArrive() throws IOException
    {
        final String text = "a\n\nbc\r\n0123456789abcde\n0123456789abcdef\nshort\n" +
            "0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz\nlast\nno end";
        final List<String> expected = new ArrayList<>(List.of("a", "", "bc\r", "0123456789abcde"));
        expected.add(null);
        expected.add("short");
        expected.add(null);
        expected.add("last");
        for (int piece = 1; piece < text.length() + 2; piece++)
        {
            assertEquals(expected, lines(text, piece, 16), "pieces of " + piece);
        }
    }

    @Test
    void shouldSayWhetherALineWasIncomplete() throws IOException
    {
        final LineBuffer buffer = new LineBuffer(16);
        assertFalse(buffer.clear());
        buffer.read(Channels.newChannel(new ByteArrayInputStream(new byte[]{'a'})));
        assertEquals(LineBuffer.NONE, buffer.next());
        assertTrue(buffer.clear());
        assertFalse(buffer.clear());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "begun"})
    void shouldForgetTheLastRead(final String begun) throws IOException
    {
        final LineBuffer buffer = new LineBuffer(64);
        buffer.read(channel("a\n" + begun));
        assertEquals(1, buffer.next());
        assertEquals(LineBuffer.NONE, buffer.next());
        buffer.dropLastRead(buffer.read(channel("of another line\nand one")));
        assertEquals(LineBuffer.NONE, buffer.next());
        assertEquals(2, buffer.lineBytes());
        assertEquals(!begun.isEmpty(), buffer.clear());
    }

    private static ReadableByteChannel channel(final String text)
    {
        return Channels.newChannel(new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)));
    }
}

package io.millrace.server.lines;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.ByteView;
import io.millrace.pool.Range;
import io.millrace.server.codec.DecodeResult;
import io.millrace.server.codec.EventCodec;

import java.nio.charset.StandardCharsets;

/**
 * A line of text, as bytes of UTF-8. For programs that need no event type of their own.
 */
public final class LineEvent extends BasePoolAware
{
    private final byte[] bytes;
    private int length;

    /**
     * An empty line.
     *
     * @param maxBytes length of the longest line, without its line end, 0 to {@link LineFormat#MAX_LINE_BYTES}.
     */
    public LineEvent(final int maxBytes)
    {
        Range.check("maxBytes", maxBytes, 0, LineFormat.MAX_LINE_BYTES);
        bytes = new byte[maxBytes];
    }

    /**
     * Stores and reads lines as they are. A longer line than an event has space for is malformed. An empty line has no
     * record: a {@code FileSink} skips it.
     *
     * @param maxBytes length of the events.
     * @return a codec without state.
     * @throws IllegalArgumentException if the length is out of range.
     */
    public static EventCodec<LineEvent> codec(final int maxBytes)
    {
        Range.check("maxBytes", maxBytes, 0, LineFormat.MAX_LINE_BYTES);
        return new EventCodec<>()
        {
            @Override
            public int encode(final LineEvent event, final ByteView into, final int offset)
            {
                return event.encode(into, offset);
            }

            @Override
            public DecodeResult decode(final ByteView from, final int offset, final int length, final LineEvent into)
            {
                return into.decode(from, offset, length);
            }

            @Override
            public int maxLengthBytes()
            {
                return maxBytes;
            }
        };
    }

    private int encode(final ByteView into, final int offset)
    {
        if (!into.contains(offset, length))
        {
            return EventCodec.INSUFFICIENT_CAPACITY;
        }
        for (int i = 0; i < length; i++)
        {
            into.putByte(offset + i, bytes[i]);
        }
        return length;
    }

    private DecodeResult decode(final ByteView from, final int offset, final int lineLength)
    {
        if (!from.contains(offset, lineLength))
        {
            return DecodeResult.OUT_OF_BOUNDS;
        }
        if (lineLength > bytes.length)
        {
            return DecodeResult.TOO_LONG;
        }
        for (int i = 0; i < lineLength; i++)
        {
            bytes[i] = from.getByte(offset + i);
        }
        length = lineLength;
        return DecodeResult.OK;
    }

    /**
     * The bytes of the line.
     *
     * @return the event's array; the line is in its first {@link #length()} bytes.
     */
    public byte[] bytes()
    {
        return bytes;
    }

    /**
     * Length of the line.
     *
     * @return number of bytes.
     */
    public int length()
    {
        return length;
    }

    /**
     * The line as text; malformed bytes are replaced. Allocates.
     *
     * @return the text.
     */
    public String text()
    {
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    /**
     * Set the line. Allocates.
     *
     * @param text without a line end.
     * @return this.
     * @throws IllegalArgumentException if it is too long; nothing is changed.
     */
    public LineEvent text(final String text)
    {
        final byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        if (encoded.length > bytes.length)
        {
            throw new IllegalArgumentException("text of " + encoded.length + " bytes is not in 0.." + bytes.length);
        }
        System.arraycopy(encoded, 0, bytes, 0, encoded.length);
        length = encoded.length;
        return this;
    }
}

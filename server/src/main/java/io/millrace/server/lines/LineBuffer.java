package io.millrace.server.lines;

import io.millrace.pool.ByteView;
import io.millrace.pool.Range;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/**
 * Cuts a stream of bytes into lines, however the stream is cut into reads. A line feed ends a line; UTF-8 has it in no
 * other character. Nothing is allocated. Not thread-safe.
 */
public final class LineBuffer
{
    /** No complete line is in the buffer: {@link #read} more. */
    public static final int NONE = -1;
    /** A line is longer than the buffer: it is skipped up to its end, and reported once. */
    public static final int TOO_LONG = -2;

    private final ByteView view;
    private final ByteBuffer buffer;
    /** Begin of the next line; lines are in begin..end, and begin..scanned has no line feed. */
    private int begin;
    private int scanned;
    private int end;
    private int lineOffset;
    private boolean skipping;
    private long readBytes;
    private long lineBytes;

    /**
     * An empty buffer.
     *
     * @param capacity bytes of the longest line, its line feed included; 1 to 2^24.
     * @throws IllegalArgumentException if the number is out of range.
     */
    public LineBuffer(final int capacity)
    {
        buffer = ByteBuffer.allocateDirect(Range.check("capacity", capacity, 1, LineFormat.MAX_LINE_BYTES));
        view = new ByteView(buffer);
    }

    /**
     * Read once.
     *
     * @param from a channel that does not block.
     * @return number of bytes; 0 if there was nothing or no space; -1 at the end of the stream.
     * @throws IOException if the channel fails.
     */
    public int read(final ReadableByteChannel from) throws IOException
    {
        if (begin > 0)
        {
            buffer.limit(end).position(begin);
            buffer.compact();
            scanned -= begin;
            end -= begin;
            begin = 0;
        }
        buffer.limit(buffer.capacity()).position(end);
        final int bytes = end == buffer.capacity() ? 0 : from.read(buffer);
        if (bytes > 0)
        {
            end += bytes;
            readBytes += bytes;
        }
        return bytes;
    }

    /** Forgets the bytes of the last {@link #read}; {@link #next} was not called since. */
    void dropLastRead(final int bytes)
    {
        end -= bytes;
        readBytes -= bytes;
    }

    /**
     * Take the next line.
     *
     * @return its length in bytes without its line feed, {@link #NONE} or {@link #TOO_LONG}.
     */
    public int next()
    {
        while (scanned < end)
        {
            if (view.getByte(scanned++) == '\n')
            {
                lineOffset = begin;
                begin = scanned;
                lineBytes = readBytes - (end - scanned);
                if (!skipping)
                {
                    return scanned - 1 - lineOffset;
                }
                skipping = false;
            }
        }
        if (skipping)
        {
            begin = end;
        }
        else if (begin == 0 && end == buffer.capacity())
        {
            skipping = true;
            begin = end;
            return TOO_LONG;
        }
        return NONE;
    }

    /**
     * Length of the line that {@link #next} has just returned, without a carriage return at its end.
     *
     * @param length as returned.
     * @return length in bytes, 0 for an empty line; {@link #TOO_LONG} as it is.
     */
    public int textLength(final int length)
    {
        return length > 0 && view.getByte(lineOffset + length - 1) == '\r' ? length - 1 : length;
    }

    /**
     * Take all complete lines, of which nobody will read the text.
     *
     * @return the number of those that are not empty; one that is too long counts.
     */
    public int takeRest()
    {
        int count = 0;
        for (int length = next(); length != NONE; length = next())
        {
            count += textLength(length) == 0 ? 0 : 1;
        }
        return count;
    }

    /**
     * Put back the line that {@link #next} has just returned, which had a length.
     *
     * @param length of the line.
     */
    void unread(final int length)
    {
        begin = lineOffset;
        scanned = lineOffset + length;
        lineBytes -= length + 1;
    }

    /**
     * The bytes of the lines.
     *
     * @return always the same view; a line is valid until the next {@link #read}.
     */
    public ByteView view()
    {
        return view;
    }

    /**
     * Where the line begins that {@link #next} returned.
     *
     * @return offset in the {@link #view()}.
     */
    public int lineOffset()
    {
        return lineOffset;
    }

    /** Bytes of the stream up to the end of the last complete line that was taken, since the last clear. */
    long lineBytes()
    {
        return lineBytes;
    }

    /**
     * Forget the begin of an incomplete line, as before another stream.
     *
     * @return whether there was one.
     */
    public boolean clear()
    {
        final boolean incomplete = end > begin && !skipping;
        begin = 0;
        scanned = 0;
        end = 0;
        readBytes = 0;
        lineBytes = 0;
        skipping = false;
        return incomplete;
    }
}

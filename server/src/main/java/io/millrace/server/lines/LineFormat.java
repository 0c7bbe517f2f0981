package io.millrace.server.lines;

import io.millrace.pool.Range;
import io.millrace.server.codec.EventCodec;

import java.util.Objects;

/**
 * How lines become events, and what happens to bad ones. A line ends with a line feed; a carriage return before it is
 * removed. Every bad or empty line is skipped and counted.
 *
 * @param <E> type of the events.
 */
public final class LineFormat<E>
{
    /** Least value of {@link #maxLineBytes}. */
    public static final int MIN_LINE_BYTES = 16;
    /** Greatest value of {@link #maxLineBytes}. */
    public static final int MAX_LINE_BYTES = 1 << 24;
    /** Default of {@link #maxLineBytes}: long enough for most logs, and the buffer stays in the L2 cache. */
    public static final int DEFAULT_LINE_BYTES = 1 << 16;

    private final EventCodec<? super E> codec;
    private int maxLineBytes = DEFAULT_LINE_BYTES;
    private boolean acceptsMalformedUtf8;

    /**
     * A format.
     *
     * @param codec decodes a line, without its line end, into an event. What it refuses counts as malformed.
     */
    public LineFormat(final EventCodec<? super E> codec)
    {
        this.codec = Objects.requireNonNull(codec, "codec");
    }

    /**
     * Length of the longest line, its line end included. A longer line is skipped up to its end and counted once. Also
     * the size of the buffer and of a read, so a small number costs more reads.
     *
     * @param bytes {@value #MIN_LINE_BYTES} to {@value #MAX_LINE_BYTES}; default {@value #DEFAULT_LINE_BYTES}.
     * @return this.
     * @throws IllegalArgumentException if the number is out of range.
     */
    public LineFormat<E> maxLineBytes(final int bytes)
    {
        maxLineBytes = Range.check("maxLineBytes", bytes, MIN_LINE_BYTES, MAX_LINE_BYTES);
        return this;
    }

    /**
     * Give lines that are not UTF-8 to the codec as well, for other encodings. By default they are skipped and counted.
     *
     * @return this.
     */
    public LineFormat<E> acceptMalformedUtf8()
    {
        acceptsMalformedUtf8 = true;
        return this;
    }

    EventCodec<? super E> codec()
    {
        return codec;
    }

    int maxLineBytes()
    {
        return maxLineBytes;
    }

    boolean acceptsMalformedUtf8()
    {
        return acceptsMalformedUtf8;
    }
}

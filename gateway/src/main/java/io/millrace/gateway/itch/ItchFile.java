package io.millrace.gateway.itch;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Reads a file of ITCH messages, plain or gzip. Each message has its length in front, two bytes, big-endian; length 0
 * ends the file. One published sample has two zero bytes in front of each message instead: if the first length is 0,
 * the type of each message gives its length.
 * <p>
 * Unknown types and wrong lengths are counted and skipped. With zero bytes instead of lengths the file ends at an
 * unknown type, because the next message cannot be found. An incomplete message at the end counts as truncated.
 * Allocates nothing after the constructor.
 */
public final class ItchFile implements ItchInput
{
    /** The longest frame has 65,537 bytes; a second one of space makes reads longer than the moves of the rest. */
    private static final int WINDOW_LENGTH = 1 << 18;

    private final ItchCounters counters = new ItchCounters();
    private final ItchFrames frames = new ItchFrames(counters);
    private final ByteWindow window;
    private final boolean hasLengths;
    private volatile boolean exhausted;

    /**
     * Opens a file.
     *
     * @param file plain or gzip.
     * @throws IOException if it cannot be read.
     */
    public ItchFile(final Path file) throws IOException
    {
        this(new ByteWindow(file, WINDOW_LENGTH));
    }

    /** Of a window that holds the longest frame. */
    ItchFile(final ByteWindow window) throws IOException
    {
        this.window = window;
        try
        {
            hasLengths = !window.has(ItchFrames.LENGTH_BYTES) || window.buffer().getShort(0) != 0;
        }
        catch (final IOException ex)
        {
            window.close();
            throw ex;
        }
    }

    @Override
    public int poll(final ItchHandler handler, final int limit) throws IOException
    {
        int delivered = 0;
        while (delivered == 0 && !exhausted)
        {
            delivered = hasLengths ? decode(handler, limit) : decodeByType(handler, limit);
        }
        return delivered;
    }

    private int decode(final ItchHandler handler, final int limit) throws IOException
    {
        final int start = window.start();
        int delivered = 0;
        try
        {
            delivered = frames.decode(window.bytes(), start, window.limit(), handler, limit);
        }
        finally
        {
            window.skip(frames.position() - start);
        }
        final int consumed = frames.position() - start;
        if (consumed == 0)
        {
            final boolean ends = window.length() >= ItchFrames.LENGTH_BYTES &&
                window.buffer().getShort(window.start()) == 0;
            fillOrEnd(ends);
        }
        return delivered;
    }

    /** Zero bytes stand in front of each message. */
    private int decodeByType(final ItchHandler handler, final int limit) throws IOException
    {
        int delivered = 0;
        boolean goesOn = true;
        while (goesOn && delivered < limit && window.length() > ItchFrames.LENGTH_BYTES)
        {
            final int body = window.start() + ItchFrames.LENGTH_BYTES;
            final int length = ItchDescriptor.length(window.bytes()[body]);
            if (length == 0 || window.buffer().getShort(window.start()) != 0)
            {
                counters.accept(window.bytes(), body, 1);
                exhausted = true;
                return delivered;
            }
            if (window.limit() - body < length)
            {
                break;
            }
            window.skip(ItchFrames.LENGTH_BYTES + length);
            delivered++;
            goesOn = frames.deliver(window.bytes(), body, handler);
        }
        if (delivered == 0)
        {
            fillOrEnd(false);
        }
        return delivered;
    }

    private void fillOrEnd(final boolean ends) throws IOException
    {
        try
        {
            if (ends || !window.fill())
            {
                if (!ends && window.length() > 0)
                {
                    counters.truncated(window.length());
                }
                exhausted = true;
            }
        }
        catch (final IOException ex)
        {
            exhausted = true;
            throw ex;
        }
    }

    @Override
    public boolean isExhausted()
    {
        return exhausted;
    }

    @Override
    public ItchCounters counters()
    {
        return counters;
    }

    @Override
    public void close() throws IOException
    {
        exhausted = true;
        window.close();
    }
}

package io.millrace.gateway.itch;

import io.millrace.server.replay.InputFile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Part of a file in one buffer, which moves forward. The file is plain or gzip; its first two bytes decide. Allocates
 * nothing after the constructor. One thread.
 */
final class ByteWindow implements AutoCloseable
{
    private final Path file;
    private final InputStream in;
    private final byte[] bytes;
    private final ByteBuffer buffer;
    private int start;
    private int limit;
    private boolean ended;

    /** A window that holds up to the given number of bytes. */
    ByteWindow(final Path file, final int capacity) throws IOException
    {
        this(file, InputFile.open(file), capacity);
    }

    /** A window of an open file, whose name is for messages only. */
    ByteWindow(final Path file, final InputStream in, final int capacity)
    {
        this.file = file;
        this.in = in;
        bytes = new byte[capacity];
        buffer = ByteBuffer.wrap(bytes);
    }

    /** The array of the buffer. */
    byte[] bytes()
    {
        return bytes;
    }

    /** Big-endian; its position and limit mean nothing. */
    ByteBuffer buffer()
    {
        return buffer;
    }

    /** First byte of the window in the buffer. */
    int start()
    {
        return start;
    }

    /** End of the window in the buffer. */
    int limit()
    {
        return limit;
    }

    /** Bytes in the window. */
    int length()
    {
        return limit - start;
    }

    /** Drop bytes at the start of the window. */
    void skip(final int count)
    {
        start += count;
    }

    /** Reads on. False at the end of the file, where all remaining bytes are in the window. */
    boolean fill() throws IOException
    {
        if (ended)
        {
            return false;
        }
        System.arraycopy(bytes, start, bytes, 0, length());
        limit -= start;
        start = 0;
        try
        {
            final int count = in.read(bytes, limit, bytes.length - limit);
            ended = count <= 0;
            limit += Math.max(0, count);
        }
        catch (final IOException ex)
        {
            ended = true;
            throw InputFile.failure(file + ": ", ex);
        }
        return !ended;
    }

    /** Reads on until the window has that many bytes. False if the file has fewer. */
    boolean has(final int count) throws IOException
    {
        while (length() < count)
        {
            if (!fill())
            {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() throws IOException
    {
        ended = true;
        in.close();
    }
}

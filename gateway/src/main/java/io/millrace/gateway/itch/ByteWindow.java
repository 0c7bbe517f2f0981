package io.millrace.gateway.itch;

import java.io.EOFException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/**
 * Part of a file in one buffer, which moves forward. The file is plain or gzip; its first two bytes decide. Allocates
 * nothing after the constructor. One thread.
 */
final class ByteWindow implements AutoCloseable
{
    private static final int GZIP_MAGIC_0 = 0x1f;
    private static final int GZIP_MAGIC_1 = 0x8b;
    /** Bytes of one compressed read: two pages of the file. */
    private static final int GZIP_BUFFER_LENGTH = 8_192;

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
        this(file, open(file), capacity);
    }

    /** A window of an open file, whose name is for messages only. */
    ByteWindow(final Path file, final InputStream in, final int capacity)
    {
        this.file = file;
        this.in = in;
        bytes = new byte[capacity];
        buffer = ByteBuffer.wrap(bytes);
    }

    private static InputStream open(final Path file) throws IOException
    {
        if (Files.exists(file) && !Files.isRegularFile(file))
        {
            throw new IOException(file + " is not a regular file");
        }
        final FileInputStream plain = new FileInputStream(file.toFile());
        try
        {
            final boolean gzip = plain.read() == GZIP_MAGIC_0 && plain.read() == GZIP_MAGIC_1;
            plain.getChannel().position(0);
            return gzip ? new GZIPInputStream(plain, GZIP_BUFFER_LENGTH) : plain;
        }
        catch (final IOException ex)
        {
            plain.close();
            throw failure(file, ex);
        }
    }

    private static IOException failure(final Path file, final IOException ex)
    {
        return new IOException(file + ": " +
            (ex instanceof EOFException ? "the compressed file is truncated" : ex.toString()), ex);
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
            throw failure(file, ex);
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

package io.millrace.server.replay;

import java.io.EOFException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/**
 * A plain or gzip file that is read from its beginning. Its first two bytes decide, not its name.
 */
public final class InputFile
{
    /** Bytes of one compressed read: two pages of the file. */
    private static final int GZIP_BUFFER_LENGTH = 8_192;
    private static final int GZIP_MAGIC_0 = 0x1f;
    private static final int GZIP_MAGIC_1 = 0x8b;

    private InputFile()
    {
    }

    /**
     * Opens a file.
     *
     * @param file the file.
     * @return its bytes, uncompressed; the caller closes it.
     * @throws IOException when it cannot be opened; the message begins with the file.
     */
    public static InputStream open(final Path file) throws IOException
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
            throw failure(file + ": ", ex);
        }
    }

    /**
     * What a caller throws when it cannot read on.
     *
     * @param place beginning of the message.
     * @param ex    from the stream.
     * @return an exception that says so of a truncated file.
     */
    public static IOException failure(final String place, final IOException ex)
    {
        return new IOException(
            place + (ex instanceof EOFException ? "the compressed file is truncated" : ex.toString()), ex);
    }
}

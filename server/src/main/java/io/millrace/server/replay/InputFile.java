package io.millrace.server.replay;

import java.io.EOFException;
import java.io.FileInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * A plain or gzip file that is read from its beginning. Its first two bytes decide, not its name. A gzip file consists
 * of parts, and of nothing else: bytes behind the last one, also zeros, end in an exception.
 */
public final class InputFile
{
    /** Bytes of one compressed read: two pages of the file. */
    private static final int GZIP_BUFFER_LENGTH = 8_192;
    private static final byte GZIP_MAGIC_0 = 0x1f;
    private static final byte GZIP_MAGIC_1 = (byte)0x8b;

    /** Counts the bytes that were read. The channel of the file knows them too, but an interrupt closes it. */
    private static final class CountedInput extends FilterInputStream
    {
        private long count;

        CountedInput(final InputStream in)
        {
            super(in);
        }

        @Override
        public int read() throws IOException
        {
            final int value = in.read();
            count += value < 0 ? 0 : 1;
            return value;
        }

        @Override
        public int read(final byte[] into, final int offset, final int length) throws IOException
        {
            final int read = in.read(into, offset, length);
            count += Math.max(0, read);
            return read;
        }
    }

    /** The JDK takes what follows a part, and is no whole header of a next one, for the end of the file. */
    private static final class GzipParts extends GZIPInputStream
    {
        private static final int TRAILER_LENGTH = 8;

        private final CountedInput file;
        private long filledEnd;

        GzipParts(final CountedInput file) throws IOException
        {
            super(file, GZIP_BUFFER_LENGTH);
            this.file = file;
        }

        @Override
        protected void fill() throws IOException
        {
            super.fill();
            filledEnd = file.count;
        }

        @Override
        public int read(final byte[] into, final int offset, final int length) throws IOException
        {
            final int count = super.read(into, offset, length);
            if (count < 0)
            {
                final long end = filledEnd - inf.getRemaining() + TRAILER_LENGTH;
                final long left = file.count + file.available() - end;
                if (left > 0)
                {
                    throw new ZipException(left + " bytes behind the compressed data are no whole part of it");
                }
            }
            return count;
        }
    }

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
            final byte[] begin = plain.readNBytes(2);
            final PushbackInputStream whole = new PushbackInputStream(plain, 2);
            whole.unread(begin);
            return begin.length == 2 && begin[0] == GZIP_MAGIC_0 && begin[1] == GZIP_MAGIC_1 ?
                new GzipParts(new CountedInput(whole)) : whole;
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

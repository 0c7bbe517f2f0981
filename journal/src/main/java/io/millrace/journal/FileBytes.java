package io.millrace.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Complete reads and writes; the file operations themselves may transfer only a part. */
final class FileBytes
{
    private FileBytes()
    {
    }

    /** Write all remaining bytes of a buffer. */
    static void write(final JournalFile file, final ByteBuffer source, final long position) throws IOException
    {
        final int begin = source.position();
        while (source.hasRemaining())
        {
            if (file.write(source, position + source.position() - begin) <= 0)
            {
                throw new IOException("nothing could be written");
            }
        }
    }

    /**
     * Read bytes that the file has, to the buffer's position.
     *
     * @throws JournalException when a read fails or ends early, which is never the end of a journal.
     */
    static void fill(
        final JournalFile file, final Path path, final ByteBuffer target, final long position, final int length)
    {
        final int begin = target.position();
        target.limit(begin + length);
        while (target.hasRemaining())
        {
            final long at = position + target.position() - begin;
            final int read;
            try
            {
                read = file.read(target, at);
            }
            catch (final IOException ex)
            {
                throw new JournalException(JournalException.Kind.UNREADABLE,
                    path + ": reading at offset " + at + " failed: " + JournalException.reason(ex), ex);
            }
            if (read <= 0)
            {
                throw new JournalException(JournalException.Kind.UNREADABLE, path + ": a read at offset " + at +
                    " gave no bytes although the file is longer: short read");
            }
        }
    }
}

package io.millrace.benchmarks.journal;

import io.millrace.journal.FileOps;
import io.millrace.journal.JournalFile;

import java.io.Closeable;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/** Files that take everything and keep nothing: what is left is the journal's own work. */
final class NullFiles implements FileOps
{
    @Override
    public void prepareDirectory(final Path directory)
    {
    }

    @Override
    public List<String> list(final Path directory)
    {
        return List.of();
    }

    @Override
    public JournalFile create(final Path file)
    {
        return new NullFile();
    }

    @Override
    public JournalFile open(final Path file, final boolean writable)
    {
        return new NullFile();
    }

    @Override
    public void rename(final Path from, final Path to)
    {
    }

    @Override
    public void delete(final Path file)
    {
    }

    @Override
    public void forceDirectory(final Path directory)
    {
    }

    @Override
    public long usableBytes(final Path directory)
    {
        return Long.MAX_VALUE;
    }

    @Override
    public Closeable lock(final Path file, final String owner)
    {
        return () ->
        {
        };
    }

    private static final class NullFile implements JournalFile
    {
        private long length;

        @Override
        public int write(final ByteBuffer source, final long position)
        {
            final int written = source.remaining();
            source.position(source.limit());
            length = Math.max(length, position + written);
            return written;
        }

        @Override
        public int read(final ByteBuffer target, final long position)
        {
            return -1;
        }

        @Override
        public void force()
        {
        }

        @Override
        public long size()
        {
            return length;
        }

        @Override
        public void close()
        {
        }
    }
}

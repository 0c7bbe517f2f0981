package io.millrace.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Other file operations, passed on: a test replaces some. */
class PassedFiles implements FileOps
{
    private final FileOps next;

    PassedFiles(final FileOps next)
    {
        this.next = next;
    }

    JournalFile wrap(final JournalFile file)
    {
        return file;
    }

    @Override
    public void prepareDirectory(final Path directory) throws IOException
    {
        next.prepareDirectory(directory);
    }

    @Override
    public List<String> list(final Path directory) throws IOException
    {
        return next.list(directory);
    }

    @Override
    public JournalFile create(final Path file) throws IOException
    {
        return wrap(next.create(file));
    }

    @Override
    public JournalFile open(final Path file, final boolean writable) throws IOException
    {
        return wrap(next.open(file, writable));
    }

    @Override
    public void rename(final Path from, final Path to) throws IOException
    {
        next.rename(from, to);
    }

    @Override
    public void delete(final Path file) throws IOException
    {
        next.delete(file);
    }

    @Override
    public void forceDirectory(final Path directory) throws IOException
    {
        next.forceDirectory(directory);
    }

    @Override
    public long usableBytes(final Path directory) throws IOException
    {
        return next.usableBytes(directory);
    }

    @Override
    public Closeable lock(final Path file, final String owner) throws IOException
    {
        return next.lock(file, owner);
    }
}

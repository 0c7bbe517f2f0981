package io.millrace.journal;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Another file, passed on. */
class PassedFile implements JournalFile
{
    private final JournalFile next;

    PassedFile(final JournalFile next)
    {
        this.next = next;
    }

    @Override
    public int write(final ByteBuffer source, final long position) throws IOException
    {
        return next.write(source, position);
    }

    @Override
    public int read(final ByteBuffer target, final long position) throws IOException
    {
        return next.read(target, position);
    }

    @Override
    public void force() throws IOException
    {
        next.force();
    }

    @Override
    public long size() throws IOException
    {
        return next.size();
    }

    @Override
    public void close() throws IOException
    {
        next.close();
    }
}

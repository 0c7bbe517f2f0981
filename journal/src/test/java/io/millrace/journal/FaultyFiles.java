package io.millrace.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Files with faults: one operation of a kind fails, or writes short first, or everything fails
 * from one operation on, as after a kill. Counts what is done.
 */
final class FaultyFiles extends PassedFiles
{
    enum Fault
    {
        /** The operation throws, and so does every later one on the same file but a force, which lies. */
        EIO,
        /** A write takes a part of its bytes, later ones throw. */
        ENOSPC,
        /** Takes a part of the bytes and goes on. */
        SHORT,
        /** A part of the bytes, then every operation fails, also those that tidy up. */
        CRASH
    }

    /** Of the operation that fails; counted from 1, over writes, forces, creations, renames and deletions. */
    private long failing = Long.MAX_VALUE;
    private long failingRead = Long.MAX_VALUE;
    private long failingForce = Long.MAX_VALUE;
    private long reads;
    private Fault fault;
    private boolean full;
    private boolean crashed;
    long operations;
    long forces;
    /** Forces of a file after one of its forces has failed. */
    long forcesAfterFailure;

    FaultyFiles(final FileOps system)
    {
        super(system);
    }

    FaultyFiles failAt(final long operation, final Fault kind)
    {
        failing = operation;
        fault = kind;
        return this;
    }

    /** Of forces alone, counted from now. */
    synchronized void failForceFrom(final long force)
    {
        failingForce = forces + force;
    }

    /** Of reads alone. */
    FaultyFiles failReadAt(final long read, final Fault kind)
    {
        failingRead = read;
        fault = kind;
        return this;
    }

    synchronized boolean hasReadFailed()
    {
        return reads >= failingRead;
    }

    /** From now on every operation fails that would change anything. */
    synchronized void crash()
    {
        crashed = true;
    }

    synchronized boolean hasFailed()
    {
        return operations >= failing;
    }

    /** True when this operation is the one that fails. */
    private synchronized boolean count() throws IOException
    {
        if (crashed)
        {
            throw new IOException("crashed");
        }
        operations++;
        if (operations == failing && fault == Fault.CRASH)
        {
            crashed = true;
        }
        return operations == failing;
    }

    private void change() throws IOException
    {
        if (count() && fault != Fault.SHORT)
        {
            full |= fault == Fault.ENOSPC;
            throw new IOException(fault == Fault.ENOSPC ? "No space left on device" : fault.toString());
        }
    }

    @Override
    JournalFile wrap(final JournalFile file)
    {
        return new File(file);
    }

    @Override
    public JournalFile create(final Path file) throws IOException
    {
        change();
        return super.create(file);
    }

    @Override
    public void rename(final Path from, final Path to) throws IOException
    {
        change();
        super.rename(from, to);
    }

    @Override
    public void delete(final Path file) throws IOException
    {
        change();
        super.delete(file);
    }

    @Override
    public void forceDirectory(final Path directory) throws IOException
    {
        change();
        super.forceDirectory(directory);
    }

    private final class File extends PassedFile
    {
        private boolean forceFailed;

        private File(final JournalFile file)
        {
            super(file);
        }

        @Override
        public int write(final ByteBuffer source, final long position) throws IOException
        {
            synchronized (FaultyFiles.this)
            {
                if (full)
                {
                    throw new IOException("No space left on device");
                }
                if (count())
                {
                    if (fault == Fault.EIO)
                    {
                        throw new IOException("Input/output error");
                    }
                    full = fault == Fault.ENOSPC;
                    final int limit = source.limit();
                    source.limit(source.position() + Math.min(source.remaining(), Math.max(1, source.remaining() / 2)));
                    final int written = super.write(source, position);
                    source.limit(limit);
                    if (fault == Fault.CRASH)
                    {
                        throw new IOException("crashed");
                    }
                    return written;
                }
                return super.write(source, position);
            }
        }

        @Override
        public int read(final ByteBuffer target, final long position) throws IOException
        {
            reads++;
            if (reads == failingRead)
            {
                if (fault == Fault.SHORT)
                {
                    return -1;
                }
                throw new IOException("Input/output error");
            }
            return super.read(target, position);
        }

        @Override
        public void force() throws IOException
        {
            synchronized (FaultyFiles.this)
            {
                forces++;
                if (forceFailed)
                {
                    forcesAfterFailure++;
                }
                if (count() && fault != Fault.SHORT || forces == failingForce)
                {
                    forceFailed = true;
                    throw new IOException("Input/output error");
                }
                super.force();
            }
        }
    }
}

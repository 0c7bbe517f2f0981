package io.millrace.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * Files with faults: one operation of a kind fails, or writes short first, or everything fails
 * from one operation on, as after a kill. Counts what is done.
 */
final class FaultyFiles implements FileOps
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

    private final FileOps system;
    /** Of the operation that fails; counted from 1, over writes, forces, creations, renames and deletions. */
    private long failing = Long.MAX_VALUE;
    private long failingRead = Long.MAX_VALUE;
    private long failingForce = Long.MAX_VALUE;
    private long reads;
    private Fault fault;
    private boolean full;
    private boolean crashed;
    long operations;
    long writes;
    long forces;
    /** Forces of a file after one of its forces has failed. */
    long forcesAfterFailure;

    FaultyFiles(final FileOps system)
    {
        this.system = system;
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
    public void prepareDirectory(final Path directory) throws IOException
    {
        system.prepareDirectory(directory);
    }

    @Override
    public List<String> list(final Path directory) throws IOException
    {
        return system.list(directory);
    }

    @Override
    public JournalFile create(final Path file) throws IOException
    {
        change();
        return new File(system.create(file));
    }

    @Override
    public JournalFile open(final Path file, final boolean writable) throws IOException
    {
        return new File(system.open(file, writable));
    }

    @Override
    public void rename(final Path from, final Path to) throws IOException
    {
        change();
        system.rename(from, to);
    }

    @Override
    public void delete(final Path file) throws IOException
    {
        change();
        system.delete(file);
    }

    @Override
    public void forceDirectory(final Path directory) throws IOException
    {
        change();
        system.forceDirectory(directory);
    }

    @Override
    public long usableBytes(final Path directory) throws IOException
    {
        return system.usableBytes(directory);
    }

    @Override
    public Closeable lock(final Path file, final String owner) throws IOException
    {
        return system.lock(file, owner);
    }

    private final class File implements JournalFile
    {
        private final JournalFile file;
        private boolean forceFailed;

        private File(final JournalFile file)
        {
            this.file = file;
        }

        @Override
        public int write(final ByteBuffer source, final long position) throws IOException
        {
            synchronized (FaultyFiles.this)
            {
                writes++;
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
                    final int written = file.write(source, position);
                    source.limit(limit);
                    if (fault == Fault.CRASH)
                    {
                        throw new IOException("crashed");
                    }
                    return written;
                }
                return file.write(source, position);
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
            return file.read(target, position);
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
                file.force();
            }
        }

        @Override
        public long size() throws IOException
        {
            return file.size();
        }

        @Override
        public void close() throws IOException
        {
            file.close();
        }
    }
}

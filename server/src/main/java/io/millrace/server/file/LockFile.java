package io.millrace.server.file;

import org.agrona.CloseHelper;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.util.Properties;
import java.util.Set;

/**
 * A lock file that this process holds until {@link #close()}, or until the process ends. One holder at a time, also
 * among the classes of several loaders. Any thread.
 * <p>
 * On POSIX a process that closes any descriptor of a file loses its locks on that file. So a file that this process has
 * locked is not opened again. The classes of two loaders share nothing but those of the JDK: the locked files are
 * system properties.
 */
public final class LockFile implements Closeable
{
    private static final String PREFIX = "io.millrace.locked:";

    private final Path file;
    private final Set<FileChannel> open;
    /** The application may replace the properties meanwhile. */
    private final Properties properties = System.getProperties();
    private FileChannel channel;
    private boolean closed;

    /** Opens the file to write, and creates it if it is missing. */
    @FunctionalInterface
    public interface Opening
    {
        /**
         * Opens it.
         *
         * @return a new channel.
         * @throws IOException if it cannot be opened.
         */
        FileChannel open() throws IOException;
    }

    /** Says why the lock is refused. */
    @FunctionalInterface
    public interface Refusal
    {
        /**
         * Makes the exception, or throws another one.
         *
         * @param opened the file, to read what its holder has written; null if this process holds it.
         * @return the exception to throw.
         * @throws IOException if the file cannot be read.
         */
        IOException of(FileChannel opened) throws IOException;
    }

    private LockFile(final Path file, final Set<FileChannel> open)
    {
        this.file = file;
        this.open = open;
    }

    /**
     * Locks a file, or throws at once.
     *
     * @param file    its path without links: equal paths are the same file.
     * @param open    gets the channel, because one that is collected as garbage is closed: a concurrent set in a static
     *                field of the caller.
     * @param opening opens it.
     * @param inUse   makes the exception if this or another process has locked it.
     * @return the lock.
     * @throws IOException of {@code inUse}, or if the file cannot be opened or locked.
     */
    public static LockFile of(
        final Path file, final Set<FileChannel> open, final Opening opening, final Refusal inUse) throws IOException
    {
        final LockFile lock = new LockFile(file, open);
        if (lock.properties.putIfAbsent(PREFIX + file, "") != null)
        {
            throw inUse.of(null);
        }
        boolean isLocked = false;
        try
        {
            lock.lock(opening.open(), inUse);
            isLocked = true;
            return lock;
        }
        finally
        {
            if (!isLocked)
            {
                lock.close();
            }
        }
    }

    private void lock(final FileChannel opened, final Refusal inUse) throws IOException
    {
        channel = opened;
        open.add(opened);
        try
        {
            if (opened.tryLock() == null)
            {
                throw inUse.of(opened);
            }
        }
        catch (final OverlappingFileLockException ex)
        {
            // The application has replaced the properties: closing this channel would end the lock of the holder.
            channel = null;
            throw inUse.of(opened);
        }
    }

    /** @return the open file, to write who holds it; do not close it. */
    public FileChannel channel()
    {
        return channel;
    }

    /** Ends the lock; a second call does nothing. */
    @Override
    public synchronized void close()
    {
        if (closed)
        {
            return;
        }
        closed = true;
        if (channel != null)
        {
            CloseHelper.quietClose(channel);
            open.remove(channel);
        }
        properties.remove(PREFIX + file);
    }
}

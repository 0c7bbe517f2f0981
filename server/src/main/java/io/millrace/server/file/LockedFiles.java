package io.millrace.server.file;

import java.nio.file.Path;

/**
 * Files that this process has locked, by the classes of any loader. On POSIX a process that closes any descriptor of a
 * file loses its locks on that file. So look here before you open a lock file. Any thread.
 * <p>
 * The classes of two loaders share nothing but those of the JDK: the files are system properties.
 */
public final class LockedFiles
{
    private static final String PREFIX = "io.millrace.locked:";

    private LockedFiles()
    {
    }

    /**
     * Takes a file, before it is opened.
     *
     * @param file without links: equal paths are the same file.
     * @return false if this process has taken it.
     */
    public static boolean add(final Path file)
    {
        return System.getProperties().putIfAbsent(PREFIX + file, "") == null;
    }

    /**
     * Gives back a file that was taken, after it is closed. No effect if it was not taken.
     *
     * @param file as in {@link #add}.
     */
    public static void remove(final Path file)
    {
        System.getProperties().remove(PREFIX + file);
    }
}

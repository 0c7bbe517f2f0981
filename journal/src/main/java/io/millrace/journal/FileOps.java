package io.millrace.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Every file operation of a journal. {@link SystemFiles} uses the operating system; tests use other implementations.
 */
public interface FileOps
{
    /**
     * Make the directory if it does not exist, for the owner alone, and check that it is usable: a real directory, not
     * a symbolic link.
     *
     * @param directory of the journal.
     * @throws IOException when it cannot be used.
     */
    void prepareDirectory(Path directory) throws IOException;

    /**
     * The names of all entries of a directory.
     *
     * @param directory to list.
     * @return the names, sorted.
     * @throws IOException when it cannot be read.
     */
    List<String> list(Path directory) throws IOException;

    /**
     * Create a file that only its owner may read and write.
     *
     * @param file must not exist.
     * @return the open file, empty.
     * @throws IOException when it exists or cannot be created.
     */
    JournalFile create(Path file) throws IOException;

    /**
     * Open a file that exists, without following a symbolic link.
     *
     * @param file     to open.
     * @param writable whether it is opened for writing.
     * @return the open file.
     * @throws IOException when it does not exist or may not be opened.
     */
    JournalFile open(Path file, boolean writable) throws IOException;

    /**
     * Rename a file in its directory. Replaces a file of the new name. Durable after {@link #forceDirectory(Path)}.
     *
     * @param from its name.
     * @param to   its new name.
     * @throws IOException when the operating system refuses.
     */
    void rename(Path from, Path to) throws IOException;

    /**
     * Delete a file. Durable after {@link #forceDirectory(Path)}.
     *
     * @param file to delete; nothing happens when it does not exist.
     * @throws IOException when the operating system refuses.
     */
    void delete(Path file) throws IOException;

    /**
     * Make creations, renames and deletions in a directory durable.
     *
     * @param directory to force.
     * @throws IOException when the operating system refuses.
     */
    void forceDirectory(Path directory) throws IOException;

    /**
     * Number of bytes that this process could still write.
     *
     * @param directory on the file system in question.
     * @return bytes.
     * @throws IOException when the operating system does not answer.
     */
    long usableBytes(Path directory) throws IOException;

    /**
     * Lock a directory against every other process and every other journal of this process.
     *
     * @param file  the lock file in the directory; made if it does not exist.
     * @param owner text that is written into it for the operator.
     * @return ends the lock when it is closed.
     * @throws JournalException when it is locked; the message has the owner's text.
     * @throws IOException      when the operating system refuses.
     */
    Closeable lock(Path file, String owner) throws IOException;
}

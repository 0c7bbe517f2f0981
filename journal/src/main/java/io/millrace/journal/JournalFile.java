package io.millrace.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * An open file of a journal. Positions are absolute. Reads, writes and forces may come from different threads.
 */
public interface JournalFile extends Closeable
{
    /**
     * Write bytes, possibly not all of them.
     *
     * @param source   its remaining bytes; its position moves on by the bytes written.
     * @param position offset in the file.
     * @return how many bytes were written.
     * @throws IOException when the operating system refuses.
     */
    int write(ByteBuffer source, long position) throws IOException;

    /**
     * Read bytes, possibly fewer than the buffer can take.
     *
     * @param target   takes the bytes; its position moves on by the bytes read.
     * @param position offset in the file.
     * @return number of bytes read; -1 at or after the end of the file.
     * @throws IOException when the operating system refuses.
     */
    int read(ByteBuffer target, long position) throws IOException;

    /**
     * Make all earlier writes durable, with the metadata that a later read needs.
     *
     * @throws IOException when the operating system fails. After a failure a second call proves nothing.
     */
    void force() throws IOException;

    /**
     * Length of the file.
     *
     * @return bytes.
     * @throws IOException when the operating system refuses.
     */
    long size() throws IOException;

    /**
     * The open file has another name now, which later failures report. Called before another thread gets the file.
     *
     * @param path where it is.
     */
    default void renamedTo(final Path path)
    {
    }
}

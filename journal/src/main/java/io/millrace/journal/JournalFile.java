package io.millrace.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * An open file of a journal. Positions are absolute. Reads, writes and forces may come from different threads.
 */
public interface JournalFile extends Closeable
{
    /**
     * Write bytes; possibly fewer than there are.
     *
     * @param source   its remaining bytes; its position moves on by the bytes written.
     * @param position offset in the file.
     * @return how many bytes were written.
     * @throws IOException when the operating system refuses.
     */
    int write(ByteBuffer source, long position) throws IOException;

    /**
     * Read bytes; possibly fewer than there is capacity for.
     *
     * @param target   takes the bytes; its position moves on by the bytes read.
     * @param position offset in the file.
     * @return how many bytes were read; -1 at or behind the end of the file.
     * @throws IOException when the operating system refuses.
     */
    int read(ByteBuffer target, long position) throws IOException;

    /**
     * Make everything written before durable, and as much of the file's own description as a later read needs.
     *
     * @throws IOException when the operating system refuses. A second call proves nothing after that.
     */
    void force() throws IOException;

    /**
     * Length of the file.
     *
     * @return bytes.
     * @throws IOException when the operating system refuses.
     */
    long size() throws IOException;
}

package io.millrace.server.file;

import io.millrace.pool.ByteView;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** The last line end of a file: what follows was torn by the end of an earlier process. */
final class LastLine
{
    private LastLine()
    {
    }

    /**
     * @param buffer as long as the search goes back; overwritten.
     * @param view   of the buffer.
     * @return length of the file up to its last line end.
     * @throws IOException if there is none so far back.
     */
    static long end(
        final FileChannel channel, final long size, final ByteBuffer buffer, final ByteView view, final Path path)
        throws IOException
    {
        final int length = (int)Math.min(size, buffer.capacity());
        buffer.clear().limit(length);
        int count = 0;
        while (buffer.hasRemaining() && count >= 0)
        {
            count = channel.read(buffer, size - length + buffer.position());
        }
        int end = length;
        while (end > 0 && view.getByte(end - 1) != '\n')
        {
            end--;
        }
        if (end == 0 && size > length)
        {
            throw new IOException(path + " has no line end in its last " + length + " bytes");
        }
        return size - length + end;
    }
}

package io.millrace.ipc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Numbers of a peer that wants to do harm. */
final class Hostile
{
    /** Boundary numbers. */
    static final int[] INTS = {Integer.MIN_VALUE, Integer.MIN_VALUE + 1, -65_536, -129, -128, -65, -64, -2, -1, 0, 3, 5,
        6, 7, 9, 63, 65, 127, 129, 130, 255, 256, 257, 1_023, 1_025, 65_535, 65_536, 65_537, 1 << 20, (1 << 20) + 64,
        1 << 30, Integer.MAX_VALUE - 1, Integer.MAX_VALUE};

    private Hostile()
    {
    }

    /** A mapped file that has no name any more. */
    static ByteBuffer file(final int bytes)
    {
        try
        {
            final Path file = Files.createTempFile("hostile", ".exchange");
            try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE))
            {
                return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
            }
            finally
            {
                Files.delete(file);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}

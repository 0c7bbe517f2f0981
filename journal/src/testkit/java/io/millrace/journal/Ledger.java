package io.millrace.journal;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** Memory that a test shares with a child that is killed: what the child has written there is not lost. */
public final class Ledger
{
    private Ledger()
    {
    }

    public static MappedByteBuffer map(final Path path, final int length) throws IOException
    {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw"))
        {
            return file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, length);
        }
    }
}

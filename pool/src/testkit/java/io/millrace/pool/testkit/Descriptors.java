package io.millrace.pool.testkit;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** In a process with few file descriptors. */
public final class Descriptors
{
    private Descriptors()
    {
    }

    /** Opens files until no descriptor is left. */
    public static List<Closeable> takeAll()
    {
        final Path anyFile = Path.of("/dev/null");
        final List<Closeable> files = new ArrayList<>();
        try
        {
            while (true)
            {
                files.add(FileChannel.open(anyFile));
            }
        }
        catch (final IOException ex)
        {
            // None is left.
            return files;
        }
    }
}

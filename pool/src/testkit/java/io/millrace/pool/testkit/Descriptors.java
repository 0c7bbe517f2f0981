package io.millrace.pool.testkit;

import com.sun.management.UnixOperatingSystemMXBean;

import java.io.Closeable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** File descriptors of this process. */
public final class Descriptors
{
    private Descriptors()
    {
    }

    /** Opens files until no descriptor is left, also none that a thread of the JVM used in that moment. */
    public static List<Closeable> takeAll()
    {
        final Path anyFile = Path.of("/dev/null");
        final List<Closeable> files = new ArrayList<>();
        for (int failures = 0; failures < 10; failures++)
        {
            try
            {
                while (true)
                {
                    files.add(FileChannel.open(anyFile));
                }
            }
            catch (final IOException ex)
            {
                LockSupport.parkNanos(1_000_000);
            }
        }
        return files;
    }

    /** Number of open descriptors; skips the test where the system does not count them. */
    public static long open()
    {
        assumeTrue(ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean, "no descriptors");
        return ((UnixOperatingSystemMXBean)ManagementFactory.getOperatingSystemMXBean()).getOpenFileDescriptorCount();
    }

    /** Number of descriptors of a file; skips the test where the system does not list them. */
    public static long countOf(final Path file) throws IOException
    {
        final Path all = Path.of("/proc/self/fd");
        assumeTrue(Files.isDirectory(all), "no list of open files here");
        final Path real = file.toRealPath();
        try (Stream<Path> descriptors = Files.list(all))
        {
            return descriptors.filter(each -> isOf(each, real)).count();
        }
    }

    private static boolean isOf(final Path descriptor, final Path file)
    {
        try
        {
            return Files.readSymbolicLink(descriptor).equals(file);
        }
        catch (final IOException closed)
        {
            return false;
        }
    }
}

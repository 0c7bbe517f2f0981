package io.millrace.gateway;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Processes with few file descriptors. */
public final class Descriptors
{
    private static final Path ANY_FILE = Path.of("/dev/null");
    private static final long LIMIT_S = 150;

    private Descriptors()
    {
    }

    /** Runs a main class of these tests in a process with 512 descriptors; its exit code. */
    public static int run(final Class<?> main) throws IOException, InterruptedException
    {
        final Path shell = Path.of("/bin/sh");
        assumeTrue(Files.isExecutable(shell), "no shell here");
        final Process process = new ProcessBuilder(shell.toString(), "-c", "ulimit -n 512 && exec \"$0\" \"$@\"",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
            System.getProperty("java.class.path"), main.getName()).inheritIO().start();
        final boolean ended = process.waitFor(LIMIT_S, TimeUnit.SECONDS);
        if (!ended)
        {
            process.destroyForcibly();
        }
        assertTrue(ended, "the child does not end");
        return process.exitValue();
    }

    /** Opens files until no descriptor is left. */
    public static List<Closeable> takeAll()
    {
        final List<Closeable> files = new ArrayList<>();
        try
        {
            while (true)
            {
                files.add(FileChannel.open(ANY_FILE));
            }
        }
        catch (final IOException ex)
        {
            // None is left.
            return files;
        }
    }
}

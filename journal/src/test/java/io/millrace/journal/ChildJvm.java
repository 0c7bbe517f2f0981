package io.millrace.journal;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

/** Runs a main class of these tests in a JVM of its own, with the test's class path. */
final class ChildJvm
{
    static final Path JDK = Path.of(System.getProperty("java.home"));
    private static final long LIMIT_S = 300;
    private static final long AWAIT_S = 60;

    /** The exit code, and all that it printed. */
    record Result(int exitCode, String output)
    {
    }

    private ChildJvm()
    {
    }

    /** The command line; a test may put a tool in front of it. */
    static List<String> command(
        final Path jdk, final List<String> flags, final Class<?> main, final String... arguments)
    {
        final List<String> command = new ArrayList<>(List.of(jdk.resolve("bin/java").toString()));
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    static Result run(final List<String> command) throws IOException, InterruptedException
    {
        final Path output = Files.createTempFile("child", ".out");
        try
        {
            final ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
            builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"));
            final Process process = builder.start();
            final boolean ended = process.waitFor(LIMIT_S, TimeUnit.SECONDS);
            if (!ended)
            {
                process.destroyForcibly().waitFor();
            }
            assertTrue(ended, () -> "the child does not end: " + command);
            return new Result(process.exitValue(), Files.readString(output));
        }
        finally
        {
            Files.delete(output);
        }
    }

    /** Waits until a child has done something. Fails with its output if it ends before, or takes too long. */
    static void await(final Process process, final Path output, final String what, final BooleanSupplier reached)
        throws IOException
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(AWAIT_S);
        while (!reached.getAsBoolean())
        {
            if (!process.isAlive() || System.nanoTime() - deadlineNs > 0)
            {
                fail(what + "; " + Files.readString(output));
            }
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100));
        }
    }

    /** Whether a program can be run here, and ends well. */
    static boolean works(final String... command) throws InterruptedException
    {
        try
        {
            return run(List.of(command)).exitCode == 0;
        }
        catch (final IOException ex)
        {
            return false;
        }
    }

    /** The JDKs of version 17 and later in the folder of the one that runs the test. */
    static List<Path> jdks() throws IOException
    {
        final Set<Path> jdks = new TreeSet<>();
        jdks.add(JDK.toRealPath());
        try (DirectoryStream<Path> siblings = Files.newDirectoryStream(JDK.toRealPath().getParent()))
        {
            for (final Path sibling : siblings)
            {
                final Path release = sibling.resolve("release");
                if (Files.isReadable(release) && Files.isExecutable(sibling.resolve("bin/java")) &&
                    Files.readString(release).matches("(?s).*JAVA_VERSION=\"(1[7-9]|[2-9]\\d)[.\"].*"))
                {
                    jdks.add(sibling.toRealPath());
                }
            }
        }
        return new ArrayList<>(jdks);
    }
}

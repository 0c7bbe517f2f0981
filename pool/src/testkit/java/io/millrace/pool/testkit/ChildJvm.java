package io.millrace.pool.testkit;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Runs a main class in a separate JVM, with the class path of the test and only the given flags. */
public final class ChildJvm
{
    /** The JDK that runs the test. */
    public static final Path JDK = Path.of(System.getProperty("java.home"));
    /** Exit code of a program of {@link #refusing}: no call was refused, so nothing was tested. */
    public static final int NOTHING_REFUSED = 2;
    private static final int THREADS = 100;
    private static final long LIMIT_S = 300;
    private static final long AWAIT_S = 60;

    static
    {
        // A build that is terminated leaves no child that writes for ever.
        Runtime.getRuntime().addShutdownHook(new Thread(
            () -> ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly), "children"));
    }

    private final Path jdk;
    private final List<String> tool = new ArrayList<>();
    private final List<String> flags = new ArrayList<>();
    private String classPath = System.getProperty("java.class.path");
    private boolean isRefusing;

    public int exitCode;
    public List<String> out;
    public List<String> err;

    public ChildJvm()
    {
        this(JDK);
    }

    public ChildJvm(final Path jdk)
    {
        this.jdk = jdk;
    }

    public ChildJvm flags(final String... more)
    {
        flags.addAll(List.of(more));
        return this;
    }

    /** Run it under a tool that takes a command, such as strace. */
    public ChildJvm under(final String... command)
    {
        tool.addAll(List.of(command));
        return this;
    }

    /** Run it with 512 file descriptors. Skips the test if there is no shell. */
    public ChildJvm withFewDescriptors()
    {
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "no shell here");
        return under("/bin/sh", "-c", "ulimit -n 512 && exec \"$0\" \"$@\"");
    }

    /**
     * Run it in a process whose system refuses some calls. Skips the test if strace cannot trace here.
     *
     * @param how as in {@code inject=} of strace, which counts the calls of each thread.
     */
    public ChildJvm refusing(final String call, final String how) throws InterruptedException
    {
        assumeTrue(works("strace", "-f", "-o", "/dev/null", "true"), "strace cannot trace here");
        isRefusing = true;
        return under("strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + call,
            "-e", "inject=" + call + ":" + how);
    }

    /** In the child: starts threads until one is refused. 0, or {@link #NOTHING_REFUSED}. */
    public static int takeThreads()
    {
        for (int i = 0; i < THREADS; i++)
        {
            try
            {
                final Thread thread = new Thread(LockSupport::park);
                thread.setDaemon(true);
                thread.start();
            }
            catch (final OutOfMemoryError refused)
            {
                return 0;
            }
        }
        return NOTHING_REFUSED;
    }

    /** Leave out the jars whose file name begins with one of the prefixes. */
    public ChildJvm without(final String... prefixes)
    {
        classPath = Arrays.stream(classPath.split(File.pathSeparator))
            .filter(entry -> Arrays.stream(prefixes).noneMatch(new File(entry).getName()::startsWith))
            .collect(Collectors.joining(File.pathSeparator));
        return this;
    }

    public List<String> command(final Class<?> main, final Object... arguments)
    {
        final List<String> command = new ArrayList<>(tool);
        command.add(jdk.resolve("bin/java").toString());
        command.addAll(flags);
        command.addAll(List.of("-cp", classPath, main.getName()));
        Arrays.stream(arguments).map(Object::toString).forEach(command::add);
        return command;
    }

    /** Starts it; all that it prints goes into the file. */
    public Process start(final Path output, final Class<?> main, final Object... arguments) throws IOException
    {
        return start(output, command(main, arguments));
    }

    /** Starts any program; all that it prints goes into the file. */
    public static Process start(final Path output, final List<String> command) throws IOException
    {
        return builder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
    }

    private static ProcessBuilder builder(final List<String> command)
    {
        final ProcessBuilder builder = new ProcessBuilder(command);
        // Each of these variables adds flags, and two of them print a message.
        builder.environment().keySet()
            .removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH"));
        return builder;
    }

    /** Waits until a child has done something. Fails with its output if it ends before, or takes too long. */
    public static void await(final Process process, final Path output, final String what, final BooleanSupplier reached)
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

    private static String text(final Path file)
    {
        try
        {
            return Files.readString(file);
        }
        catch (final IOException ex)
        {
            return ex.toString();
        }
    }

    /** Runs it to its end. */
    public ChildJvm run(final Class<?> main, final Object... arguments) throws IOException, InterruptedException
    {
        final List<String> command = command(main, arguments);
        final Path outFile = Files.createTempFile("child", ".out");
        final Path errFile = Files.createTempFile("child", ".err");
        try
        {
            final Process process =
                builder(command).redirectOutput(outFile.toFile()).redirectError(errFile.toFile()).start();
            try
            {
                assertTrue(process.waitFor(LIMIT_S, TimeUnit.SECONDS),
                    () -> "the child does not end: " + command + ": " + text(outFile) + text(errFile));
            }
            finally
            {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
            exitCode = process.exitValue();
            out = Files.readAllLines(outFile);
            err = Files.readAllLines(errFile);
            assertFalse(isRefusing && exitCode == NOTHING_REFUSED,
                () -> "the calls to refuse do not fit JDK " + Runtime.version() + ": none was refused: " + command);
        }
        finally
        {
            Files.delete(outFile);
            Files.delete(errFile);
        }
        return this;
    }

    /** Runs it and returns the lines of its stdout. Its stderr must be empty and its exit code 0. */
    public List<String> lines(final Class<?> main, final Object... arguments) throws IOException, InterruptedException
    {
        run(main, arguments);
        assertEquals(List.of(), err, this::toString);
        assertEquals(0, exitCode, this::toString);
        return out;
    }

    /** Whether a program can be run here, and ends well. */
    public static boolean works(final String... command) throws InterruptedException
    {
        try
        {
            final Process process = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
            try
            {
                return process.waitFor(LIMIT_S, TimeUnit.SECONDS) && process.exitValue() == 0;
            }
            finally
            {
                process.destroyForcibly();
            }
        }
        catch (final IOException missing)
        {
            return false;
        }
    }

    /** The JDKs of version 17 and later: the current one first, then those in the same folder. */
    public static List<Path> jdks() throws IOException
    {
        final Path current = JDK.toRealPath();
        final Set<Path> jdks = new LinkedHashSet<>(List.of(current));
        try (Stream<Path> siblings = Files.list(current.getParent()))
        {
            for (final Path sibling : siblings.sorted().toList())
            {
                final Path release = sibling.resolve("release");
                if (Files.isExecutable(sibling.resolve("bin/java")) && Files.isReadable(release) &&
                    Files.readString(release).matches("(?s).*JAVA_VERSION=\"(1[7-9]|[2-9]\\d).*"))
                {
                    jdks.add(sibling.toRealPath());
                }
            }
        }
        if (jdks.size() == 1)
        {
            System.out.println("only one JDK is installed in " + current.getParent() + ": no other one was tested");
        }
        return List.copyOf(jdks);
    }

    @Override
    public String toString()
    {
        return jdk + " " + flags + " exit " + exitCode + " out " + out + " err " + err;
    }
}

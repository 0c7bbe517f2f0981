package io.millrace.exchange;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Runs a main class of these tests in a JVM of its own, under a tool, with the class path of the test. */
public final class ChildJvm
{
    /** Exit code of a program under strace: no call was refused, so nothing was tested. */
    public static final int NOTHING_REFUSED = 2;

    private static final long LIMIT_S = 150;

    private ChildJvm()
    {
    }

    /**
     * Runs a program in a process whose system refuses some calls. Skips the test if strace cannot trace here.
     *
     * @param call  that fails with EINVAL.
     * @param which of the calls of each thread, as in {@code when=} of strace.
     * @return the exit code.
     */
    public static int refusing(
        final String call, final String which, final List<String> flags, final Class<?> main, final String... arguments)
        throws IOException, InterruptedException
    {
        assumeTrue(canTrace(), "strace cannot trace here");
        final int exitCode = run(List.of("strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + call,
            "-e", "inject=" + call + ":error=EINVAL:when=" + which), flags, main, arguments);
        assertNotEquals(NOTHING_REFUSED, exitCode, () ->
            "when=" + which + " does not fit the calls of " + call + " of this JDK, " + Runtime.version() +
            ": none was refused that makes a connection");
        return exitCode;
    }

    private static boolean canTrace() throws InterruptedException
    {
        try
        {
            return new ProcessBuilder("strace", "-f", "-o", "/dev/null", "true").start().waitFor() == 0;
        }
        catch (final IOException ex)
        {
            return false;
        }
    }

    static int run(
        final List<String> tool, final List<String> flags, final Class<?> main, final String... arguments)
        throws IOException, InterruptedException
    {
        final List<String> command = new ArrayList<>(tool);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        final Process process = new ProcessBuilder(command).inheritIO().start();
        final boolean ended = process.waitFor(LIMIT_S, TimeUnit.SECONDS);
        if (!ended)
        {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        assertTrue(ended, () -> "the child does not end: " + command);
        return process.exitValue();
    }
}

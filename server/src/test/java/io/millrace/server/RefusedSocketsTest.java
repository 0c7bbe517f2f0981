package io.millrace.server;

import io.millrace.server.lines.RefusedSocketsProgram;
import io.millrace.server.lines.ScarceSocketsProgram;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** T2: the operating system refuses calls of accepted sockets. */
class RefusedSocketsTest
{
    /**
     * Strace counts the calls of each thread. An accepted socket costs three: one in accept, two to make it
     * non-blocking. So each seventh call is each of the three in turn. The calls before are those of the start.
     */
    private static final String EACH_SEVENTH = "50+7";

    @Test
    void shouldCountAndCloseThem() throws Exception
    {
        assumeTrue(canTrace(), "strace cannot trace here");
        final ChildJvm child = new ChildJvm(Path.of(System.getProperty("java.home")))
            .under("strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fcntl",
                "-e", "inject=fcntl:error=EINVAL:when=" + EACH_SEVENTH)
            .run(RefusedSocketsProgram.class);
        assertNotEquals(RefusedSocketsProgram.NOTHING_REFUSED, child.exitCode,
            () -> "when=" + EACH_SEVENTH + " of strace does not fit this JDK: no call was refused\n" + child);
        assertEquals(0, child.exitCode, child::toString);
    }

    /** No descriptor is free: each further attempt would fail, too. */
    @Test
    void shouldPauseAfterAFailedAccept() throws Exception
    {
        final Path shell = Path.of("/bin/sh");
        assumeTrue(Files.isExecutable(shell), "no shell here");
        final ChildJvm child = new ChildJvm(Path.of(System.getProperty("java.home")))
            .under(shell.toString(), "-c", "ulimit -n 512 && exec \"$0\" \"$@\"").run(ScarceSocketsProgram.class);
        assertEquals(0, child.exitCode, child::toString);
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
}

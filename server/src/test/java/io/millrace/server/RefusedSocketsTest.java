package io.millrace.server;

import io.millrace.server.lines.RefusedSocketsProgram;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** T2: accepted sockets of which the operating system makes some not non-blocking. */
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

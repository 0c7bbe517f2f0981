package io.millrace.exchange.session;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Each accepted connection is in exactly one other counter: accepted = open + over the limit + ended. */
@Timeout(180)
class EntryCountersTest
{
    @TempDir
    private Path folder;

    @Test
    void shouldCountAPeerThatHasGoneBeforeItsConnectionIsOpen() throws Exception
    {
        assumeTrue(canTrace(), "strace cannot trace here");
        // With IPv4 only, a client's socket needs no option.
        final Process process = new ProcessBuilder("strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=setsockopt",
            "-e", "inject=setsockopt:error=EINVAL:when=4+2",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Djava.net.preferIPv4Stack=true",
            "-cp", System.getProperty("java.class.path"), GoneProgram.class.getName(), folder.toString())
            .inheritIO().start();
        assertEquals(0, process.waitFor());
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

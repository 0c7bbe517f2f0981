package io.millrace.ipc;

import io.millrace.pool.testkit.ChildJvm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Other processes of a test. */
final class Children
{
    private static final long LIMIT_S = 120;

    private Children()
    {
    }

    /** A small JVM. */
    static ChildJvm jvm(final Path jdk)
    {
        return new ChildJvm(jdk).flags("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xmx64m");
    }

    static Process start(final Class<?> main, final Path output, final Object... arguments) throws IOException
    {
        return jvm(ChildJvm.JDK).start(output, main, arguments);
    }

    /** Waits for the end of a process; its output. */
    static String end(final Process process, final int exitCode, final Path output)
        throws IOException, InterruptedException
    {
        final boolean ended = process.waitFor(LIMIT_S, TimeUnit.SECONDS);
        process.destroyForcibly().waitFor();
        final String text = Files.readString(output);
        assertTrue(ended, () -> "no end: " + text);
        assertEquals(exitCode, process.exitValue(), text);
        return text;
    }
}

package io.millrace.ipc;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Other processes of a test: JVMs with its class path and no flag of ours, and programs. */
final class Children
{
    private static final long LIMIT_S = 120;
    private static final Path JDK = Path.of(System.getProperty("java.home"));

    private Children()
    {
    }

    static List<String> java(final Path jdk, final Class<?> main, final Object... arguments)
    {
        final List<String> command = new ArrayList<>(List.of(jdk.resolve("bin/java").toString(),
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xmx64m", "-cp",
            System.getProperty("java.class.path"), main.getName()));
        for (final Object argument : arguments)
        {
            command.add(argument.toString());
        }
        return command;
    }

    static Process start(final Class<?> main, final Path output, final Object... arguments) throws IOException
    {
        return start(java(JDK, main, arguments), output);
    }

    static Process start(final List<String> command, final Path output) throws IOException
    {
        final ProcessBuilder builder =
            new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"));
        return builder.start();
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

    /** Whether a program can be run here. */
    static boolean works(final String... command) throws IOException, InterruptedException
    {
        final File nowhere = new File("/dev/null");
        try
        {
            return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(nowhere).start().waitFor() == 0;
        }
        catch (final IOException missing)
        {
            return false;
        }
    }
}

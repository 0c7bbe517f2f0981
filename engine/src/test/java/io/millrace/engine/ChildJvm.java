package io.millrace.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Runs a main class in a separate JVM, with the class path of the test. Its stderr must stay empty. */
public final class ChildJvm
{
    private static final long WAIT_S = 300;

    private ChildJvm()
    {
    }

    /** The JDK that runs the test. */
    public static Path currentJdk() throws IOException
    {
        return Path.of(System.getProperty("java.home")).toRealPath();
    }

    /** The JDKs of version 17 and later: the current one first, then those in the same folder. */
    public static List<Path> jdks() throws IOException
    {
        final Path current = currentJdk();
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

    /** Runs the class and returns the lines of its stdout. */
    public static List<String> run(
        final Path jdk, final List<String> flags, final Class<?> main, final String... arguments)
        throws IOException, InterruptedException
    {
        final List<String> command = new ArrayList<>(List.of(jdk.resolve("bin/java").toString()));
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        final Path out = Files.createTempFile("child", ".out");
        final Path err = Files.createTempFile("child", ".err");
        try
        {
            final ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
            // Each of these variables adds flags, and two of them print a message.
            builder.environment().keySet()
                .removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH"));
            final Process process = builder.start();
            if (!process.waitFor(WAIT_S, TimeUnit.SECONDS))
            {
                process.destroyForcibly();
                throw new AssertionError("the child does not end: " + command);
            }
            assertEquals("", Files.readString(err), () -> "stderr of " + command);
            assertEquals(0, process.exitValue(), () -> "exit code of " + command);
            return Files.readAllLines(out);
        }
        finally
        {
            Files.delete(out);
            Files.delete(err);
        }
    }
}

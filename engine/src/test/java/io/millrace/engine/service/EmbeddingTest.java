package io.millrace.engine.service;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A program with the jars on its class path and no flag, on each JDK of this machine: it matches, and stderr stays
 * empty.
 */
@Tag("normal")
class EmbeddingTest
{
    private static final int JDK_FLOOR = 17;
    private static final Pattern VERSION = Pattern.compile("JAVA_VERSION=\"(\\d+)");

    /** The JDK that runs the test, and those that are installed beside it. */
    static Set<Path> jdks() throws IOException
    {
        final Path current = Path.of(System.getProperty("java.home")).toRealPath();
        final Set<Path> jdks = new LinkedHashSet<>(List.of(current));
        try (DirectoryStream<Path> siblings = Files.newDirectoryStream(current.getParent()))
        {
            for (final Path sibling : siblings)
            {
                if (Files.isExecutable(sibling.resolve("bin/java")) && versionOf(sibling) >= JDK_FLOOR)
                {
                    jdks.add(sibling.toRealPath());
                }
            }
        }
        if (jdks.size() == 1)
        {
            System.out.println("only one JDK is installed in " + current.getParent() + ": no other one was tested");
        }
        return jdks;
    }

    private static int versionOf(final Path jdk) throws IOException
    {
        final Path release = jdk.resolve("release");
        final Matcher version = VERSION.matcher(Files.isReadable(release) ? Files.readString(release) : "");
        return version.find() ? Integer.parseInt(version.group(1)) : 0;
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void shouldMatchWithoutFlagsAndWithEmptyStderr(final Path jdk) throws Exception
    {
        final Path out = Files.createTempFile("matching", ".out");
        final Path err = Files.createTempFile("matching", ".err");
        try
        {
            final ProcessBuilder builder = new ProcessBuilder(jdk.resolve("bin/java").toString(), "-cp",
                System.getProperty("java.class.path"), EmbeddedMatching.class.getName())
                .redirectOutput(out.toFile()).redirectError(err.toFile());
            // Each of these adds flags, and two of them print that they do.
            builder.environment().keySet()
                .removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH"));
            final Process process = builder.start();
            final boolean ended = process.waitFor(Await.LONG_NS, TimeUnit.NANOSECONDS);
            if (!ended)
            {
                process.destroyForcibly();
            }
            assertTrue(ended, "the program does not end");
            assertEquals("", Files.readString(err), "stderr on " + jdk);
            final String figures = " trades 1000 volume 5000 results 2000 resting 0";
            assertEquals(List.of("ring" + figures, "spsc" + figures, "disruptor" + figures, "direct" + figures,
                "bytes trades 1000 volume 5000 results 2006 resting 0", "closed"), Files.readAllLines(out),
                "stdout on " + jdk);
            assertEquals(0, process.exitValue());
        }
        finally
        {
            Files.delete(out);
            Files.delete(err);
        }
    }
}

package io.millrace.ipc;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** An exchange in JVMs without any flag, on each JDK of this machine. */
class AnyJdkTest
{
    private static final int CALLS = 200;
    private static final Path JDK = Path.of(System.getProperty("java.home"));

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

    /** Host and guest in one JVM. Nothing but the program's line may be on its stdout and stderr. */
    @Test
    void shouldCallWithoutAFlagAndWithEmptyStderr() throws Exception
    {
        for (final Path jdk : jdks())
        {
            final Path directory = Pair.folder();
            final Path output = Files.createTempFile("anyjdk", ".out");
            try
            {
                final List<String> command = List.of(jdk.resolve("bin/java").toString(), "-cp",
                    System.getProperty("java.class.path"), OneCorePeer.class.getName(), directory.toString(),
                    Integer.toString(CALLS));
                final List<String> lines =
                    Children.end(Children.start(command, output), 0, output).lines().toList();
                assertEquals(1, lines.size(), () -> jdk + ": " + lines);
                assertTrue(lines.get(0).startsWith(CALLS + " calls on one core"), () -> jdk + ": " + lines);
            }
            finally
            {
                Pair.delete(directory);
                Files.delete(output);
            }
        }
    }
}

package io.millrace.server;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The JDKs of version 17 and later on this machine: the one that runs the test, and those in the same folder. */
final class Jdks
{
    private static final int MIN_VERSION = 17;

    private Jdks()
    {
    }

    static List<Path> all() throws IOException
    {
        final Path current = Path.of(System.getProperty("java.home")).toRealPath();
        final Set<Path> jdks = new LinkedHashSet<>();
        jdks.add(current);
        try (DirectoryStream<Path> siblings = Files.newDirectoryStream(current.getParent()))
        {
            for (final Path sibling : siblings)
            {
                if (Files.isExecutable(sibling.resolve("bin/java")) && versionOf(sibling) >= MIN_VERSION)
                {
                    jdks.add(sibling.toRealPath());
                }
            }
        }
        if (jdks.size() == 1)
        {
            System.out.println("only one JDK is installed in " + current.getParent() + ": no other one was tested");
        }
        return new ArrayList<>(jdks);
    }

    /** Version in the release file; 0 if there is no readable one. */
    private static int versionOf(final Path jdk) throws IOException
    {
        final Path release = jdk.resolve("release");
        if (Files.isReadable(release))
        {
            for (final String line : Files.readAllLines(release))
            {
                if (line.startsWith("JAVA_VERSION=\""))
                {
                    return Integer.parseInt(line.replaceAll("JAVA_VERSION=\"(\\d+).*", "$1"));
                }
            }
        }
        return 0;
    }
}

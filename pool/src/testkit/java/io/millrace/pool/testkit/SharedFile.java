package io.millrace.pool.testkit;

import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Recorded data, which are not part of the project, because others own them. */
public final class SharedFile
{
    /** The folder of them all. */
    public static final Path FOLDER = Path.of(System.getProperty("millrace.shared", "../../shared"));

    private SharedFile()
    {
    }

    /** A file or folder. Without it the test is skipped with its name. */
    public static Path of(final String name)
    {
        final Path file = FOLDER.resolve(name);
        assumeTrue(Files.exists(file), () -> "skipped: there is no " + file);
        return file;
    }
}

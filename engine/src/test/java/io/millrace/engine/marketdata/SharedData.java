package io.millrace.engine.marketdata;

import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Location of the recorded market data, which are not part of the project, because exchanges own them. */
final class SharedData
{
    private static final Path FOLDER = Path.of(System.getProperty("millrace.shared", "../../shared"), "data");

    private SharedData()
    {
    }

    /** A file. Without it the test is skipped with its name. */
    static Path file(final String name)
    {
        final Path file = FOLDER.resolve(name);
        assumeTrue(Files.exists(file), () -> "skipped: there is no " + file);
        return file;
    }
}

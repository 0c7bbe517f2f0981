package io.millrace.gateway.itch;

import io.millrace.pool.testkit.SharedFile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Location of the recorded market data, which are not part of the project, because exchanges own them. */
final class SharedData
{
    static final String HOUR = "itch/aapl_20120621_0930_1030.itch.gz";
    static final String SAMPLE = "itch/ex20101224.TEST_ITCH_50.gz";
    static final String DAY_START = "itch/day_start_1000.itch";

    private SharedData()
    {
    }

    /** A file or folder. Without it the test is skipped with its name. */
    static Path file(final String name)
    {
        return SharedFile.of("data/" + name);
    }

    /** All pcap files whose folder's name begins so. */
    static List<Path> pcaps(final String prefix)
    {
        try (Stream<Path> files = Files.walk(file("pcap")))
        {
            return files.filter(file -> file.toString().endsWith(".pcap") &&
                file.getParent().getFileName().toString().startsWith(prefix)).sorted().toList();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}

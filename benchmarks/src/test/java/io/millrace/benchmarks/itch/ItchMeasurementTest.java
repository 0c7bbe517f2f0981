package io.millrace.benchmarks.itch;

import io.millrace.benchmarks.harness.HostFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The report in small; it checks the counts of the recorded hour, with the engine's books, if the hour is there. */
class ItchMeasurementTest
{
    private static final Path HOUR = Path.of(System.getProperty("millrace.shared", "../../shared"), "data", "itch",
        "aapl_20120621_0930_1030.itch.gz");

    @TempDir
    private Path folder;

    @Test
    void shouldFindTheKnownAnswersInBothStreams() throws IOException
    {
        final Properties properties = new Properties();
        properties.setProperty("report.rounds", "1");
        properties.setProperty("report.commands", "20000");
        properties.setProperty("report.dir", folder.toString());
        properties.setProperty("report.input", HOUR.toString());
        final ByteArrayOutputStream text = new ByteArrayOutputStream();
        new ItchMeasurement(properties, new HostFiles(), new PrintStream(text, true, StandardCharsets.UTF_8)).run();
        final List<String> lines = Files.readAllLines(folder.resolve("itch").resolve("table.txt"));
        final List<String> table = lines.subList(lines.indexOf("") + 1, lines.size());
        assertEquals(Files.exists(HOUR) ? 9 : 5, table.size(), () -> text.toString(StandardCharsets.UTF_8));
        assertTrue(table.get(table.size() - 3).endsWith("  ratio 1.5"), table::toString);
        assertTrue(table.get(table.size() - 2).endsWith("  40 M/s"), table::toString);
        assertTrue(table.get(table.size() - 1).contains("decode and books"), table::toString);
    }
}

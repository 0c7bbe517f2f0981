package io.millrace.benchmarks.itch;

import io.millrace.benchmarks.harness.InputException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Properties;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
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
        if (Files.exists(HOUR))
        {
            properties.setProperty("report.input", HOUR.toString());
        }
        final ByteArrayOutputStream text = new ByteArrayOutputStream();
        new ItchMeasurement(properties, new PrintStream(text, true, StandardCharsets.UTF_8)).run();
        final List<String> lines = Files.readAllLines(folder.resolve("itch").resolve("table.txt"));
        final List<String> table = lines.subList(lines.indexOf("") + 1, lines.size());
        assertEquals(Files.exists(HOUR) ? 9 : 5, table.size(), () -> text.toString(StandardCharsets.UTF_8));
        assertTrue(table.get(table.size() - 3).endsWith("  ratio 1.5"), table::toString);
        assertTrue(table.get(table.size() - 2).endsWith("  40 M/s"), table::toString);
        assertTrue(table.get(table.size() - 1).contains("decode and books"), table::toString);
    }

    private static String refusal(final Path input)
    {
        final Properties properties = new Properties();
        properties.setProperty("report.dir", input.getParent().toString());
        properties.setProperty("report.rounds", "1");
        properties.setProperty("report.input", input.toString());
        return assertThrows(InputException.class, () -> new ItchMeasurement(
            properties, new PrintStream(OutputStream.nullOutputStream())).run()).getMessage();
    }

    @Test
    void shouldRefuseAFileThatIsNotThere()
    {
        final Path file = folder.resolve("none.itch");
        assertEquals("report.input " + file + ": no such file", refusal(file));
    }

    /** Too short for a frame, no type, another length than the type has, and a message without its last byte. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "00 | its last message is cut off",
        "00 0C 7A 00 01 | type 'z' at byte 0",
        "FF FE 53 00 01 | length -2 at byte 0",
        "00 0C 53 00 01 00 00 00 00 00 00 00 00 | its last message is cut off"})
    void shouldRefuseAFileOfOtherBytes(final String hex, final String why) throws IOException
    {
        final Path file = Files.write(folder.resolve("a.itch"), HexFormat.ofDelimiter(" ").parseHex(hex));
        assertEquals(file + " is not a file of ITCH 5.0 with the types A, C, D, E, F, P, R, S, U, X alone: " + why,
            refusal(file));
    }

    @Test
    void shouldRefuseAFileThatIsNoGzipOrEmpty() throws IOException
    {
        final Path file = Files.writeString(folder.resolve("a.itch.gz"), "text");
        assertEquals(file + ": cannot be read: Not in GZIP format", refusal(file));
        final Path empty = Files.createFile(folder.resolve("b.itch"));
        assertEquals(empty + ": no messages", refusal(empty));
    }
}

package io.millrace.server.replay;

import io.millrace.pool.testkit.Descriptors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Tag("normal")
class CsvReaderTest
{
    private static final int BUFFER_LENGTH = 4_096;

    @TempDir
    private Path folder;

    private Path file(final String text) throws IOException
    {
        return Files.writeString(folder.resolve("rows.csv"), text, StandardCharsets.ISO_8859_1);
    }

    private CsvReader reader(final String text, final int bufferLengthBytes) throws IOException
    {
        return new CsvReader(file(text), bufferLengthBytes, (byte)',', CsvReader.ANY_COLUMNS);
    }

    /** The first row of a file of this text. The reader is closed: the row stays readable. */
    private CsvRow row(final String text) throws IOException
    {
        try (CsvReader reader = reader(text, BUFFER_LENGTH))
        {
            assertTrue(reader.next());
            return reader.row();
        }
    }

    private List<String> rows(final String text, final int bufferLengthBytes) throws IOException
    {
        final List<String> rows = new ArrayList<>();
        try (CsvReader reader = reader(text, bufferLengthBytes))
        {
            while (reader.next())
            {
                final CsvRow row = reader.row();
                rows.add(row.lineNumber() + ":" + IntStream.range(0, row.columns()).mapToObj(row::textAt)
                    .collect(Collectors.joining("|")));
            }
        }
        return rows;
    }

    private static String message(final Runnable parse)
    {
        return assertThrows(MalformedRowException.class, parse::run).getMessage();
    }

    @ParameterizedTest
    @CsvSource({"0,0", "7,7", "-42,-42", "007,7", "-0,0", "9223372036854775807,9223372036854775807",
        "-9223372036854775808,-9223372036854775808"})
    void shouldReadWholeNumbers(final String text, final long value) throws IOException
    {
        assertEquals(value, row("x," + text + ",y").longAt(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", "+1", " 1", "1 ", "1.0", "1e3", "0x1", "--1", "1-", "12a", "."})
    void shouldRefuseFieldsThatAreNotWholeNumbers(final String text) throws IOException
    {
        final CsvRow row = row("x," + text + ",y");
        assertEquals(folder.resolve("rows.csv") + ":1: column 2 '" + text + "' is not a whole number",
            message(() -> row.longAt(1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"9223372036854775808", "-9223372036854775809", "99999999999999999999",
        "10000000000000000000"})
    void shouldRefuseNumbersBeyondALong(final String text) throws IOException
    {
        final CsvRow row = row(text);
        assertTrue(message(() -> row.longAt(0)).endsWith(":1: column 1 '" + text + "' is beyond a long"));
    }

    @Test
    void shouldRefuseNumbersBeyondAnInt() throws IOException
    {
        final CsvRow row = row("2147483647,-2147483648,2147483648,-2147483649");
        assertEquals(Integer.MAX_VALUE, row.intAt(0));
        assertEquals(Integer.MIN_VALUE, row.intAt(1));
        assertTrue(message(() -> row.intAt(2)).endsWith("column 3 '2147483648' is beyond an int"));
        assertTrue(message(() -> row.intAt(3)).endsWith("column 4 '-2147483649' is beyond an int"));
    }

    @ParameterizedTest
    @CsvSource({"34200.004241176,34200004241176", "34200.18960767,34200189607670", "34200,34200000000000",
        "34200.,34200000000000", "35821.088778456004,35821088778456", ".5,500000000",
        "-0.000000001,-1", "9223372036.854775807,9223372036854775807",
        "-9223372036.854775808,-9223372036854775808", "-0.0000000019,-1",
        "0.00000000099999999999999999999,0"})
    void shouldReadSecondsAsNanoseconds(final String text, final long timeNs) throws IOException
    {
        assertEquals(timeNs, row(text).timeNsAt(0));
    }

    @Test
    void shouldReadDecimalsAsFixedPointWithoutRounding() throws IOException
    {
        final CsvRow row = row("58.53,58.53001,9223372036854775.8081,.,1.2.3,1e5");
        assertEquals(585_300, row.decimalAt(0, 4));
        assertEquals(5_853_000, row.decimalAt(0, 5));
        assertTrue(message(() -> row.decimalAt(1, 4)).endsWith("'58.53001' has more than 4 digits after the point"));
        assertTrue(message(() -> row.decimalAt(2, 4)).endsWith("is beyond a long"));
        assertTrue(message(() -> row.decimalAt(3, 4)).endsWith("'.' is not a decimal number"));
        assertTrue(message(() -> row.decimalAt(4, 4)).endsWith("'1.2.3' is not a decimal number"));
        assertTrue(message(() -> row.decimalAt(5, 4)).endsWith("'1e5' is not a decimal number"));
        assertTrue(message(() -> row.timeNsAt(4)).endsWith("'1.2.3' is not a decimal number"));
        assertThrows(IllegalArgumentException.class, () -> row.decimalAt(0, 19));
        assertThrows(IllegalArgumentException.class, () -> row.decimalAt(0, -1));
    }

    @Test
    void shouldReadBytesAndCompareText() throws IOException
    {
        final CsvRow row = row("B,BID,,ASK");
        assertEquals('B', row.byteAt(0));
        assertEquals('D', row.byteAt(1, 2));
        assertEquals(0, row.lengthAt(2));
        assertTrue(row.equals(1, "BID"));
        assertTrue(row.equals(2, ""));
        assertFalse(row.equals(1, "BI"));
        assertFalse(row.equals(1, "BIDS"));
        assertFalse(row.equals(1, "bid"));
        assertFalse(row.equals(3, "BID"));
        assertTrue(message(() -> row.byteAt(1)).endsWith("column 2 'BID' is not one byte"));
        assertTrue(message(() -> row.byteAt(2)).endsWith("column 3 '' is not one byte"));
        assertTrue(message(() -> row.byteAt(1, 3)).endsWith("column 2 'BID' has no byte 3"));
        assertThrows(IndexOutOfBoundsException.class, () -> row.longAt(4));
        assertThrows(IndexOutOfBoundsException.class, () -> row.longAt(-1));
    }

    @Test
    void shouldEscapeUnprintableBytes() throws IOException
    {
        final CsvRow row = row("a\u0000\u00e9,b");
        assertEquals("a\\x00\\xe9", row.textAt(0));
        assertTrue(message(() -> row.longAt(0)).endsWith("column 1 'a\\x00\\xe9' is not a whole number"));
    }

    @Test
    void shouldQuoteOnlyTheBeginningOfALongField() throws IOException
    {
        final CsvRow row = row("y".repeat(1_000) + ",b");
        assertTrue(message(() -> row.longAt(0)).endsWith("column 1 '" + "y".repeat(60) + "...' is not a whole number"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1,2\n3,4\n", "1,2\n3,4", "1,2\r\n3,4\r\n", "1,2\r\n3,4\r", "1,2\r\n3,4", "1,2\n3,4\r\n"})
    void shouldAcceptEveryCommonLineEnd(final String text) throws IOException
    {
        assertEquals(List.of("1:1|2", "2:3|4"), rows(text, BUFFER_LENGTH));
    }

    @Test
    void shouldFindNoRowInAnEmptyFile() throws IOException
    {
        assertEquals(List.of(), rows("", BUFFER_LENGTH));
    }

    @Test
    void shouldReadTheSameRowsWhereverTheBufferEnds() throws IOException
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < 200; i++)
        {
            text.append("7".repeat(1 + i % 5)).append(',').append(i).append(i % 3 == 0 ? "\r\n" : "\n");
        }
        final List<String> expected = rows(text.toString(), BUFFER_LENGTH);
        assertEquals(200, expected.size());
        for (int length = 11; length < 300; length++)
        {
            assertEquals(expected, rows(text.toString(), length), "buffer of " + length + " bytes");
        }
    }

    @Test
    void shouldRefuseALineLongerThanTheBufferAndContinue() throws IOException
    {
        for (int length = 17; length < 80; length++)
        {
            final String text = "1,2\n" + "3".repeat(length) + ",4\n5,6\n";
            try (CsvReader reader = reader(text, 16))
            {
                assertTrue(reader.next());
                final String message = assertThrows(MalformedRowException.class, reader::next).getMessage();
                assertTrue(message.contains(":2: the line is longer than the buffer of 16 bytes: '3333"), message);
                assertTrue(reader.next());
                assertEquals(3, reader.row().lineNumber());
                assertEquals(5, reader.row().longAt(0));
                assertFalse(reader.next());
            }
        }
    }

    @Test
    void shouldRefuseALongLineAtTheEndOfTheFile() throws IOException
    {
        try (CsvReader reader = reader("1,2\n" + "3".repeat(50), 16))
        {
            assertTrue(reader.next());
            assertThrows(MalformedRowException.class, reader::next);
            assertFalse(reader.next());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"'3';1 columns instead of 2: '3'", "'3,4,5';3 columns instead of 2: '3,4,5'",
        "'';1 columns instead of 2: ''", "'\"3\",4';a quote, which this reader does not understand: '\"3\",4'"})
    void shouldRefuseAMalformedRowAndContinue(final String line, final String complaint) throws IOException
    {
        try (CsvReader reader = reader("1,2\n" + line + "\r\n5,6", 32))
        {
            assertTrue(reader.next());
            final String message = assertThrows(MalformedRowException.class, reader::next).getMessage();
            assertEquals(folder.resolve("rows.csv") + ":2: " + complaint, message);
            assertTrue(reader.next());
            assertEquals(6, reader.row().longAt(1));
            assertFalse(reader.next());
        }
    }

    @ParameterizedTest
    @CsvSource({"-1, 0, bufferLengthBytes -1", "0, 0, bufferLengthBytes 0", "2147483647, 0, bufferLengthBytes 2147",
        "64, -1, columns -1", "64, 1025, columns 1025"})
    void shouldRefuseSettingsOutOfRange(final int bufferLengthBytes, final int columns, final String message)
        throws IOException
    {
        final Path file = file("1,2\n");
        final String refusal = assertThrows(IllegalArgumentException.class,
            () -> new CsvReader(file, bufferLengthBytes, (byte)',', columns)).getMessage();
        assertTrue(refusal.contains(message), refusal);
        assertEquals(0, Descriptors.countOf(file));
    }

    @Test
    void shouldRefuseMoreColumnsThanTheMaximum() throws IOException
    {
        try (CsvReader reader = reader(",".repeat(1_023) + "\n" + ",".repeat(1_024) + "\n", BUFFER_LENGTH))
        {
            assertTrue(reader.next());
            assertEquals(1_024, reader.row().columns());
            final String message = assertThrows(MalformedRowException.class, reader::next).getMessage();
            assertTrue(message.contains(":2: 1025 columns, at most 1024 are possible: ',,,"), message);
        }
    }
}

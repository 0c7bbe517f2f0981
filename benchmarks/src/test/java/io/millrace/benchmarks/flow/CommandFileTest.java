package io.millrace.benchmarks.flow;

import io.millrace.benchmarks.harness.InputException;
import io.millrace.engine.replay.CommandRows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class CommandFileTest
{
    private static final String TWO = CommandRows.ONE_SYMBOL + "\n" +
        "0,F,PLACE_ORDER,1,393,34386,7,BID,GTC,42985\n" +
        "1,B,MOVE_ORDER,494,291,34398,0,,,0\n";

    @TempDir
    Path dir;

    @Test
    void shouldReadEveryColumn() throws IOException
    {
        final CommandColumns commands = CommandFile.read(file("plain.csv", TWO));

        assertEquals(2, commands.count());
        assertEquals(0, commands.seq(0));
        assertEquals('F', CommandWord.PHASES.get(CommandWord.phase(commands.word(0))));
        assertEquals("PLACE_ORDER", CommandWord.COMMANDS.get(CommandWord.command(commands.word(0))));
        assertEquals("BID", CommandWord.ACTIONS.get(CommandWord.action(commands.word(0))));
        assertEquals("GTC", CommandWord.ORDER_TYPES.get(CommandWord.orderType(commands.word(0))));
        assertEquals(1, commands.orderId(0));
        assertEquals(393, commands.uid(0));
        assertEquals(34_386, commands.price(0));
        assertEquals(7, commands.size(0));
        assertEquals(42_985, commands.reserveBidPrice(0));
        assertEquals("bench.MOVE_ORDER", CommandWord.counterName(CommandWord.counter(commands.word(1))));
    }

    @Test
    void shouldReadGzipUnderAnyName() throws IOException
    {
        final Path file = dir.resolve("commands.csv");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file)))
        {
            out.write(TWO.getBytes(StandardCharsets.UTF_8));
        }
        assertEquals(CommandFile.read(file("plain.csv", TWO)).checksum(2), CommandFile.read(file).checksum(2));
    }

    @Test
    void shouldReadWithoutALastLineBreakAndWithWindowsOnes() throws IOException
    {
        assertEquals(2, CommandFile.read(file("a.csv", TWO.strip())).count());
        assertEquals(2, CommandFile.read(file("b.csv", TWO.replace("\n", "\r\n"))).count());
    }

    @Test
    void shouldNameFileAndLineOfAMalformedRow() throws IOException
    {
        assertRefused("2,B,MOVE_ORDER,1,2,3", ":4: 6 columns instead of 10: '2,B,MOVE_ORDER,1,2,3'");
        assertRefused("2,X,MOVE_ORDER,1,2,3,4,,,0", ":4: phase 'X' is not one of [F, B]");
        assertRefused("2,B,MOVE_ORDER,one,2,3,4,,,0", ":4: column 4 'one' is not a whole number");
        assertRefused("2,B,PLACE_ORDER,1,2,0,4,BID,MARKET,0",
            ":4: order type MARKET is not one that all contenders have");
    }

    private void assertRefused(final String thirdLine, final String message) throws IOException
    {
        final Path file = file("bad.csv", TWO + thirdLine + "\n");
        final InputException refused = assertThrows(InputException.class, () -> CommandFile.read(file));
        assertEquals(file + message, refused.getMessage());
    }

    @Test
    void shouldRefuseNoCommandsAndNoFile() throws IOException
    {
        final Path none = file("none.csv", CommandRows.ONE_SYMBOL + "\n");
        assertEquals(none + ": no commands",
            assertThrows(InputException.class, () -> CommandFile.read(none)).getMessage());
        final Path missing = dir.resolve("missing.csv");
        assertEquals(missing + ": no such file",
            assertThrows(InputException.class, () -> CommandFile.read(missing)).getMessage());
    }

    @Test
    void shouldSayWhereAGzipFileBreaksOff() throws IOException
    {
        final Path whole = dir.resolve("whole.csv.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(whole)))
        {
            out.write(TWO.getBytes(StandardCharsets.UTF_8));
        }
        final byte[] bytes = Files.readAllBytes(whole);
        final Path half = dir.resolve("half.csv.gz");
        Files.write(half, java.util.Arrays.copyOf(bytes, bytes.length / 2));
        final InputException refused = assertThrows(InputException.class, () -> CommandFile.read(half));
        assertTrue(refused.getMessage().matches("(?s)" + java.util.regex.Pattern.quote(half.toString()) +
            ":.*truncated.*"), refused.getMessage());
    }

    private Path file(final String name, final String text) throws IOException
    {
        return Files.writeString(dir.resolve(name), text);
    }
}

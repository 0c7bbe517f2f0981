package io.millrace.engine.replay;

import io.millrace.engine.service.OrderCommand;
import io.millrace.server.replay.MalformedRowException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Rows of both layouts, and malformed ones. */
class CommandRowsTest
{
    @TempDir
    private Path folder;

    private Path file(final String text) throws IOException
    {
        return Files.writeString(folder.resolve("commands.csv"), text);
    }

    private static List<String> texts(final List<OrderCommand> commands)
    {
        return commands.stream().map(OrderCommand::toString).collect(Collectors.toList());
    }

    @Test
    void shouldDecodeTheOrdersOfOneSymbol() throws IOException
    {
        final CommandRows rows = CommandRows.ofOneSymbol(9);
        final List<OrderCommand> commands = RecordedCommands.read(file(CommandRows.ONE_SYMBOL + "\n" +
            "0,F,PLACE_ORDER,1,7,100,5,ASK,FOK_BUDGET,\n" +
            "1,B,REDUCE_ORDER,1,7,,2,,,\n" +
            "2,B,MOVE_ORDER,1,7,101,,,,0\n" +
            "3,B,CANCEL_ORDER,1,7,,,,,\n"), rows);
        assertEquals(texts(List.of(
            new OrderCommand().fillOrKillBudget(9, 1, 7, (byte)1, 100, 5), new OrderCommand().reduce(9, 1, 7, 2),
            new OrderCommand().move(9, 1, 7, 101), new OrderCommand().cancel(9, 1, 7))), texts(commands));
        assertEquals(4, rows.count());
    }

    @Test
    void shouldDecodeSymbolsAndUsers() throws IOException
    {
        final List<OrderCommand> commands = RecordedCommands.read(file(CommandRows.ALL_SYMBOLS + "\n" +
            "0,ADD_USER,,,7,,,,,,\n" +
            "1,BALANCE_ADJUSTMENT,,3,7,-50,,ADJUSTMENT,,,840\n" +
            "2,PLACE_ORDER,12,1,7,100,5,BID,GTC,100,\n" +
            "3,SUSPEND_USER,,,7,,,,,,\n" +
            "4,RESUME_USER,,,7,,,,,,\n"), CommandRows.ofAllSymbols());
        assertEquals(texts(List.of(
            new OrderCommand().addUser(7), new OrderCommand().adjustBalance(7, 840, -50, 3),
            new OrderCommand().limit(12, 1, 7, (byte)0, 100, 5), new OrderCommand().suspendUser(7),
            new OrderCommand().resumeUser(7))), texts(commands));
    }

    @Test
    void shouldGiveThePhaseAndTheOptionalPriceOfACancel() throws IOException
    {
        final StringBuilder phases = new StringBuilder();
        final CommandRows one = CommandRows.ofOneSymbol(9);
        RecordedCommands.forEach(file(CommandRows.ONE_SYMBOL + "\n0,F,CANCEL_ORDER,1,7,,,,,\n" +
            "1,B,CANCEL_ORDER,2,7,99,,,,\n2,,CANCEL_ORDER,3,7,,,,,\n"), one,
            command -> phases.append(one.count()).append(one.phase()).append(command.orderId()).append('@')
                .append(command.price()).append(';'));
        final CommandRows all = CommandRows.ofAllSymbols();
        RecordedCommands.forEach(file(CommandRows.ALL_SYMBOLS + "\n0,ADD_USER,,,7,,,,,,\n"), all,
            command -> phases.append(all.phase()));
        assertEquals("1F1@0;2B2@99;3 3@0; ", phases.toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "0,F,PLACE_ORDER,1,7,1,1,BUY,GTC,0 | :2: column 8 'BUY' is not one of BID ASK",
        "0,F,ADD_USER,1,7,1,1,,,0 | :2: column 3 'ADD_USER' is not one of PLACE_ORDER",
        "0,F,MOVE_ORDER,1,7,,0,,,0 | :2: column 6 '' is not a whole number",
        "1,F,CANCEL_ORDER,1,7,0,0,,,0 | :2: column 1 '1' is not the number of the row, which is 0"})
    void shouldReportTheLineAndTheColumnOfAMalformedRow(final String row, final String message) throws IOException
    {
        final Path file = file(CommandRows.ONE_SYMBOL + "\n" + row + "\n");
        final String problem = assertThrows(MalformedRowException.class,
            () -> RecordedCommands.read(file, CommandRows.ofOneSymbol(1))).getMessage();
        assertTrue(problem.startsWith(file + message), problem);
    }

    @Test
    void shouldRefuseAnotherHeader() throws IOException
    {
        final Path file = file(CommandRows.ALL_SYMBOLS + "\n");
        assertThrows(MalformedRowException.class, () -> RecordedCommands.read(file, CommandRows.ofOneSymbol(1)));
        final CommandRows rows = CommandRows.ofAllSymbols();
        assertEquals(List.of(), RecordedCommands.read(file, rows));
        assertTrue(rows.hasHeader());
        assertFalse(CommandRows.ofAllSymbols().hasHeader());
    }
}

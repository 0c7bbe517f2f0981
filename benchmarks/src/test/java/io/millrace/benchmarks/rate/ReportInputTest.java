package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.flow.BookCommands;
import io.millrace.benchmarks.flow.CommandFile;
import io.millrace.benchmarks.flow.FieldChecksum;
import io.millrace.benchmarks.flow.OrderFlow;
import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.benchmarks.harness.WrongAnswerException;
import io.millrace.engine.book.OrderBook;
import io.millrace.pool.testkit.SharedFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ReportInputTest
{
    @TempDir
    Path dir;

    @Test
    void shouldRunOnTheBenchmarkFlowWithoutAFile()
    {
        final ReportInput input = ReportInput.of("");
        assertTrue(input.line().contains("commands, repeated as needed; benchmark flow of symbol 40000, seed 1, " +
            "1000 + 100000 commands, and cancels of the "), input::line);
        assertEquals(0, input.expected().lap().resting());
        assertEquals(0, input.expected().lap().refused());
        assertTrue(input.expected().lap().trades() > 3_000, () -> "trades " + input.expected().lap());
    }

    @ParameterizedTest
    @CsvSource({"margin_100k,4f3ac1443e85dccf", "exchange_100k,ab958e3022081be2"})
    void shouldGiveTheKnownHashOfARecordingsFirstLap(final String name, final String hash)
    {
        final ReportInput input = ReportInput.of(SharedFile.of("oracle/" + name + ".commands.csv.gz").toString());
        assertEquals("events of the first 101,000 commands: FNV " + hash + ", as " + name + ".summary.txt has it",
            input.bookLines().get(1));
        assertEquals(0, input.expected().lap().refused());
    }

    @Test
    void shouldRefuseABookThatDoesNotDoWhatTheSummaryOfTheInputSays() throws IOException
    {
        final Path file = dir.resolve("flow.commands.csv");
        CommandFile.write(OrderFlow.of(1, 2, 500), file);
        Files.writeString(dir.resolve("flow.summary.txt"),
            "name=flow\neventsFnv1a64(seq,type ordinal,makerId,price,size as LE longs)=0123456789abcdef\n");
        final String message =
            assertThrows(WrongAnswerException.class, () -> ReportInput.of(file.toString())).getMessage();
        assertTrue(message.endsWith("as LE longs)=0123456789abcdef"), message);
    }

    @Test
    void shouldNotNameASummaryWithoutAHash() throws IOException
    {
        final Path file = dir.resolve("flow.commands.csv");
        CommandFile.write(OrderFlow.of(1, 2, 500), file);
        Files.writeString(dir.resolve("flow.summary.txt"), "name=flow\n");
        final String line = ReportInput.of(file.toString()).bookLines().get(1);
        assertTrue(line.matches("events of the first 1,500 commands: FNV [0-9a-f]{16}"), line);
    }

    @Test
    void shouldWriteCommandsThatComeBackTheSame() throws IOException
    {
        final CommandColumns commands = OrderFlow.closed(3, 4, 5_000);
        final Path file = dir.resolve("commands.csv");
        CommandFile.write(commands, file);
        final CommandColumns back = CommandFile.read(file);
        assertEquals(commands.count(), back.count());
        assertEquals(commands.checksum(commands.count()), back.checksum(commands.count()));
    }

    @Test
    void shouldKnowTheExecutionsOfAnyNumberOfCommandsWithoutPlayingThemAll()
    {
        final CommandColumns commands = OrderFlow.closed(1, 1, 2_000);
        final ExpectedExecutions expected = new ExpectedExecutions(commands);
        final ExecutionLedger ledger = new ExecutionLedger(FieldChecksum.START);
        final OrderBook book = new OrderBook(MatchingHandler.SYMBOL, ledger);
        for (int i = 0; i <= 4 * commands.count(); i++)
        {
            if (i % 997 == 0 || i % commands.count() < 2)
            {
                assertEquals(ledger.executions(book.orderCount()), expected.after(i), "after " + i);
            }
            final int index = i % commands.count();
            ledger.onResult(commands.orderId(index), commands.uid(index),
                BookCommands.apply(commands, index, book).code());
        }
    }

    @Test
    void shouldCountTheRefusalsOfTheBookInEachLap()
    {
        final CommandColumns commands = new CommandColumns("hand-made");
        commands.add(0, BookCommands.place(true, "GTC"), 1, 7, 100, 5, 100);
        commands.add(1, BookCommands.place(true, "GTC"), 1, 7, 100, 5, 100);
        commands.add(2, BookCommands.place(false, "FOK"), 2, 8, 100, 5, 0);
        commands.add(3, BookCommands.place(false, "IOC"), 3, 8, 100, 6, 0);
        final Executions executions = new ExpectedExecutions(commands).after(10);
        assertEquals(List.of(2L, 2L, 0L, 5L, 1L), List.of(executions.trades(), executions.rejects(),
            executions.reduces(), executions.refused(), (long)executions.resting()));
    }

    @Test
    void shouldRefuseCommandsThatLeaveOrdersBehind()
    {
        final String message = assertThrows(IllegalArgumentException.class,
            () -> new ExpectedExecutions(OrderFlow.of(1, 1, 100))).getMessage();
        assertTrue(message.contains(" orders rest after the last command of benchmark flow"), message);
    }

    @Test
    void shouldSeeEveryChangedFieldOfAnExecution()
    {
        final long right = trade(1, 2, false, 3, 4, (byte)0, false, 5, 6, 7);
        for (final long wrong : new long[] {
            trade(0, 2, false, 3, 4, (byte)0, false, 5, 6, 7), trade(1, 0, false, 3, 4, (byte)0, false, 5, 6, 7),
            trade(1, 2, true, 3, 4, (byte)0, false, 5, 6, 7), trade(1, 2, false, 0, 4, (byte)0, false, 5, 6, 7),
            trade(1, 2, false, 3, 0, (byte)0, false, 5, 6, 7), trade(1, 2, false, 3, 4, (byte)1, false, 5, 6, 7),
            trade(1, 2, false, 3, 4, (byte)0, true, 5, 6, 7), trade(1, 2, false, 3, 4, (byte)0, false, 0, 6, 7),
            trade(1, 2, false, 3, 4, (byte)0, false, 5, 0, 7), trade(1, 2, false, 3, 4, (byte)0, false, 5, 6, 0)})
        {
            assertNotEquals(right, wrong);
        }
    }

    private static long trade(
        final long makerOrderId,
        final long makerUid,
        final boolean makerCompleted,
        final long takerOrderId,
        final long takerUid,
        final byte side,
        final boolean takerCompleted,
        final long price,
        final long size,
        final long reserve)
    {
        final ExecutionLedger ledger = new ExecutionLedger(FieldChecksum.START);
        ledger.onTrade(1, makerOrderId, makerUid, makerCompleted, takerOrderId, takerUid, side, takerCompleted, price,
            size, reserve);
        return ledger.executions(0).checksum();
    }
}

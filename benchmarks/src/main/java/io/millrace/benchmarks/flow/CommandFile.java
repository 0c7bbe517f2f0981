package io.millrace.benchmarks.flow;

import io.millrace.benchmarks.harness.InputException;
import io.millrace.engine.replay.CommandRows;
import io.millrace.engine.replay.RecordedCommands;
import io.millrace.server.replay.MalformedRowException;

import java.io.BufferedWriter;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads and writes files of recorded order commands of one symbol, see {@link CommandRows}. Stateless; any thread.
 */
public final class CommandFile
{
    private CommandFile()
    {
    }

    /**
     * Read a whole file, plain or gzip.
     *
     * @param file the file.
     * @return its commands, at least one.
     * @throws InputException when it is missing, unreadable, empty, too long, or a row is malformed; the message names
     *                        the file and, if possible, the line.
     */
    public static CommandColumns read(final Path file)
    {
        final CommandColumns commands = new CommandColumns(file.toString());
        final CommandRows rows = CommandRows.ofOneSymbol(OrderFlow.SYMBOL);
        try
        {
            RecordedCommands.forEach(file, rows, command ->
                commands.add(commands.count(), BookCommands.word(phase(rows), command), command.orderId(),
                    command.uid(), command.price(), command.size(), command.reservePrice()));
        }
        catch (final FileNotFoundException ex)
        {
            throw new InputException(file + ": no such file");
        }
        catch (final MalformedRowException | IOException ex)
        {
            throw new InputException(ex.getMessage());
        }
        catch (final IllegalArgumentException | IllegalStateException ex)
        {
            throw new InputException(file + ":" + (rows.count() + 1) + ": " + ex.getMessage());
        }
        if (commands.count() == 0)
        {
            throw new InputException(file + ": no commands");
        }
        return commands;
    }

    private static int phase(final CommandRows rows)
    {
        final int phase = CommandWord.PHASES.indexOf(rows.phase());
        if (phase < 0)
        {
            throw new IllegalArgumentException("phase '" + rows.phase() + "' is not one of " + CommandWord.PHASES);
        }
        return phase;
    }

    /**
     * Write commands so that {@link #read} gives the same again.
     *
     * @param commands the commands.
     * @param file     is made or replaced.
     * @throws IOException when it cannot be written.
     */
    public static void write(final CommandColumns commands, final Path file) throws IOException
    {
        try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.UTF_8))
        {
            out.write(CommandRows.ONE_SYMBOL + "\n");
            for (int i = 0; i < commands.count(); i++)
            {
                final int word = commands.word(i);
                out.write(commands.seq(i) + "," + CommandWord.PHASES.get(CommandWord.phase(word)) + "," +
                    CommandWord.COMMANDS.get(CommandWord.command(word)) + "," + commands.orderId(i) + "," +
                    commands.uid(i) + "," + commands.price(i) + "," + commands.size(i) + "," +
                    CommandWord.ACTIONS.get(CommandWord.action(word)) + "," +
                    CommandWord.ORDER_TYPES.get(CommandWord.orderType(word)) + "," + commands.reserveBidPrice(i) +
                    "\n");
            }
        }
    }
}

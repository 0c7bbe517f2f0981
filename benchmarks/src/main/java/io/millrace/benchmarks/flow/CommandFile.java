package io.millrace.benchmarks.flow;

import io.millrace.benchmarks.harness.InputException;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * Reads recorded order commands from a CSV file, plain or gzip (told apart by its first two bytes, not by its name).
 * <p>
 * The first line is {@value #COLUMNS}. Numbers may be empty where a command has none, and then are 0. Stateless; any
 * thread.
 */
public final class CommandFile
{
    /**
     * The first line of a file.
     */
    public static final String COLUMNS = "seq,phase,cmd,orderId,uid,price,size,action,orderType,reserveBidPrice";

    private static final int GZIP_MAGIC = 0x1F8B;
    private static final int COLUMN_COUNT = COLUMNS.split(",").length;

    private CommandFile()
    {
    }

    /**
     * Read a whole file.
     *
     * @param file the file.
     * @return its commands, at least one.
     * @throws InputException when it is missing, unreadable, empty, too long, or a line is malformed; the message
     *                        names file and line.
     */
    public static RecordedCommands read(final Path file)
    {
        if (!Files.isRegularFile(file))
        {
            throw new InputException(file + ": no such file");
        }
        int lineNumber = 0;
        try (BufferedReader in = open(file))
        {
            final RecordedCommands commands = new RecordedCommands(file.toString());
            lineNumber++;
            final String columns = in.readLine();
            if (!COLUMNS.equals(columns))
            {
                throw new InputException(
                    file + ":1: the first line must be " + COLUMNS + ", not " + (columns == null ? "empty" : columns));
            }
            for (String line = in.readLine(); line != null; line = in.readLine())
            {
                lineNumber++;
                addLine(commands, line);
            }
            if (commands.count() == 0)
            {
                throw new InputException(file + ":2: no commands");
            }
            return commands;
        }
        catch (final IllegalArgumentException | IllegalStateException ex)
        {
            throw new InputException(file + ":" + lineNumber + ": " + ex.getMessage());
        }
        catch (final IOException ex)
        {
            throw new InputException(file + ":" + (lineNumber + 1) + ": cannot be read: " + ex.getMessage());
        }
    }

    /**
     * Write commands so that {@link #read} gives the same again.
     *
     * @param commands the commands.
     * @param file     is made or replaced.
     * @throws IOException when it cannot be written.
     */
    public static void write(final RecordedCommands commands, final Path file) throws IOException
    {
        try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.UTF_8))
        {
            out.write(COLUMNS + "\n");
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

    private static BufferedReader open(final Path file) throws IOException
    {
        final InputStream raw = new BufferedInputStream(Files.newInputStream(file));
        try
        {
            raw.mark(2);
            final int magic = raw.read() << 8 | raw.read();
            raw.reset();
            final InputStream bytes = magic == GZIP_MAGIC ? new GZIPInputStream(raw) : raw;
            return new BufferedReader(new InputStreamReader(bytes, StandardCharsets.UTF_8));
        }
        catch (final IOException ex)
        {
            raw.close();
            throw ex;
        }
    }

    private static void addLine(final RecordedCommands commands, final String line)
    {
        final String[] cells = line.split(",", -1);
        if (cells.length != COLUMN_COUNT)
        {
            throw new IllegalArgumentException(cells.length + " columns instead of " + COLUMN_COUNT + ": " + line);
        }
        final long seq = number("seq", cells[0]);
        if (seq < 0 || seq > Integer.MAX_VALUE)
        {
            throw new IllegalArgumentException("seq " + seq + " is not in 0.." + Integer.MAX_VALUE);
        }
        final int word = CommandWord.of(
            index("phase", CommandWord.PHASES, cells[1]),
            index("cmd", CommandWord.COMMANDS, cells[2]),
            index("action", CommandWord.ACTIONS, cells[7]),
            index("orderType", CommandWord.ORDER_TYPES, cells[8]));
        commands.add((int)seq, word, number("orderId", cells[3]), number("uid", cells[4]), number("price", cells[5]),
            number("size", cells[6]), number("reserveBidPrice", cells[9]));
    }

    private static int index(final String column, final List<String> names, final String cell)
    {
        final int index = names.indexOf(cell);
        if (index < 0)
        {
            throw new IllegalArgumentException(column + " '" + cell + "' is not one of " + names);
        }
        return index;
    }

    private static long number(final String column, final String cell)
    {
        try
        {
            return cell.isEmpty() ? 0 : Long.parseLong(cell);
        }
        catch (final NumberFormatException ex)
        {
            throw new IllegalArgumentException(column + " '" + cell + "' is not a whole number", ex);
        }
    }
}

package io.millrace.engine.replay;

import io.millrace.engine.service.OrderCommand;
import io.millrace.server.replay.CsvReader;
import io.millrace.server.replay.MalformedRowException;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads a file of recorded commands without a server. Stateless.
 */
public final class RecordedCommands
{
    private static final int BUFFER_LENGTH_BYTES = 1 << 16;

    private RecordedCommands()
    {
    }

    /**
     * Reads a whole file, plain or gzip.
     *
     * @param file the file.
     * @param rows decoder of its layout, not used before.
     * @return its commands in order.
     * @throws IOException when the file cannot be read. A malformed row throws a {@link MalformedRowException}, whose
     *                     message names file, line and column.
     */
    public static List<OrderCommand> read(final Path file, final CommandRows rows) throws IOException
    {
        final List<OrderCommand> commands = new ArrayList<>();
        forEach(file, rows, commands::add);
        return commands;
    }

    /**
     * Reads a whole file, plain or gzip, and passes on each command.
     *
     * @param file     the file.
     * @param rows     decoder of its layout, not used before. While the consumer runs, {@link CommandRows#phase} and
     *                 {@link CommandRows#count} belong to its command.
     * @param consumer is called for each command in order, with a new object each time.
     * @throws IOException when the file cannot be read. A malformed row throws a {@link MalformedRowException}, whose
     *                     message names file, line and column.
     */
    public static void forEach(final Path file, final CommandRows rows, final Consumer<OrderCommand> consumer)
        throws IOException
    {
        try (CsvReader reader = new CsvReader(file, BUFFER_LENGTH_BYTES, (byte)',', CsvReader.ANY_COLUMNS))
        {
            while (reader.next())
            {
                final OrderCommand command = new OrderCommand();
                if (rows.decode(reader.row(), command))
                {
                    consumer.accept(command);
                }
            }
        }
    }
}

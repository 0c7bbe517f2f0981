package io.millrace.examples;

import io.millrace.gateway.itch.ItchBook;
import io.millrace.server.replay.CsvReader;
import io.millrace.server.replay.CsvRow;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Applies a file of LOBSTER messages, plain or gzip, to a book. The columns are time in seconds, type, order id, size,
 * price times 10,000, and direction of the resting order. Hidden executions, crosses and halts change no book.
 * <p>
 * Orders from before the first row have no add. A later message about one of them is counted as an anomaly and changes
 * nothing. One thread.
 */
final class LobsterMessages
{
    private static final int COLUMNS = 6;
    private static final int ADD = 1;
    private static final int PARTIAL_CANCEL = 2;
    private static final int DELETE = 3;
    private static final int EXECUTION = 4;
    private static final int HALT = 7;
    /** Simulated orders have numbers above. */
    private static final long MAX_ID = (1L << 62) - 1;
    /** As in ITCH, for size and price. */
    private static final long MAX_UINT = 0xffff_ffffL;
    private static final int BUFFER_LENGTH = 1 << 16;

    long anomalies;
    long sharesExecuted;

    /**
     * Apply all rows.
     *
     * @param afterEach called after each row.
     * @throws io.millrace.server.replay.MalformedRowException at the first bad row, with file, line, value and range.
     * @throws IOException                                     if the file cannot be read.
     */
    void replay(final Path file, final ItchBook book, final Runnable afterEach) throws IOException
    {
        try (CsvReader reader = new CsvReader(file, BUFFER_LENGTH, (byte)',', COLUMNS))
        {
            while (reader.next())
            {
                final CsvRow row = reader.row();
                row.timeNsAt(0);
                final int type = (int)inRange(row, 1, ADD, HALT);
                if (type <= EXECUTION && !apply(row, type, book))
                {
                    anomalies++;
                }
                afterEach.run();
            }
        }
    }

    private boolean apply(final CsvRow row, final int type, final ItchBook book)
    {
        final long id = inRange(row, 2, 0, MAX_ID);
        final long size = inRange(row, 3, 1, MAX_UINT);
        final long price = inRange(row, 4, 1, MAX_UINT);
        final boolean isBid = row.equals(5, "1");
        if (!isBid && !row.equals(5, "-1"))
        {
            throw row.malformed(5, "is not 1 (buy) or -1 (sell)");
        }
        switch (type)
        {
            case ADD:
                return book.add(id, isBid, price, size);
            case PARTIAL_CANCEL:
                return book.cancel(id, size);
            case DELETE:
                return book.delete(id);
            default:
                sharesExecuted += size;
                return book.execute(id, size);
        }
    }

    private static long inRange(final CsvRow row, final int column, final long min, final long max)
    {
        final long value = row.longAt(column);
        if (value < min || value > max)
        {
            throw row.malformed(column, "is not in " + min + ".." + max);
        }
        return value;
    }
}

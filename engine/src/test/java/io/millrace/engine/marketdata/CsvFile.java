package io.millrace.engine.marketdata;

import io.millrace.pool.BasePoolAware;
import io.millrace.pool.testkit.SharedFile;
import io.millrace.server.Server;
import io.millrace.server.ThreadingMode;
import io.millrace.server.replay.CsvRow;
import io.millrace.server.replay.FileReplaySource;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The rows of a file, plain or gzip, replayed by a server without a thread. */
final class CsvFile
{
    /** Large enough that a poll rarely ends for lack of capacity; one poll takes at most 256 rows. */
    private static final int POOLED_ROWS = 256;

    private static final class Row<R> extends BasePoolAware
    {
        R value;
    }

    private CsvFile()
    {
    }

    /**
     * All rows.
     *
     * @param name    below the folder of the data.
     * @param columns how many each line has.
     * @param header  whether the first line is none of them.
     * @param decoder converts a row.
     */
    static <R> List<R> read(
        final String name, final int columns, final boolean header, final Function<CsvRow, R> decoder)
    {
        final Path file = SharedFile.of("data/" + name);
        final List<R> rows = new ArrayList<>();
        final List<Throwable> errors = new ArrayList<>();
        final FileReplaySource<Row<R>> source = new FileReplaySource<Row<R>>(file, (csv, row) ->
        {
            row.value = decoder.apply(csv);
            return true;
        }).columns(columns);
        if (header)
        {
            source.header();
        }
        final Server.Context context = new Server.Context()
            .threadingMode(ThreadingMode.INVOKER).errorHandler(errors::add)
            .flow("csv", flow -> flow.from(Row<R>::new, POOLED_ROWS, source)
                .to("collect", (row, sequence, endOfBatch) -> rows.add(row.value)));
        try (Server server = Server.launch(context))
        {
            while (server.invoke() > 0)
            {
                assertTrue(rows.size() <= source.rowsRead());
            }
            assertEquals(List.of(), errors, () -> "rows of " + file + " that are malformed");
            assertTrue(source.isExhausted(), () -> "not all of " + file + ": " + server.counters());
            assertEquals(source.rowsRead(), rows.size());
        }
        return rows;
    }
}

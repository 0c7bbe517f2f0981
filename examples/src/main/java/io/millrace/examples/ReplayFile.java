package io.millrace.examples;

import io.millrace.pool.BasePoolAware;
import io.millrace.server.BackPressure;
import io.millrace.server.Server;
import io.millrace.server.replay.CsvRow;
import io.millrace.server.replay.FileReplaySource;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Replays a file of LOBSTER messages, plain or gzip, as pooled events and counts them by type. The columns are time in
 * seconds, type, order id, size, price times 10,000, and direction.
 */
public final class ReplayFile
{
    private static final String[] TYPES = {
        "add", "partial cancel", "delete", "execution", "hidden execution", "cross", "halt"};
    private static final String USAGE = "\nusage: ReplayFile FILE [SPEED]";
    private static final long LONGEST_NS = TimeUnit.HOURS.toNanos(12);

    static final class OrderMessage extends BasePoolAware
    {
        long timeNs;
        int type;
        long orderId;
        long size;
        long price;
        boolean buy;
    }

    private ReplayFile()
    {
    }

    private static boolean decode(final CsvRow row, final OrderMessage message)
    {
        message.timeNs = row.timeNsAt(0);
        message.type = row.intAt(1);
        message.orderId = row.longAt(2);
        message.size = row.longAt(3);
        message.price = row.longAt(4);
        message.buy = row.equals(5, "1");
        if (message.type < 1 || message.type > TYPES.length)
        {
            throw row.malformed(1, "is not a type in 1.." + TYPES.length);
        }
        return true;
    }

    /**
     * Replay a file. Ends with exit code 2 and a message when that is not possible.
     *
     * @param args the file, and optionally how many times faster than recorded; without: at full speed.
     * @throws InterruptedException when the main thread is interrupted.
     */
    public static void main(final String[] args) throws InterruptedException
    {
        final int exitCode = run(System.out, System.err, args);
        if (exitCode != 0)
        {
            System.exit(exitCode);
        }
    }

    static int run(final PrintStream out, final PrintStream err, final String... args) throws InterruptedException
    {
        if (args.length < 1 || args.length > 2)
        {
            return fails(err, (args.length < 1 ? "which file?" : "one argument too many: " + args[2]) + USAGE);
        }
        final FileReplaySource<OrderMessage> source =
            new FileReplaySource<OrderMessage>(Path.of(args[0]), ReplayFile::decode).columns(6);
        if (args.length == 2)
        {
            try
            {
                source.recordedPace(0, Double.parseDouble(args[1]));
            }
            catch (final IllegalArgumentException ex)
            {
                return fails(err, "speed " + args[1] + " is not a number from " + FileReplaySource.MIN_SPEED + " to " +
                    FileReplaySource.MAX_SPEED + USAGE);
            }
        }
        return replay(out, err, source);
    }

    private static int replay(
        final PrintStream out, final PrintStream err, final FileReplaySource<OrderMessage> source)
        throws InterruptedException
    {
        final long[] countByType = new long[TYPES.length + 1];
        final boolean complete;
        try (Server server = Server.launch(new Server.Context()
            .flow("orders", f -> f.from(OrderMessage::new, 4_096, source).onFull(BackPressure.BLOCK)
                .to("count", (message, sequence, endOfBatch) -> countByType[message.type]++))
            .errorHandler(ex -> fails(err, ex.getMessage() + ": " + ex.getCause()))))
        {
            complete = server.awaitExhausted(LONGEST_NS);
        }
        catch (final IllegalStateException ex)
        {
            return fails(err, ex.getMessage());
        }
        for (int type = 1; type <= TYPES.length; type++)
        {
            out.printf(Locale.ROOT, "%-16s %,9d%n", TYPES[type - 1], countByType[type]);
        }
        out.printf(Locale.ROOT, "%-16s %,9d%n", "rows", source.rowsRead());
        return complete ? 0 : 2;
    }

    private static int fails(final PrintStream err, final String why)
    {
        err.println("ReplayFile: " + why);
        return 2;
    }
}

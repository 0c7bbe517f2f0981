package io.millrace.examples;

import io.millrace.engine.book.SymbolSpec;
import io.millrace.engine.replay.CommandRows;
import io.millrace.engine.service.ExecutionEvent;
import io.millrace.engine.service.MatchingService;
import io.millrace.engine.service.OrderCommand;
import io.millrace.server.BackPressure;
import io.millrace.server.InVmSource;
import io.millrace.server.Server;
import io.millrace.server.replay.FileReplaySource;
import io.millrace.server.replay.RowDecoder;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Replays a file of order commands, see {@link CommandRows}. Prints counts, final book and the {@link ExecutionTally}.
 */
public final class ReplayOrders
{
    /** Greatest number of commands, and of executions, that wait for the next thread: they fit into the L2 cache. */
    private static final int CAPACITY = 4_096;
    private static final int SYMBOL = 1;
    private static final String USAGE = "usage: ReplayOrders FILE [--trades] [--spot]\n" +
        "  FILE      commands, plain or gzip: " + CommandRows.ONE_SYMBOL + "\n" +
        "  --trades  print each trade\n" +
        "  --spot    a spot symbol: a bid cannot move above its reserve price; without: a future";

    private final PrintStream out;
    private final PrintStream err;
    private Path file;
    private boolean trades;
    private boolean spot;

    private ReplayOrders(final PrintStream out, final PrintStream err)
    {
        this.out = out;
        this.err = err;
    }

    /**
     * Replay a file. Ends with exit code 2 and a message when that is not possible.
     *
     * @param args the file, {@code --trades} to print each trade, {@code --spot} for a spot symbol.
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
        final ReplayOrders replay = new ReplayOrders(out, err);
        return replay.understands(args) && replay.run() ? 0 : 2;
    }

    private boolean understands(final String... args)
    {
        for (final String arg : args)
        {
            trades |= arg.equals("--trades");
            spot |= arg.equals("--spot");
            if (!arg.startsWith("--") && file == null)
            {
                file = Path.of(arg);
            }
            else if (!arg.equals("--trades") && !arg.equals("--spot"))
            {
                return fails((arg.startsWith("--") ? "no such option: " : "one file too many: ") + arg + "\n" + USAGE);
            }
        }
        return file != null || fails("which file?\n" + USAGE);
    }

    private boolean fails(final String why)
    {
        err.println("ReplayOrders: " + why);
        return false;
    }

    private boolean run() throws InterruptedException
    {
        final CommandRows rows = CommandRows.ofOneSymbol(SYMBOL);
        final CommandTally commands = new CommandTally();
        final RowDecoder<OrderCommand> decoder = (row, command) -> rows.decode(row, command) && commands.count(command);
        final ExecutionTally tally = new ExecutionTally(out, trades);
        final InVmSource<ExecutionEvent> executions = new InVmSource<>(ExecutionEvent::new, CAPACITY);
        final MatchingService matching = new MatchingService(
            List.of(spot ? SymbolSpec.spot(SYMBOL) : SymbolSpec.future(SYMBOL)), executions);
        final Server.Context context = new Server.Context()
            .flow("commands", f -> f
                .from(OrderCommand::new, CAPACITY, new FileReplaySource<OrderCommand>(file, decoder))
                .onFull(BackPressure.BLOCK).to("match", matching))
            .flow("executions", f -> f.from(executions).onFull(BackPressure.BLOCK).to("tally", tally))
            // A pause of the host is no error here. An error without a cause follows from another one.
            .stallTimeoutNs(0)
            .errorHandler(ex -> Optional.ofNullable(ex.getCause()).ifPresent(cause -> fails(cause.getMessage())));
        try (Server server = Server.launch(context))
        {
            if (!server.awaitExhausted(TimeUnit.HOURS.toNanos(12)))
            {
                return false;
            }
        }
        catch (final IllegalStateException ex)
        {
            return fails(ex.getMessage());
        }
        if (rows.hasHeader())
        {
            commands.print(out);
            tally.print(out, matching.engine().book(SYMBOL));
        }
        return rows.hasHeader() || fails(file + " is empty: the first line must be " + CommandRows.ONE_SYMBOL);
    }
}

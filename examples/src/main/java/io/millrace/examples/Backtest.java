package io.millrace.examples;

import io.millrace.engine.tables.Fnv;
import io.millrace.gateway.itch.ItchBooks;
import io.millrace.gateway.itch.ItchFile;
import io.millrace.itchbook.BacktestItchBook;
import io.millrace.server.replay.MalformedRowException;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Back-test of a simple strategy on a recorded file, plain or gzip: LOBSTER messages if the name ends with .csv or
 * .csv.gz, otherwise ITCH 5.0 messages, of which the first stock counts. The same file always gives the same hash.
 */
public final class Backtest
{
    private static final String USAGE = "\nusage: Backtest FILE [MESSAGES]";
    private static final int ORDERS = 16_384;

    final JoiningStrategy strategy = new JoiningStrategy();
    BacktestItchBook book;
    final ItchBooks books = new ItchBooks((locate, symbol) -> book == null ? newBook(locate) : null);
    final LobsterMessages lobster = new LobsterMessages();
    private final int quoteEvery;
    private long messages;

    /** @param quoteEvery number of messages between two quotes of the strategy; 0: no simulated order at all. */
    Backtest(final int quoteEvery)
    {
        this.quoteEvery = quoteEvery;
    }

    /**
     * Run the back-test. Ends with exit code 2 and a message when that is not possible.
     *
     * @param args the file, and optionally the number of messages between two quotes, 0 for none; default 500.
     */
    public static void main(final String[] args)
    {
        final int exitCode = run(System.out, System.err, args);
        if (exitCode != 0)
        {
            System.exit(exitCode);
        }
    }

    static int run(final PrintStream out, final PrintStream err, final String... args)
    {
        if (args.length < 1 || args.length > 2)
        {
            return fails(err, (args.length < 1 ? "which file?" : "one argument too many: " + args[2]) + USAGE);
        }
        if (args.length == 2 && !args[1].matches("\\d{1,9}"))
        {
            return fails(err, "messages " + args[1] + " is not a number from 0 to 999999999" + USAGE);
        }
        try
        {
            final Backtest test = new Backtest(args.length == 2 ? Integer.parseInt(args[1]) : 500);
            test.replay(Path.of(args[0]));
            test.print(out);
            return 0;
        }
        catch (final IOException | MalformedRowException ex)
        {
            return fails(err, ex.getMessage());
        }
    }

    private static int fails(final PrintStream err, final String why)
    {
        err.println("Backtest: " + why);
        return 2;
    }

    private BacktestItchBook newBook(final int locate)
    {
        return book = new BacktestItchBook(locate, ORDERS, strategy);
    }

    void replay(final Path path) throws IOException
    {
        if (path.toString().matches(".*\\.csv(\\.gz)?"))
        {
            lobster.replay(path, newBook(0), this::afterMessage);
            return;
        }
        try (ItchFile file = new ItchFile(path))
        {
            while (!file.isExhausted())
            {
                file.poll(message ->
                {
                    books.apply(message);
                    return afterMessage();
                }, Integer.MAX_VALUE);
            }
        }
    }

    private boolean afterMessage()
    {
        messages++;
        if (quoteEvery > 0 && book != null && messages % quoteEvery == 0)
        {
            strategy.quote(book);
        }
        return true;
    }

    private void print(final PrintStream out)
    {
        out.printf(Locale.ROOT, "%,d messages, %,d shares executed, %,d anomalies%n",
            messages, books.sharesExecuted() + lobster.sharesExecuted, books.anomalies() + lobster.anomalies);
        strategy.print(out, hash());
    }

    long hash()
    {
        return Fnv.mix(Fnv.add(strategy.fillHash(), book == null ? 0 : book.book().stateHash()));
    }
}

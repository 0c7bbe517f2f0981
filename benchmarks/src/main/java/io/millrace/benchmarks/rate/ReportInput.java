package io.millrace.benchmarks.rate;

import io.millrace.benchmarks.flow.BookCommands;
import io.millrace.benchmarks.flow.ClosingCancels;
import io.millrace.benchmarks.flow.CommandFile;
import io.millrace.benchmarks.flow.EventHash;
import io.millrace.benchmarks.flow.OrderFlow;
import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.benchmarks.harness.InputException;
import io.millrace.benchmarks.harness.WrongAnswerException;
import io.millrace.engine.book.OrderBook;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Input of a report: repeatable commands, and the expected result of an order book. One thread.
 *
 * @param commands  the commands, closed with cancels.
 * @param recorded  how many of them are not such cancels.
 * @param eventHash of the executions of these.
 * @param summary   name of the file that has the same hash; empty without one.
 * @param expected  what an order book does with the commands.
 */
public record ReportInput(
    CommandColumns commands, int recorded, String eventHash, String summary, ExpectedExecutions expected)
{
    /**
     * Seed of the default input, that of the recording margin_100k.
     */
    public static final int SEED = 1;

    /**
     * Commands of the default input's benchmark phase: as many as the recordings have, so that figures compare, and so
     * many that no branch predictor learns them from lap to lap. In one lap an order book trades some 4,000 times. The
     * 48 bytes of each are read in their order, which any processor foresees.
     */
    public static final int COUNT = 100_000;

    private static final String COMMANDS_SUFFIX = "\\.commands\\.csv(\\.gz)?$";
    private static final String SUMMARY_SUFFIX = ".summary.txt";
    private static final String HASH_KEY = "eventsFnv1a64(";

    /**
     * Make or read the commands, close them with cancels, and play them.
     *
     * @param input a file as {@link CommandFile} reads it; empty for the benchmark flow.
     * @return the input.
     * @throws InputException       when the file is not one, or has no capacity left for the cancels.
     * @throws WrongAnswerException when a summary next to the file has another hash of the executions.
     */
    public static ReportInput of(final String input)
    {
        final CommandColumns commands = commands(input);
        final int recorded = commands.count();
        final String eventHash = hash(commands);
        final Path summary = summaryOf(input);
        final boolean isChecked = summary != null && check(eventHash, summary);
        try
        {
            ClosingCancels.appendTo(commands, MatchingHandler.SYMBOL);
        }
        catch (final IllegalStateException ex)
        {
            throw new InputException(input + ": no capacity to cancel the orders at rest after its " + recorded +
                " commands: " + ex.getMessage());
        }
        return new ReportInput(commands, recorded, eventHash, isChecked ? summary.getFileName().toString() : "",
            new ExpectedExecutions(commands));
    }

    /**
     * The commands of an input, as they are.
     *
     * @param input a file as {@link CommandFile} reads it; empty for the benchmark flow.
     * @return the commands.
     * @throws InputException when the file is not one.
     */
    static CommandColumns commands(final String input)
    {
        return input.isEmpty() ? OrderFlow.of(OrderFlow.SYMBOL, SEED, COUNT) : CommandFile.read(Path.of(input));
    }

    private static String hash(final CommandColumns commands)
    {
        final EventHash hash = new EventHash();
        final OrderBook book = new OrderBook(MatchingHandler.SYMBOL, hash);
        for (int i = 0; i < commands.count(); i++)
        {
            hash.command(commands.seq(i));
            BookCommands.apply(commands, i, book);
        }
        return String.format(Locale.ROOT, "%016x", hash.hash());
    }

    /** The summary next to a recording; null when there is none. */
    private static Path summaryOf(final String input)
    {
        final String name = input.replaceFirst(COMMANDS_SUFFIX, SUMMARY_SUFFIX);
        return name.equals(input) || !Files.isRegularFile(Path.of(name)) ? null : Path.of(name);
    }

    /** Compares; false if the summary has no hash of the executions. */
    private static boolean check(final String eventHash, final Path summary)
    {
        try
        {
            boolean isThere = false;
            for (final String line : Files.readAllLines(summary))
            {
                if (line.startsWith(HASH_KEY) && !line.endsWith("=" + eventHash))
                {
                    throw new WrongAnswerException("the book's executions of the input have the FNV " + eventHash +
                        ", but " + summary + " says " + line);
                }
                isThere |= line.startsWith(HASH_KEY);
            }
            return isThere;
        }
        catch (final IOException ex)
        {
            throw new InputException(summary + ": cannot be read: " + ex.getMessage());
        }
    }

    /**
     * The input for people.
     *
     * @return one line.
     */
    public String line()
    {
        return String.format(Locale.ROOT, "%d commands, repeated as needed; %s%s", commands.count(), commands.origin(),
            commands.count() == recorded ? "" : ", and cancels of the " + (commands.count() - recorded) +
                " orders that then rest, so that each lap begins with an empty book");
    }

    /**
     * Result of a book for the input, as text.
     *
     * @return lines of {@code name: value}.
     */
    public List<String> bookLines()
    {
        final Executions lap = expected.lap();
        return List.of(
            String.format(Locale.ROOT, "book: one future, capacity %,d orders, ladder of %,d ticks; a lap gives %,d " +
                "trades, %,d rejects, %,d reduces, %,d refusals", MatchingHandler.SYMBOL.orderCapacity(),
                MatchingHandler.SYMBOL.windowTicks(), lap.trades(), lap.rejects(), lap.reduces(), lap.refused()),
            String.format(Locale.ROOT, "events of the first %,d commands: FNV %s%s", recorded, eventHash,
                summary.isEmpty() ? "" : ", as " + summary + " has it"));
    }
}

package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.flow.BookCommands;
import io.millrace.benchmarks.flow.ClosingCancels;
import io.millrace.benchmarks.flow.CommandFile;
import io.millrace.benchmarks.flow.CommandWord;
import io.millrace.benchmarks.flow.MixFlow;
import io.millrace.benchmarks.flow.OrderFlow;
import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.benchmarks.harness.InputException;
import io.millrace.engine.CommandType;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.SymbolSpec;

import java.nio.file.Path;

/**
 * The commands of the race in their three parts: orders that are placed first, the timed ones, and the cancels that
 * empty the book again. Immutable after it was made.
 */
public final class BookFlow
{
    /**
     * Timed commands of the built-in flow: as the published benchmark's mix is stated for.
     */
    public static final int COMMANDS = 1_000_000;

    /**
     * Seed of the built-in flow.
     */
    public static final int SEED = 1;

    /**
     * The book: a future, which has no reserve prices that a move could be refused for, with the default limits.
     */
    static final SymbolSpec SPEC = SymbolSpec.future(OrderFlow.SYMBOL);

    private final CommandColumns commands;
    private final int firstTimed;
    private final int endTimed;

    /** Of commands that end with the cancels. */
    private BookFlow(final CommandColumns commands, final int endTimed)
    {
        this.commands = commands;
        this.endTimed = endTimed;
        int first = 0;
        while (first < endTimed && CommandWord.phase(commands.word(first)) == CommandWord.PHASES.indexOf('F'))
        {
            first++;
        }
        firstTimed = first;
    }

    /**
     * The commands of the race.
     *
     * @param input a file as {@link CommandFile} reads it; empty for the built-in flow.
     * @return its commands, and the cancels that empty the book.
     * @throws InputException when the file is not one, or has nothing to time.
     */
    public static BookFlow of(final String input)
    {
        return input.isEmpty() ? generated(COMMANDS) : of(CommandFile.read(Path.of(input)));
    }

    /**
     * The commands of the race with more books, which know GTC orders and cancels only.
     *
     * @param input a file as {@link CommandFile} reads it; empty for the built-in {@link MixFlow}.
     * @return its commands, and the cancels that empty the book.
     * @throws InputException when the file is not one, has nothing to time or has other commands.
     */
    static BookFlow mixed(final String input)
    {
        if (input.isEmpty())
        {
            return new BookFlow(MixFlow.closed(SEED, COMMANDS), MixFlow.RESTING + COMMANDS);
        }
        final CommandColumns commands = CommandFile.read(Path.of(input));
        for (int i = 0; i < commands.count(); i++)
        {
            final byte type = BookCommands.commandType(commands.word(i));
            final boolean gtc =
                type == CommandType.PLACE && BookCommands.orderType(commands.word(i)) == OrderType.GTC;
            if (!gtc && (type != CommandType.CANCEL || commands.price(i) == 0))
            {
                throw new InputException(commands.origin() + ": command " + commands.seq(i) +
                    " is neither a GTC order nor a cancel that names the price of its order");
            }
        }
        return of(commands);
    }

    /**
     * The built-in flow.
     *
     * @param count timed commands.
     * @return the flow.
     */
    static BookFlow generated(final int count)
    {
        return new BookFlow(OrderFlow.closed(OrderFlow.SYMBOL, SEED, count), OrderFlow.PREFILL + count);
    }

    private static BookFlow of(final CommandColumns commands)
    {
        final int endTimed = commands.count();
        ClosingCancels.appendTo(commands, SPEC);
        final BookFlow flow = new BookFlow(commands, endTimed);
        if (flow.timed() == 0)
        {
            throw new InputException(commands.origin() + ": no commands of the benchmark phase");
        }
        return flow;
    }

    /**
     * All commands.
     *
     * @return in the order of the three parts.
     */
    public CommandColumns commands()
    {
        return commands;
    }

    /**
     * Start of the timed commands.
     *
     * @return index of the first.
     */
    public int firstTimed()
    {
        return firstTimed;
    }

    /**
     * End of the timed commands.
     *
     * @return index behind the last.
     */
    public int endTimed()
    {
        return endTimed;
    }

    /**
     * Number of timed commands.
     *
     * @return a count, at least 1.
     */
    public int timed()
    {
        return endTimed - firstTimed;
    }
}

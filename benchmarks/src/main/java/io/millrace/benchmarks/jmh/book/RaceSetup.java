package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.harness.InputException;

import java.util.ArrayList;
import java.util.List;

/**
 * Commands that the books run, and the books. Immutable; any thread.
 */
public enum RaceSetup
{
    /**
     * The benchmark flow, with and without market data and risk.
     */
    FLOW("book")
    {
        @Override
        public List<String> contenders()
        {
            final List<String> names = new ArrayList<>(List.of(BookContender.MILLRACE, BookContender.L2,
                BookContender.L3, BookContender.L2_L3, BookContender.MARGIN, BookContender.SPOT, BookContender.LOOP));
            names.addAll(names.size() - 1, BookContender.rivals(BookContender.EXCHANGE_CORE));
            return names;
        }

        @Override
        public BookFlow flow(final String input)
        {
            return BookFlow.of(input);
        }
    },

    /**
     * New orders, cancels and trades, no moves: what more books can do.
     */
    MIX("book-mix")
    {
        @Override
        public List<String> contenders()
        {
            final List<String> names = new ArrayList<>(List.of(BookContender.MILLRACE, BookContender.LOOP));
            names.addAll(1, BookContender.rivals(BookContender.EXCHANGE_CORE, BookContender.PARITY));
            return names;
        }

        @Override
        public BookFlow flow(final String input)
        {
            return BookFlow.mixed(input);
        }
    };

    private final String folder;

    RaceSetup(final String folder)
    {
        this.folder = folder;
    }

    /**
     * The contenders that were compiled in; the first one is the reference.
     *
     * @return their names.
     */
    public abstract List<String> contenders();

    /**
     * The commands.
     *
     * @param input a command file; empty for those of this setup.
     * @return commands that begin and end with an empty book.
     * @throws InputException when the file is not one, or has nothing to time.
     */
    public abstract BookFlow flow(String input);

    /**
     * Folder of the files.
     *
     * @return a folder of {@code report.dir}.
     */
    public String folder()
    {
        return folder;
    }
}

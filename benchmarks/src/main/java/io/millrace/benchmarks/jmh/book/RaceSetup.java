package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.harness.InputException;

import java.util.List;
import java.util.stream.Stream;

/**
 * Commands that the books run, and the books. Immutable; any thread.
 */
public enum RaceSetup
{
    /**
     * The benchmark flow, with and without market data and risk.
     */
    FLOW("book", List.of(BookContender.MILLRACE, BookContender.L2, BookContender.L3, BookContender.L2_L3,
        BookContender.MARGIN, BookContender.SPOT), BookContender.EXCHANGE_CORE),

    /**
     * New orders, cancels and trades, no moves: what more books can do.
     */
    MIX("book-mix", List.of(BookContender.MILLRACE), BookContender.EXCHANGE_CORE, BookContender.PARITY);

    private final String folder;
    private final List<String> ours;
    private final String[] rivals;

    RaceSetup(final String folder, final List<String> ours, final String... rivals)
    {
        this.folder = folder;
        this.ours = ours;
        this.rivals = rivals;
    }

    /** The contenders that were compiled in; the first one is the reference. */
    public List<String> contenders()
    {
        return Stream.of(ours, BookContender.rivals(rivals), List.of(BookContender.LOOP))
            .flatMap(List::stream).toList();
    }

    /**
     * The commands.
     *
     * @param input a command file; empty for those of this setup.
     * @return commands that begin and end with an empty book.
     * @throws InputException when the file is not one, or has nothing to time.
     */
    public BookFlow flow(final String input)
    {
        return this == MIX ? BookFlow.mixed(input) : BookFlow.of(input);
    }

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

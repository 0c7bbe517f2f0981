package io.millrace.benchmarks.jmh.book.layout;

import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.benchmarks.jmh.book.BookContender;
import io.millrace.benchmarks.jmh.book.BookLap;
import io.millrace.benchmarks.jmh.book.Laps;
import org.openjdk.jmh.annotations.Param;

/**
 * Cost of other ways to store orders and to find levels. The laps are the same as in {@link BookLap}: 1,000 orders,
 * then {@value BookLap#TIMED} commands of the benchmark flow, then what rests is cancelled. An operation is one
 * command.
 * <p>
 * The reference is our complete book. {@code rows}, {@code columns}, {@code objects} and {@code offHeap} are a small
 * book on a ladder of levels that keeps its orders in these; {@code sortedArray} and {@code tree} are the same book on
 * rows that finds its levels by these. The small book does this flow only, so it may be compared with its like; that
 * it does less than the complete one is no merit. The loop only reads the commands.
 */
public class BookLayout extends Laps
{
    /** The book under test. */
    @Param({BookContender.MILLRACE, "rows", "columns", "objects", "offHeap", "sortedArray", "tree", BookContender.LOOP})
    String contender;

    @Override
    protected BookContender open(final CommandColumns commands)
    {
        return book(contender, commands);
    }

    /** Loads no class of a layout but that one's. */
    static BookContender book(final String layout, final CommandColumns commands)
    {
        return switch (layout)
        {
            case "rows" -> new AlternativeBook(commands, new RowStore(), new LadderDirectory());
            case "columns" -> new AlternativeBook(commands, new ColumnStore(), new LadderDirectory());
            case "objects" -> new AlternativeBook(commands, new ObjectStore(), new LadderDirectory());
            case "offHeap" -> new AlternativeBook(commands, new OffHeapStore(), new LadderDirectory());
            case "sortedArray" -> new AlternativeBook(commands, new RowStore(), new SortedDirectory());
            case "tree" -> new AlternativeBook(commands, new RowStore(), new TreeDirectory());
            default -> BookContender.named(layout, commands);
        };
    }
}

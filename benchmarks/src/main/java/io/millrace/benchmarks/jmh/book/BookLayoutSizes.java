package io.millrace.benchmarks.jmh.book;

import io.millrace.benchmarks.flow.CommandColumns;
import io.millrace.engine.book.SymbolSpec;
import org.openjdk.jmh.annotations.Param;

/**
 * Cost of a book's limits if it uses little of them. The laps are the same as in {@link BookLap}, with about a thousand
 * resting orders on 500 levels, in our complete book with other limits. An operation is one command.
 * <p>
 * An order takes about 207 bytes, a price of the window 32. Allocated are, in the order of the contenders: 6.8 MB, 0.67
 * and 0.47 MB, which both stay in 1 MiB of L2 cache, 52 MB and 15 MB.
 */
public class BookLayoutSizes extends Laps
{
    /** Ticks of the window and how many orders can rest; first the default capacity with an earlier default window. */
    @Param({"8192ticks32768orders", "8192ticks2048orders", "2048ticks2048orders", "8192ticks262144orders",
        "262144ticks32768orders"})
    String contender;

    @Override
    protected BookContender open(final CommandColumns commands)
    {
        return book(commands, contender);
    }

    static BookContender book(final CommandColumns commands, final String sizes)
    {
        final BookContender book = new MillraceBook(commands);
        book.prepare();
        book.open(spec(sizes));
        return book;
    }

    /** The limits that a contender's name says. */
    static SymbolSpec spec(final String contender)
    {
        final String[] sizes = contender.split("ticks|orders");
        return BookFlow.SPEC.withWindowTicks(Integer.parseInt(sizes[0])).withOrderCapacity(Integer.parseInt(sizes[1]));
    }
}

package io.millrace.benchmarks.flow;

import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;

/**
 * Makes commands repeatable: what rests after the last of them is cancelled, so that the book is empty again and the
 * same ids can be used once more. Stateless; it allocates a book.
 */
public final class ClosingCancels
{
    private ClosingCancels()
    {
    }

    /**
     * Append the cancels.
     *
     * @param commands any commands for one symbol. Those that the book refuses do not matter: it refuses them in each
     *                 repetition.
     * @param spec     the symbol and the limits of the book that the commands are meant for.
     * @return how many were appended.
     * @throws IllegalStateException when there is no capacity for that many more commands.
     */
    public static int appendTo(final CommandColumns commands, final SymbolSpec spec)
    {
        final OrderBook book = new OrderBook(spec, new EventHash());
        for (int i = 0; i < commands.count(); i++)
        {
            BookCommands.apply(commands, i, book);
        }
        return append(commands, book);
    }

    /** Appends a cancel for each order that rests in a book. Returns how many. */
    static int append(final CommandColumns commands, final OrderBook book)
    {
        final int count = commands.count();
        append(commands, book, Side.BID);
        append(commands, book, Side.ASK);
        return commands.count() - count;
    }

    private static void append(final CommandColumns commands, final OrderBook book, final byte side)
    {
        book.forEachOrder(side, (orderId, uid, sameSide, price, size, filled, reservePrice) ->
        {
            final int seq = commands.seq(commands.count() - 1) + 1;
            commands.add(seq, BookCommands.CANCEL, orderId, uid, 0, 0, 0);
        });
    }
}

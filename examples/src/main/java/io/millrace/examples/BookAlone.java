package io.millrace.examples;

import io.millrace.engine.book.BookCommand;
import io.millrace.engine.book.ExecutionListener;
import io.millrace.engine.book.OrderBook;
import io.millrace.engine.book.OrderType;
import io.millrace.engine.book.Side;
import io.millrace.engine.book.SymbolSpec;

import java.io.PrintStream;
import java.util.Locale;

/**
 * An order book without a server, called from a loop. Places a million orders at changing prices, cancels each a
 * hundred orders later if it still rests, and counts the executions. Nothing is allocated after the book is made.
 */
public final class BookAlone implements ExecutionListener
{
    private static final int SYMBOL = 1;
    private static final long USER = 7;
    /** Number of commands that an order may rest; so the book never has more orders than these and the incoming one. */
    private static final int LIFE = 100;

    private final OrderBook book = new OrderBook(SymbolSpec.future(SYMBOL).withOrderCapacity(LIFE + 1), this);
    private final BookCommand command = new BookCommand();
    private long trades;
    private long traded;
    private long cancelled;

    private BookAlone()
    {
    }

    /**
     * Place a million orders.
     *
     * @param args none.
     */
    public static void main(final String[] args)
    {
        run(System.out, 1_000_000);
    }

    static void run(final PrintStream out, final int orders)
    {
        final BookAlone alone = new BookAlone();
        alone.loop(orders);
        alone.book.verify();
        out.printf(Locale.ROOT, "%,d trades of %,d lots, %,d lots cancelled%n",
            alone.trades, alone.traded, alone.cancelled);
        out.printf(Locale.ROOT, "best bid %d, best ask %d, %d orders rest, state %016x%n",
            alone.book.bestPrice(Side.BID), alone.book.bestPrice(Side.ASK), alone.book.orderCount(),
            alone.book.stateHash());
    }

    private void loop(final int orders)
    {
        for (long id = 1; id <= orders; id++)
        {
            final byte side = id % 2 == 0 ? Side.BID : Side.ASK;
            final long price = 1_000 + id * 7 % 19 - (side == Side.BID ? 9 : 0);
            book.execute(command.place(OrderType.GTC, side).orderId(id).uid(USER).price(price).size(1 + id % 5)
                .reservePrice(price));
            // UNKNOWN_ORDER if it has traded; the listener hears of it if not.
            book.cancel(id - LIFE, USER);
        }
    }

    @Override
    public void onTrade(
        final int symbol,
        final long makerOrderId,
        final long makerUid,
        final boolean makerCompleted,
        final long takerOrderId,
        final long takerUid,
        final byte takerSide,
        final boolean takerCompleted,
        final long price,
        final long size,
        final long bidReservePrice)
    {
        trades++;
        traded += size;
    }

    @Override
    public void onReduce(
        final int symbol,
        final long orderId,
        final long uid,
        final byte side,
        final long price,
        final long size,
        final boolean completed,
        final long reservePrice)
    {
        cancelled += size;
    }
}

package io.millrace.gateway.itch;

import io.millrace.gateway.BboEvent;
import io.millrace.gateway.Symbols;
import io.millrace.pool.PaddedLong;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Applies ITCH messages to the books of their stocks. A book is made at the first order of its stock. Impossible
 * messages, such as an execution of an unknown order, are counted and change nothing. Except for new books, nothing is
 * allocated. One thread; any thread reads the counters.
 */
public final class ItchBooks
{
    private static final int LOCATES = 1 << 16;

    private final ItchBook.Factory factory;
    private final long[] selected;
    private final TrackedBook[] books = new TrackedBook[LOCATES];
    private final TrackedBook ignored = new TrackedBook(null, Symbols.NONE);
    private final PaddedLong anomalies = new PaddedLong(0);
    private final PaddedLong crossed = new PaddedLong(0);
    private final PaddedLong sharesExecuted = new PaddedLong(0);
    private TrackedBook changed;
    /** Of sessions that have ended; their last quotes are still in force. */
    private final List<TrackedBook> ended = new ArrayList<>();

    /**
     * Books of all stocks, or of some.
     *
     * @param factory  makes the books.
     * @param selected stocks, see {@link Symbols}; none for all.
     */
    public ItchBooks(final ItchBook.Factory factory, final long... selected)
    {
        this.factory = factory;
        this.selected = selected.clone();
        Arrays.sort(this.selected);
    }

    /**
     * Apply a message.
     *
     * @param message any type; those that concern no order change nothing.
     * @return true if a best bid or offer has changed: {@link #copyTo} has it.
     */
    public boolean apply(final ItchMessage message)
    {
        switch (message.type())
        {
            case ItchDescriptor.ADD:
            case ItchDescriptor.ADD_ATTRIBUTED:
                return add(message);
            case ItchDescriptor.DELETE:
                return delete(message);
            case ItchDescriptor.EXECUTE:
            case ItchDescriptor.EXECUTE_WITH_PRICE:
                return execute(message);
            case ItchDescriptor.CANCEL:
                return cancel(message);
            case ItchDescriptor.REPLACE:
                return replace(message);
            default:
                return false;
        }
    }

    /**
     * Apply A or F.
     *
     * @param message of that type.
     * @return as {@link #apply}.
     */
    public boolean add(final ItchMessage message)
    {
        TrackedBook tracked = books[message.stockLocate()];
        if (tracked == null)
        {
            tracked = newBook(message);
        }
        if (tracked == ignored)
        {
            return false;
        }
        final byte side = message.side();
        return after(tracked, (side == 'B' || side == 'S') && message.stock() == tracked.symbol &&
            tracked.book.add(message.reference(), side == 'B', message.price(), message.shares()));
    }

    /**
     * Apply D.
     *
     * @param message of that type.
     * @return as {@link #apply}.
     */
    public boolean delete(final ItchMessage message)
    {
        final TrackedBook tracked = book(message);
        return tracked != null && after(tracked, tracked.book.delete(message.reference()));
    }

    /**
     * Apply E or C.
     *
     * @param message of that type.
     * @return as {@link #apply}.
     */
    public boolean execute(final ItchMessage message)
    {
        final TrackedBook tracked = book(message);
        if (tracked == null)
        {
            return false;
        }
        sharesExecuted.addOpaque(message.takenShares());
        return after(tracked, tracked.book.execute(message.reference(), message.takenShares()));
    }

    /**
     * Apply X.
     *
     * @param message of that type.
     * @return as {@link #apply}.
     */
    public boolean cancel(final ItchMessage message)
    {
        final TrackedBook tracked = book(message);
        return tracked != null && after(tracked, tracked.book.cancel(message.reference(), message.takenShares()));
    }

    /**
     * Apply U.
     *
     * @param message of that type.
     * @return as {@link #apply}.
     */
    public boolean replace(final ItchMessage message)
    {
        final TrackedBook tracked = book(message);
        return tracked != null && after(tracked, tracked.book.replace(
            message.reference(), message.newReference(), message.newPrice(), message.newShares()));
    }

    /** Book of a stock; null if it is not selected or has none. */
    private TrackedBook book(final ItchMessage message)
    {
        final TrackedBook tracked = books[message.stockLocate()];
        if (tracked != null && tracked != ignored)
        {
            return tracked;
        }
        // Without a selection each stock with an order has a book.
        if (tracked == null && selected.length == 0)
        {
            anomalies.addOpaque(1);
        }
        return null;
    }

    private TrackedBook newBook(final ItchMessage message)
    {
        final long symbol = message.stock();
        if (!Symbols.isValid(symbol))
        {
            anomalies.addOpaque(1);
            return ignored;
        }
        ItchBook book = null;
        if (selected.length == 0 || Arrays.binarySearch(selected, symbol) >= 0)
        {
            book = factory.newBook(message.stockLocate(), symbol);
        }
        final TrackedBook tracked = book == null ? ignored : new TrackedBook(book, symbol);
        books[message.stockLocate()] = tracked;
        return tracked;
    }

    private boolean after(final TrackedBook tracked, final boolean isApplied)
    {
        if (!isApplied)
        {
            anomalies.addOpaque(1);
        }
        final boolean hasChanged = tracked.hasChanged();
        if (hasChanged && !ended.isEmpty())
        {
            // Its quote replaces the one of the session before.
            ended.removeIf(each -> each.symbol == tracked.symbol);
        }
        if (tracked.isCrossed())
        {
            crossed.addOpaque(1);
        }
        changed = tracked;
        return hasChanged;
    }

    /** Forget which stock has which number: another day begins. The books are made again. */
    void forget()
    {
        for (final TrackedBook each : books)
        {
            if (each != null && each.hasQuote())
            {
                ended.add(each);
            }
        }
        Arrays.fill(books, null);
    }

    /** Whether a stock still has the quote of a session that has ended. */
    boolean hasEnded()
    {
        return !ended.isEmpty();
    }

    /** Ends such a quote: {@link #copyTo} has the stock without prices. */
    void endQuote()
    {
        changed = ended.remove(ended.size() - 1);
        changed.endQuote();
    }

    /**
     * Copy the best bid and offer that the last message changed.
     *
     * @param event receives symbol, prices and shares.
     */
    public void copyTo(final BboEvent event)
    {
        changed.copyTo(event);
    }

    /** @return messages that no book could apply. Any thread. */
    public long anomalies()
    {
        return anomalies.getOpaque();
    }

    /** @return messages after which the best bid was at or above the best ask of their stock. Any thread. */
    public long crossed()
    {
        return crossed.getOpaque();
    }

    /** @return shares of all executions of displayed orders, E and C. Any thread. */
    public long sharesExecuted()
    {
        return sharesExecuted.getOpaque();
    }
}

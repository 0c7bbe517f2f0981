package io.millrace.engine.book;

/**
 * Adds the orders of a snapshot to an empty book: checks all of them, then appends each one to its queue without
 * matching. One thread.
 */
final class BookRestorer
{
    private final BookSnapshot snapshot;
    private final SnapshotCheck check;
    private RestingOrders resting;
    private OrderArena arena;

    BookRestorer(final BookSnapshot snapshot)
    {
        this.snapshot = snapshot;
        check = new SnapshotCheck(snapshot);
    }

    void run(final OrderBook book, final boolean withUsers)
    {
        book.checkCommand();
        if (book.isAccountable() && !withUsers)
        {
            throw new BookSnapshotException("symbol " + book.spec().symbol() + " belongs to an engine with users: no " +
                "money would be reserved for the snapshot's orders; restore to a book without users");
        }
        if (book.orderCount() != 0)
        {
            throw new BookSnapshotException("the book is not empty: it has " + book.orderCount() + " orders");
        }
        check.run(book.spec());
        resting = book.orders();
        arena = resting.arena;
        addAll(snapshot.orderCount());
        resting.lastTrade(snapshot.lastTradePrice());
        resting.lastAccepted(snapshot.lastAccepted());
        if (resting.feed != null)
        {
            resting.feed.restore(snapshot.orderSequence(), snapshot.levelSequence());
        }
    }

    private void addAll(final int orders)
    {
        final int restingCount = snapshot.bidCount() + snapshot.askCount();
        int note = 0;
        for (int i = 0; i < orders; i++)
        {
            final long attributes = snapshot.word(i * BookSnapshot.ROW_WORDS + OrderArena.ATTRIBUTES);
            final boolean noted = attributes >>> 1 != 0 && BookSnapshot.hasNote(OrderArena.type(attributes));
            add(i, i < restingCount, noted ? snapshot.note(note++) : 0);
        }
    }

    private void add(final int i, final boolean rests, final long note)
    {
        final int from = i << OrderArena.ROW_SHIFT;
        final long id = snapshot.word(from);
        if (resting.index.find(id) != OrderArena.NONE)
        {
            rollBack(i);
            throw new BookSnapshotException("order " + i + ": id " + id + " is not unique: an earlier order has it");
        }
        final int h = arena.allocate();
        final int to = h << OrderArena.ROW_SHIFT;
        final long[] rows = arena.rows;
        for (int word = 0; word < BookSnapshot.ROW_WORDS; word++)
        {
            rows[to + word] = snapshot.word(from + word);
        }
        if (rests)
        {
            // Bypasses RestingOrders.enter: there are no messages, and the visible lots of an iceberg are already
            // known.
            final long shown = arena.shown(h);
            final long open = arena.open(h);
            final int level = resting.ladder.enter(arena.side(h), rows[to + OrderArena.PRICE], h, shown);
            if (shown < open)
            {
                resting.ladder.hide(level, open - shown);
            }
        }
        resting.restore(h, note);
    }

    /** Empties the book again after a duplicate id. */
    private void rollBack(final int added)
    {
        final int restingCount = snapshot.bidCount() + snapshot.askCount();
        for (int i = 0; i < added; i++)
        {
            final int h = resting.index.find(snapshot.word(i << OrderArena.ROW_SHIFT));
            if (i >= restingCount)
            {
                resting.removeStop(h);
            }
            else
            {
                final int side = arena.side(h);
                final int level = resting.ladder.levelAt(side, arena.field(h, OrderArena.PRICE));
                final long shown = arena.shown(h);
                final long open = arena.open(h);
                if (shown < open)
                {
                    resting.ladder.hide(level, shown - open);
                }
                resting.ladder.leave(side, level, h, shown);
                resting.forget(h);
            }
        }
    }
}

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
    private PriceLadder ladder;
    /** Number of the next extra field. */
    private int nextExtraField;

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
        ladder = resting.ladder;
        nextExtraField = 0;
        final int restingCount = snapshot.bidCount() + snapshot.askCount();
        addSide(Side.BID, 0, snapshot.bidCount());
        addSide(Side.ASK, snapshot.bidCount(), restingCount);
        for (int i = restingCount; i < snapshot.orderCount(); i++)
        {
            resting.restoreExtraField(add(i), snapshot.extraField(nextExtraField++));
        }
        resting.lastTrade(snapshot.lastTradePrice());
        resting.lastTradeId(snapshot.lastTradeId());
        resting.lastAccepted(snapshot.lastAccepted());
        if (resting.feed != null)
        {
            resting.feed.restore(snapshot.orderSequence(), snapshot.levelSequence(), snapshot.tapeSequence());
        }
    }

    private void addSide(final int side, final int from, final int to)
    {
        int level = PriceLadder.NONE;
        long levelPrice = 0;
        for (int i = from; i < to; i++)
        {
            final int h = add(i);
            final boolean hasExtraField = !arena.isPlain(h) && BookSnapshot.hasExtraField(arena.type(h));
            // Bypasses RestingOrders.enter: there are no messages, and the visible lots of an iceberg are already
            // known.
            final long shown = hasExtraField ? arena.shown(h) : arena.open(h);
            final long price = arena.field(h, OrderArena.PRICE);
            if (level != PriceLadder.NONE && price == levelPrice)
            {
                ladder.join(level, h, shown);
            }
            else
            {
                level = ladder.enter(side, price, h, shown);
                levelPrice = price;
            }
            if (hasExtraField)
            {
                ladder.hide(level, arena.open(h) - shown);
                resting.restoreExtraField(h, snapshot.extraField(nextExtraField++));
            }
        }
    }

    /** Copies a row and adds it to the index. */
    private int add(final int i)
    {
        final int h = arena.allocate();
        snapshot.copyRow(i, arena.rows, h << OrderArena.ROW_SHIFT);
        final long id = arena.id(h);
        if (!resting.index.addIfNew(id, h))
        {
            arena.free(h);
            resting.clear();
            throw new BookSnapshotException("order " + i + ": id " + id + " is not unique: an earlier order has it");
        }
        if (resting.users != null)
        {
            resting.users.add(h, arena.field(h, OrderArena.UID));
        }
        return h;
    }
}

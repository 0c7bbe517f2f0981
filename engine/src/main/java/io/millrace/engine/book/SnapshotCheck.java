package io.millrace.engine.book;

/**
 * Checks that a snapshot is a valid state of a book with a given spec: its counts, each order, and the order of the
 * rows. Does not check that ids are unique, because adding them to an index does. One use, one thread.
 */
final class SnapshotCheck
{
    // Limit of counters: a restored book continues to count, and 2^62 more take a century at 1 ns each.
    private static final long MAX_COUNT = 1L << 62;
    private static final long UNUSED_ATTRIBUTES = ~(1L | 0xFFL << 8 | 0xFFL << 16);

    private final BookSnapshot snapshot;
    private SymbolSpec spec;
    private int restingCount;
    private int nextExtraField;
    // Current row, -1 outside the rows.
    private int order;
    private long keyBefore;
    private long acceptedBefore;

    SnapshotCheck(final BookSnapshot snapshot)
    {
        this.snapshot = snapshot;
    }

    /** Throws a {@link BookSnapshotException} when the snapshot is invalid. */
    void run(final SymbolSpec newSpec)
    {
        spec = newSpec;
        restingCount = snapshot.bidCount() + snapshot.askCount();
        nextExtraField = 0;
        order = -1;
        acceptedBefore = 0;
        check("symbol", snapshot.symbol(), spec.symbol(), spec.symbol());
        check("orders", snapshot.orderCount(), 0, spec.orderCapacity());
        if (snapshot.lastTradePrice() != RestingOrders.NO_TRADE)
        {
            check("last trade price (-1 for none)", snapshot.lastTradePrice(), spec.minPrice(),
                spec.maxPrice());
        }
        check("last acceptance", snapshot.lastAccepted(), 0, MAX_COUNT);
        check("order sequence", snapshot.orderSequence(), 0, MAX_COUNT);
        check("level sequence", snapshot.levelSequence(), 0, MAX_COUNT);
        check("last trade id", snapshot.lastTradeId(), 0, MAX_COUNT);
        check("tape sequence", snapshot.tapeSequence(), 0, MAX_COUNT);
        for (order = 0; order < snapshot.orderCount(); order++)
        {
            checkOrder();
        }
        order = -1;
        if (snapshot.bidCount() > 0 && snapshot.askCount() > 0)
        {
            check("best ask", price(snapshot.bidCount()), price(0) + 1, spec.maxPrice());
        }
        check("extra fields", snapshot.extraFieldCount(), nextExtraField, nextExtraField);
    }

    private long word(final int column)
    {
        return snapshot.word((order << OrderArena.ROW_SHIFT) + column);
    }

    private long price(final int of)
    {
        return snapshot.word((of << OrderArena.ROW_SHIFT) + OrderArena.PRICE);
    }

    private void checkOrder()
    {
        final long attributes = word(OrderArena.ATTRIBUTES);
        final long size = word(OrderArena.SIZE);
        check("size", size, 1, spec.maxSize());
        check("filled", word(OrderArena.FILLED), 0, order < restingCount ? size - 1 : 0);
        if (order < restingCount)
        {
            final int side = order < snapshot.bidCount() ? Side.BID : Side.ASK;
            check("side", attributes & 1, side, side);
            checkPlace(side);
        }
        if (attributes >>> 1 != 0 || order >= restingCount)
        {
            checkSlow(attributes, OrderArena.type(attributes));
        }
        else if (word(OrderArena.PARAMETER) != 0)
        {
            check("parameter", word(OrderArena.PARAMETER), 0, 0);
        }
    }

    private void checkPlace(final int side)
    {
        final long price = word(OrderArena.PRICE);
        check("price", price, side == Side.BID ? spec.minPrice() : Math.max(spec.minPrice(), spec.minAskPrice()),
            spec.maxPrice());
        // A greater key is a worse price.
        final long key = PriceLadder.key(side, price);
        if (order != 0 && order != snapshot.bidCount() && key < keyBefore)
        {
            final long before = price(order - 1);
            check("price", price, side == Side.BID ? spec.minPrice() : before,
                side == Side.BID ? before : spec.maxPrice());
        }
        keyBefore = key;
    }

    private void checkSlow(final long attributes, final byte type)
    {
        check("unused bits of attributes", attributes & UNUSED_ATTRIBUTES, 0, 0);
        check("self-trade policy", attributes >>> 16 & 0xFF, SelfTradePolicy.ALLOW, SelfTradePolicy.DECREMENT);
        final boolean stop = order >= restingCount;
        if (!OrderType.rests(type) || OrderType.isStop(type) != stop)
        {
            throw new BookSnapshotException("order " + order + ": order type " + type + " is not one that " +
                (stop ? "waits, 7..8" : "rests, 0, 6, 9..10"));
        }
        final long parameter = word(OrderArena.PARAMETER);
        if (BookSnapshot.hasExtraField(type))
        {
            check("extra fields before this one", nextExtraField, 0, snapshot.extraFieldCount() - 1L);
            final long value = snapshot.extraField(nextExtraField++);
            checkExtraField(type, parameter, value);
        }
        else
        {
            check("parameter", parameter, 0, 0);
        }
    }

    private void checkExtraField(final byte type, final long parameter, final long value)
    {
        if (type == OrderType.ICEBERG)
        {
            final long size = word(OrderArena.SIZE);
            check("display size", value, (size - 1) / OrderType.MAX_SLICES + 1, spec.maxSize());
            check("shown", parameter, 1, Math.min(value, size - word(OrderArena.FILLED)));
            return;
        }
        check("number of acceptance", value, type == OrderType.GTD ? 1 : acceptedBefore + 1, snapshot.lastAccepted());
        if (type == OrderType.GTD)
        {
            check("expiry", parameter, 1, Long.MAX_VALUE);
            return;
        }
        acceptedBefore = value;
        checkStop(type, parameter);
    }

    private void checkStop(final byte type, final long stopPrice)
    {
        final int side = (int)word(OrderArena.ATTRIBUTES) & 1;
        final long least = side == Side.BID ? spec.minPrice() : Math.max(spec.minPrice(), spec.minAskPrice());
        check("price", word(OrderArena.PRICE), type == OrderType.STOP ? 0 : least,
            type == OrderType.STOP ? 0 : spec.maxPrice());
        final long lastTrade = snapshot.lastTradePrice();
        final boolean traded = lastTrade != RestingOrders.NO_TRADE;
        // A stop that the last trade has reached would not wait.
        check("stop price", stopPrice,
            traded && side == Side.BID ? Math.max(spec.minPrice(), lastTrade + 1) : spec.minPrice(),
            traded && side == Side.ASK ? Math.min(spec.maxPrice(), lastTrade - 1) : spec.maxPrice());
    }

    private void check(final String name, final long value, final long least, final long greatest)
    {
        if (value < least || value > greatest)
        {
            throw new BookSnapshotException((order >= 0 ? "order " + order + ": " : "") + name + " " + value +
                " is not in " + least + ".." + greatest);
        }
    }
}

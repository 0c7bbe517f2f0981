package io.millrace.engine.book;

import io.millrace.engine.tables.OrderIndex;

/**
 * The orders of a book as they stand: how one joins, shrinks, waits and leaves, in all the places where it is known.
 * One thread.
 */
final class RestingOrders
{
    /** No trade yet. */
    static final long NO_TRADE = -1;

    final OrderArena arena;
    final OrderIndex index;
    final PriceLadder ladder;
    final StopOrders stops;
    /** GTD orders by their expiry. */
    final OrderHeap expiries;
    /** Null when nobody listens. */
    final MarketDataFeed feed;
    // For each handle; of icebergs only.
    private final long[] displaySizes;
    // For each handle; of GTD orders and stops only.
    private final long[] accepted;
    // For each handle; of GTD orders and stops, and for a while of icebergs.
    private final int[] places;
    private long lastAccepted;
    private long lastTrade = NO_TRADE;

    RestingOrders(final SymbolSpec spec, final MarketDataListener marketData)
    {
        final int capacity = spec.orderCapacity();
        // In the worst case every order has a level of its own, outside of the window; one more queue is the stops'.
        final int levels = spec.windowTicks() + capacity;
        arena = new OrderArena(capacity, levels + 1);
        ladder = new PriceLadder(arena, spec.windowTicks(), capacity);
        index = arena.newIndex();
        displaySizes = new long[capacity];
        arena.displaySizes = displaySizes;
        accepted = new long[capacity];
        places = new int[capacity];
        stops = new StopOrders(arena, levels, accepted, places);
        expiries = new OrderHeap(arena, accepted, places, OrderHeap.ASCENDING);
        feed = marketData == null ? null : new MarketDataFeed(spec.symbol(), arena, ladder, marketData);
    }

    /** An order whose row is filled is known by its id from now on, and by what only its type needs. */
    void register(final int h, final byte type, final long parameter)
    {
        index.add(arena.id(h), h);
        if (type == OrderType.ICEBERG)
        {
            displaySizes[h] = parameter;
        }
        else if (type != OrderType.GTC && type != OrderType.POST_ONLY)
        {
            accepted[h] = ++lastAccepted;
            if (type == OrderType.GTD)
            {
                expiries.add(h);
            }
            else
            {
                stops.add(h);
            }
        }
    }

    /** An order of a snapshot, whose row is filled, is known again; stops wait again. It had the note with it. */
    void restore(final int h, final long note)
    {
        final byte type = arena.type(h);
        index.add(arena.id(h), h);
        if (type == OrderType.ICEBERG)
        {
            displaySizes[h] = note;
        }
        else if (type == OrderType.GTD)
        {
            accepted[h] = note;
            expiries.add(h);
        }
        else if (OrderType.isStop(type))
        {
            accepted[h] = note;
            stops.add(h);
        }
    }

    /** Take a stop that has not entered out of everything. Its row keeps its words until it is lent again. */
    void removeStop(final int h)
    {
        stops.remove(h);
        index.remove(arena.id(h), h);
        arena.free(h);
    }

    /** Price of the last trade, or {@link #NO_TRADE}. */
    long lastTrade()
    {
        return lastTrade;
    }

    void lastTrade(final long price)
    {
        lastTrade = price;
    }

    /** Number of the last acceptance of an order that gets one. */
    long lastAccepted()
    {
        return lastAccepted;
    }

    void lastAccepted(final long number)
    {
        lastAccepted = number;
    }

    /** Forget an order that stands in no queue. Its row keeps its words until it is lent again. */
    void forget(final int h)
    {
        if (arena.type(h) == OrderType.GTD)
        {
            expiries.remove(h);
        }
        index.remove(arena.id(h), h);
        arena.free(h);
    }

    /** Whether only arena, ladder and index know of an order, so that callers may do their few steps by themselves. */
    boolean isPlain(final int h)
    {
        return feed == null && arena.isPlain(h);
    }

    /** As {@link #enter}, of an order that is no iceberg. */
    void enterPlain(final int side, final long price, final int h, final long open)
    {
        ladder.enter(side, price, h, open);
        if (feed != null)
        {
            feed.onEntered(side, price, h);
        }
    }

    /** An order joins the end of the queue at its price. */
    void enter(final int side, final long price, final int h, final long open)
    {
        if (!arena.isIceberg(h))
        {
            enterPlain(side, price, h, open);
            return;
        }
        final long shown = Math.min(displaySizes[h], open);
        arena.setField(h, OrderArena.PARAMETER, shown);
        ladder.hide(ladder.enter(side, price, h, shown), open - shown);
        if (feed != null)
        {
            feed.onEntered(side, price, h);
        }
    }

    /** An order leaves its queue, and is still known. */
    void leave(final int side, final int level, final int h, final long open)
    {
        final long shown = arena.shown(h);
        if (shown < open)
        {
            ladder.hide(level, shown - open);
        }
        ladder.leave(side, level, h, shown);
        if (feed != null)
        {
            feed.onLeft(side, arena.field(h, OrderArena.PRICE), h, shown);
        }
    }

    /** Take an order out of everything. Its row keeps its words until it is lent again. */
    void remove(final int side, final int level, final int h, final long open)
    {
        if (isPlain(h))
        {
            ladder.leave(side, level, h, open);
            index.remove(arena.id(h), h);
            arena.free(h);
        }
        else
        {
            leave(side, level, h, open);
            forget(h);
        }
    }

    /** Of what an order shows, a part of its rest was taken: its size or what it has filled says so already. */
    void take(final int side, final int level, final int h, final long taken)
    {
        ladder.reduce(level, taken);
        if (!isPlain(h))
        {
            takeSlow(side, level, h, taken);
        }
    }

    private void takeSlow(final int side, final int level, final int h, final long taken)
    {
        final long price = arena.field(h, OrderArena.PRICE);
        final boolean requeued = arena.isIceberg(h) && takeFromIceberg(level, h, taken);
        if (feed != null && requeued)
        {
            feed.onLeft(side, price, h, taken);
            feed.onEntered(side, price, h);
        }
        else if (feed != null)
        {
            feed.onShrunk(side, price, h, taken);
        }
    }

    private boolean takeFromIceberg(final int level, final int h, final long taken)
    {
        final long left = arena.field(h, OrderArena.PARAMETER) - taken;
        final long next = left > 0 ? left : Math.min(displaySizes[h], arena.open(h));
        arena.setField(h, OrderArena.PARAMETER, next);
        if (left == 0)
        {
            ladder.requeue(level, h, next);
        }
        return left == 0;
    }

    /** An order became smaller and keeps its place; its size says so already. What an iceberg hides goes first. */
    void shrink(final int side, final int level, final int h, final long by)
    {
        long lessShown = by;
        if (arena.isIceberg(h))
        {
            final long shown = arena.field(h, OrderArena.PARAMETER);
            lessShown = Math.max(0, shown - arena.open(h));
            arena.setField(h, OrderArena.PARAMETER, shown - lessShown);
            ladder.hide(level, lessShown - by);
        }
        ladder.reduce(level, lessShown);
        if (feed != null && lessShown > 0)
        {
            feed.onShrunk(side, arena.field(h, OrderArena.PRICE), h, lessShown);
        }
    }

    /** How much an iceberg shows the n-th time, from 1, after what it shows now, if a taker takes all each time. */
    long slice(final int h, final long round)
    {
        final long hidden = arena.open(h) - arena.field(h, OrderArena.PARAMETER);
        final long display = displaySizes[h];
        // No product that could be too great.
        return hidden / display < round - 1 ? 0 : Math.min(display, hidden - (round - 1) * display);
    }

    /** A number to be remembered for an iceberg, until the next command. */
    void mark(final int h, final int number)
    {
        places[h] = number;
    }

    int mark(final int h)
    {
        return places[h];
    }

    long displaySize(final int h)
    {
        return displaySizes[h];
    }

    long accepted(final int h)
    {
        return accepted[h];
    }
}

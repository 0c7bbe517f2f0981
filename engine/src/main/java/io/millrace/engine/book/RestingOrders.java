package io.millrace.engine.book;

import io.millrace.engine.tables.OrderIndex;

/**
 * The orders that a book contains. Adds, reduces and removes an order in every structure that refers to it: arena,
 * index, ladder, stops, expiries and market data. One thread.
 */
final class RestingOrders
{
    /** No trade yet. */
    static final long NO_TRADE = -1;

    final OrderArena arena;
    final OrderIndex index;
    final PriceLadder ladder;
    final StopOrders stops;
    /** GTD orders, earliest expiry first. */
    final OrderHeap expiries;
    /** Null when the book does not keep the orders of each user. */
    final UserOrders users;
    /** Null when there is no market data listener. */
    final MarketDataFeed feed;
    // Per handle; set for icebergs only.
    private final long[] displaySizes;
    // Per handle; set for GTD orders and stops only.
    private final long[] accepted;
    // Per handle; set for GTD orders and stops, and temporarily for icebergs.
    private final int[] places;
    private long lastAccepted;
    private long lastTrade = NO_TRADE;
    private long lastTradeId;

    RestingOrders(final SymbolSpec spec, final MarketDataListener marketData, final boolean keepsUsers)
    {
        final int capacity = spec.orderCapacity();
        // Worst case: every order has its own level outside the window. The one additional queue contains the stops.
        final int levels = spec.windowTicks() + capacity;
        arena = new OrderArena(capacity, levels + 1);
        ladder = new PriceLadder(arena, spec);
        index = arena.newIndex();
        displaySizes = new long[capacity];
        arena.displaySizes = displaySizes;
        accepted = new long[capacity];
        places = new int[capacity];
        stops = new StopOrders(arena, levels, accepted, places);
        expiries = new OrderHeap(arena, accepted, places, OrderHeap.ASCENDING);
        users = keepsUsers ? new UserOrders(arena) : null;
        feed = feed(spec, marketData);
    }

    /**
     * No orders, in the memory of another book if it has no orders and the same capacity, window, price limits and
     * lists.
     */
    static RestingOrders of(
        final SymbolSpec spec,
        final MarketDataListener marketData,
        final OrderBook replaced,
        final boolean keepsUsers)
    {
        final boolean suits = replaced != null && replaced.orderCount() == 0 && suits(replaced.spec(), spec) &&
            (replaced.orders().users != null) == keepsUsers;
        return suits ? new RestingOrders(spec, marketData, replaced.orders()) :
            new RestingOrders(spec, marketData, keepsUsers);
    }

    private static boolean suits(final SymbolSpec before, final SymbolSpec spec)
    {
        return before.orderCapacity() == spec.orderCapacity() && before.windowTicks() == spec.windowTicks() &&
            PriceLadder.leastPrice(before) == PriceLadder.leastPrice(spec) && before.maxPrice() == spec.maxPrice();
    }

    private RestingOrders(final SymbolSpec spec, final MarketDataListener marketData, final RestingOrders memory)
    {
        arena = memory.arena;
        ladder = memory.ladder;
        index = memory.index;
        displaySizes = memory.displaySizes;
        accepted = memory.accepted;
        places = memory.places;
        stops = memory.stops;
        expiries = memory.expiries;
        users = memory.users;
        feed = feed(spec, marketData);
    }

    private MarketDataFeed feed(final SymbolSpec spec, final MarketDataListener marketData)
    {
        return marketData == null ? null : new MarketDataFeed(spec.symbol(), arena, ladder, marketData);
    }

    /** Adds an order, whose row is filled already, by its id and its user. */
    void add(final int h)
    {
        index.add(arena.id(h), h);
        if (users != null)
        {
            users.add(h, arena.field(h, OrderArena.UID));
        }
    }

    /** Removes an order by its id and its user, and frees its row, which stays readable until it is allocated again. */
    private void free(final int h)
    {
        index.remove(arena.id(h), h);
        arena.free(h);
        if (users != null)
        {
            users.remove(h);
        }
    }

    /** Registers an order by its id and user, and in the structures of its type. Its row is filled already. */
    void register(final int h, final byte type, final long parameter)
    {
        add(h);
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

    /** Restores the extra field of an order of a snapshot, in the structures of its type. */
    void restoreExtraField(final int h, final long extraField)
    {
        final byte type = arena.type(h);
        if (type == OrderType.ICEBERG)
        {
            displaySizes[h] = extraField;
        }
        else if (type == OrderType.GTD)
        {
            accepted[h] = extraField;
            expiries.add(h);
        }
        else
        {
            accepted[h] = extraField;
            stops.add(h);
        }
    }

    /** Removes an untriggered stop from all structures. Its row stays readable until it is allocated again. */
    void removeStop(final int h)
    {
        stops.remove(h);
        free(h);
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

    /** Counts a trade, before its changes; returns its number. */
    long trade(final int takerSide, final long makerId, final long price, final long size)
    {
        lastTrade = price;
        final long tradeId = ++lastTradeId;
        if (feed != null)
        {
            feed.trade(tradeId, takerSide, makerId, price, size);
        }
        return tradeId;
    }

    /** Number of the last trade, 0 for none. */
    long lastTradeId()
    {
        return lastTradeId;
    }

    void lastTradeId(final long number)
    {
        lastTradeId = number;
    }

    /** Number of the last acceptance. Only GTD orders and stops are numbered. */
    long lastAccepted()
    {
        return lastAccepted;
    }

    void lastAccepted(final long number)
    {
        lastAccepted = number;
    }

    /** Removes an order that is in no queue. Its row stays readable until it is allocated again. */
    void forget(final int h)
    {
        if (arena.type(h) == OrderType.GTD)
        {
            expiries.remove(h);
        }
        free(h);
    }

    /** As {@link #enter}, for an order that is not an iceberg. */
    void enterPlain(final int side, final long price, final int h, final long open)
    {
        ladder.enter(side, price, h, open);
        if (feed != null)
        {
            feed.onEntered(side, price, h);
        }
    }

    /** Appends an order to the queue at its price. */
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

    /** Removes an order from its queue; index and arena keep it. */
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

    /** Removes an order from all structures. Its row stays readable until it is allocated again. */
    void remove(final int side, final int level, final int h, final long open)
    {
        if (arena.isPlain(h))
        {
            ladder.leave(side, level, h, open);
            if (feed != null)
            {
                feed.onLeft(side, arena.field(h, OrderArena.PRICE), h, open);
            }
            free(h);
        }
        else
        {
            leave(side, level, h, open);
            forget(h);
        }
    }

    /** Removes all orders from all structures, without messages. */
    void clear()
    {
        for (int side = 0; side < 2; side++)
        {
            for (int level = ladder.bestLevel(side); level != PriceLadder.NONE; level = ladder.bestLevel(side))
            {
                final int h = arena.next(ladder.queue(level));
                final long shown = arena.shown(h);
                ladder.hide(level, shown - arena.open(h));
                ladder.leave(side, level, h, shown);
                forget(h);
            }
        }
        while (!stops.isEmpty())
        {
            removeStop(arena.next(stops.queue()));
        }
    }

    /** Takes a traded or reduced quantity from the visible part of an order. Its row is updated already. */
    void take(final int side, final int level, final int h, final long taken)
    {
        ladder.reduce(level, taken);
        if (arena.isPlain(h))
        {
            reportShrunk(side, h, taken);
        }
        else
        {
            takeSlow(side, level, h, taken);
        }
    }

    private void reportShrunk(final int side, final int h, final long lessShown)
    {
        if (feed != null)
        {
            feed.onShrunk(side, arena.field(h, OrderArena.PRICE), h, lessShown);
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

    /**
     * Reduces an order that keeps its place in the queue. Its row is updated already. An iceberg loses hidden lots
     * first.
     */
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

    /**
     * Size of the n-th slice of an iceberg after the current one, n from 1, if a taker fills each slice completely.
     */
    long slice(final int h, final long round)
    {
        final long hidden = arena.open(h) - arena.field(h, OrderArena.PARAMETER);
        final long display = displaySizes[h];
        // Compares quotients, because a product could overflow.
        return hidden / display < round - 1 ? 0 : Math.min(display, hidden - (round - 1) * display);
    }

    /** Stores a number for an iceberg until the next command. */
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

    /** See {@link OrderBook#bestPriceOfOthers}. */
    long bestPriceOfOthers(final byte side, final long uid)
    {
        int inspected = 0;
        for (int level = ladder.bestLevel(side); level != PriceLadder.NONE; level = ladder.worse(side, level))
        {
            final int queue = ladder.queue(level);
            for (int h = arena.next(queue); h != queue; h = arena.next(h))
            {
                if (inspected == OrderBook.MAX_INSPECTED)
                {
                    return OrderBook.HIDDEN_PRICE;
                }
                if (arena.field(h, OrderArena.UID) != uid)
                {
                    return ladder.price(side, level);
                }
                inspected++;
            }
        }
        return OrderBook.NO_PRICE;
    }
}

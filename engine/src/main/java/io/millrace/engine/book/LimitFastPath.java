package io.millrace.engine.book;

import io.millrace.engine.tables.OrderIndex;

import java.lang.invoke.VarHandle;

/**
 * Fast path for plain limit orders that do not trade: an order joins, moves, shrinks or leaves in the ladder's window.
 * It moves orders behind the best price of their side, or behind the second best one if that is known, to that price or
 * a worse one. Each method first checks this in a few predictable branches. If the command does not qualify, it returns
 * false and has changed nothing; the caller then takes the general path, which has the same result and calls the
 * listeners in the same order.
 * <p>
 * A move touches the order's slot in the id table, its row and its links, and the links of its two neighbours. It
 * updates the totals of both levels. In the new level it also touches the bit, the level's node and the links of the
 * last order. See docs/order-book-layout.md.
 * <p>
 * One thread.
 */
final class LimitFastPath
{
    /** First entry of an id that is in no row. */
    static final int NO_ENTRY = 0;

    private static final int RESERVE = 1;
    private static final int RARE = 2;

    private final int symbol;
    private final OrderArena arena;
    private final OrderIndex index;
    private final PriceLadder ladder;
    private final ExecutionListener listener;
    // Null when there is no market data listener.
    private final MarketDataFeed feed;
    // Null when the book does not keep the orders of each user.
    private final UserOrders users;
    private final long[] rows;
    private final long[] totals;
    private final LevelBitmap occupied;
    private final BestPrices[] best;
    // Place of the queue of level 0 in the arena's links.
    private final int firstPlace;
    private final int window;
    // Zero in these bits: an offset in the window.
    private final long outside;
    private final long maxSize;
    private final TradeBand band;
    private final boolean hasBand;
    // Zero, if a move to a valid price is neither refused nor reported. RESERVE is added if bids may not move above
    // their reserve price, RARE if there is a price band or a feed. One branch for a future without them.
    private final int extras;

    LimitFastPath(
        final SymbolSpec spec, final RestingOrders resting, final TradeBand band, final ExecutionListener listener)
    {
        symbol = spec.symbol();
        this.listener = listener;
        arena = resting.arena;
        index = resting.index;
        ladder = resting.ladder;
        feed = resting.feed;
        users = resting.users;
        rows = arena.rows;
        totals = ladder.totals;
        occupied = ladder.occupied;
        best = ladder.best;
        firstPlace = 2 * ladder.queue(0);
        window = spec.windowTicks();
        outside = -(long)window;
        maxSize = spec.maxOrderSize();
        this.band = band;
        hasBand = spec.priceBand().policy() != PriceBand.Policy.NONE;
        extras = (spec.type() == SymbolType.SPOT ? RESERVE : 0) + (hasBand || feed != null ? RARE : 0);
    }

    /**
     * As {@link OrderBook#move}; false when the order or one of the two prices does not qualify. At most 325 bytes of
     * bytecode: C2 inlines no larger method, and as a call it is 9 % slower.
     */
    boolean move(final int entry, final long orderId, final long uid, final long newPrice)
    {
        // For the compiler only, there is one thread: otherwise it reads all fields before the branch on the type, and
        // keeps them on the stack. For the other commands this does not pay.
        VarHandle.loadLoadFence();
        final long[] rows = this.rows;
        final int h = entry - 1;
        final int row = h << OrderArena.ROW_SHIFT;
        if (entry == NO_ENTRY || rows[row] != orderId)
        {
            return moveOther(orderId, uid, newPrice);
        }
        final long side = rows[row + OrderArena.ATTRIBUTES];
        if ((rows[row + OrderArena.UID] ^ uid | side >>> 1) != 0)
        {
            return false;
        }
        // -1 for bids: turns a price into its key.
        final long flip = side - 1;
        final long second = best[(int)side].second;
        final long base = ladder.base;
        final long oldPrice = rows[row + OrderArena.PRICE];
        final long oldOffset = oldPrice - base;
        final long newOffset = newPrice - base;
        if (((oldOffset | newOffset | ladder.greatestOffset - newOffset) & outside) != 0)
        {
            return false;
        }
        // Keys of a side have one sign and no price in the window is negative: no difference overflows.
        if (((newPrice ^ flip) - second | (oldPrice ^ flip) - second - 1) < 0)
        {
            return false;
        }
        // Read once, so that the compiler can remove the second test where the first one never succeeds.
        final int extras = this.extras;
        if (extras != 0 && takesGeneralPath(extras, oldPrice, newPrice, rows[row + OrderArena.RESERVE], flip))
        {
            return false;
        }
        final long open = rows[row + OrderArena.SIZE] - rows[row + OrderArena.FILLED];
        arena.latest = h;
        rows[row + OrderArena.PRICE] = newPrice;
        arena.unlink(h);
        leave((int)oldOffset, open);
        enter(flip, (int)newOffset, h, open);
        if (extras >= RARE && feed != null)
        {
            reportMove(h, (int)side, orderId, open, oldPrice, (int)oldOffset, newPrice, (int)newOffset);
        }
        return true;
    }

    /** As move, for an order whose slot is not the first one of its id. A call, which keeps move small. */
    private boolean moveOther(final long orderId, final long uid, final long newPrice)
    {
        final int h = index.find(orderId);
        return h != OrderArena.NONE && move(h + 1, orderId, uid, newPrice);
    }

    /**
     * Whether a move is refused, because its price is outside the price band or, of a bid, above its reserve price; or
     * whether a feed reports a move to the same price.
     */
    private boolean takesGeneralPath(
        final int extras, final long oldPrice, final long price, final long reserve, final long flip)
    {
        return (extras & RESERVE) != 0 && (Math.max(reserve, -1) - price & flip) < 0 ||
            extras >= RARE && (hasBand && band.exceeds((int)flip + 1, price) || feed != null && price == oldPrice);
    }

    private void leave(final int level, final long volume)
    {
        final long[] totals = this.totals;
        totals[2 * level + 1]--;
        totals[2 * level] -= volume;
    }

    private void enter(final long flip, final int level, final int h, final long volume)
    {
        final long[] totals = this.totals;
        totals[2 * level + 1]++;
        totals[2 * level] += volume;
        arena.appendAt(firstPlace + 2 * level, 2 * h);
        occupied.occupy(window + (level ^ (int)flip));
    }

    /**
     * Reports a move to another price, after it. (A second method that moves and reports would be compiled beside the
     * first one, with 50 instructions more.)
     */
    private void reportMove(
        final int h,
        final int side,
        final long orderId,
        final long open,
        final long oldPrice,
        final int oldLevel,
        final long newPrice,
        final int newLevel)
    {
        // As on the general path: a listener that looks up the removed order finds its old price.
        arena.setField(h, OrderArena.PRICE, oldPrice);
        feed.orderRemoved(side, orderId, oldPrice);
        arena.setField(h, OrderArena.PRICE, newPrice);
        reportLevel(side, oldLevel, oldPrice);
        feed.orderAdded(side, orderId, newPrice, open);
        reportLevel(side, newLevel, newPrice);
    }

    /** Reports a level of the window. An empty one has volume 0. */
    private void reportLevel(final int side, final int level, final long price)
    {
        feed.level(side, price, totals[2 * level], (int)totals[2 * level + 1]);
    }

    /** Places an order; false when its attributes are not 0, or its id or its price does not qualify. */
    boolean place(
        final int entry,
        final long attributes,
        final int side,
        final long orderId,
        final long uid,
        final long price,
        final long size,
        final long reservePrice)
    {
        final boolean qualifies = qualifies(entry, attributes, side, orderId, price, size);
        if (qualifies)
        {
            place(side, orderId, uid, price, size, reservePrice);
        }
        return qualifies;
    }

    /** Whether an order is one for the fast path; changes nothing. */
    boolean qualifies(
        final int entry, final long attributes, final int side, final long orderId, final long price, final long size)
    {
        if ((side & ~1 | attributes) != 0 ||
            (entry | index.overflowed()) != NO_ENTRY && index.find(orderId) != OrderArena.NONE)
        {
            return false;
        }
        // The best key of an empty side is worse than all. The complement is the key of the other side.
        final long offset = price - ladder.base;
        if (((offset | ladder.greatestOffset - offset) & outside) != 0 ||
            best[side ^ 1].key <= ~(price ^ side - 1) || arena.isFull())
        {
            return false;
        }
        return (size - 1 | maxSize - size) >= 0 && !(hasBand && band.exceeds(side, price));
    }

    /** Places an order that qualifies. */
    void place(
        final int side, final long orderId, final long uid, final long price, final long size, final long reservePrice)
    {
        final long flip = side - 1;
        final long offset = price - ladder.base;
        final int h = arena.allocate();
        arena.set(h, orderId, uid, price, size, 0, side, reservePrice, 0);
        index.add(orderId, h);
        if (users != null)
        {
            users.add(h, uid);
        }
        final long key = price ^ flip;
        final BestPrices prices = best[side];
        if (key < prices.key)
        {
            ladder.lead(side, (int)offset, key, h, size);
        }
        else
        {
            enter(flip, (int)offset, h, size);
            prices.follow(key);
        }
        if (feed != null)
        {
            feed.orderAdded(side, orderId, price, size);
            reportLevel(side, (int)offset, price);
        }
    }

    /**
     * As {@link OrderBook#cancel}, or with a number {@link OrderBook#reduce}; false when the order or its price does
     * not qualify.
     *
     * @param reduceBy 1 or more; {@link Long#MAX_VALUE} for all.
     * @param reason   for the listener.
     */
    boolean reduce(
        final int entry, final long orderId, final long uid, final long reduceBy, final byte reason)
    {
        final long[] rows = this.rows;
        // Not as in move: the compiler would compute what both have in common before the branch on the type.
        int h = entry - 1;
        if (entry == NO_ENTRY || rows[h << OrderArena.ROW_SHIFT] != orderId)
        {
            h = index.find(orderId);
            if (h == OrderArena.NONE)
            {
                return false;
            }
        }
        final int row = h << OrderArena.ROW_SHIFT;
        final long side = rows[row + OrderArena.ATTRIBUTES];
        if ((rows[row + OrderArena.UID] ^ uid | side >>> 1) != 0)
        {
            return false;
        }
        final long price = rows[row + OrderArena.PRICE];
        final long offset = price - ladder.base;
        if ((offset & outside) != 0)
        {
            return false;
        }
        final long open = rows[row + OrderArena.SIZE] - rows[row + OrderArena.FILLED];
        final boolean completed = reduceBy >= open;
        if (completed)
        {
            remove(h, (int)offset, orderId, (int)side, price, open);
        }
        else
        {
            rows[row + OrderArena.SIZE] -= reduceBy;
            arena.latest = h;
            shrink((int)offset, orderId, (int)side, price, reduceBy, open - reduceBy);
        }
        listener.onReduce(reason, symbol, orderId, uid, (byte)side, price, completed ? open : reduceBy, completed,
            rows[row + OrderArena.RESERVE]);
        if (feed != null)
        {
            reportLevel((int)side, (int)offset, price);
        }
        return true;
    }

    private void remove(
        final int h, final int level, final long orderId, final int side, final long price, final long open)
    {
        arena.unlink(h);
        leave(level, open);
        // One branch instead of two that are unpredictable: the best level is empty now.
        if ((level ^ ladder.bestLevel(side) | totals[2 * level + 1]) == 0)
        {
            ladder.findBest(side);
        }
        if (feed != null)
        {
            feed.orderRemoved(side, orderId, price);
        }
        index.remove(orderId, h);
        arena.free(h);
        if (users != null)
        {
            users.remove(h);
        }
    }

    private void shrink(
        final int level, final long orderId, final int side, final long price, final long by, final long open)
    {
        totals[2 * level] -= by;
        if (feed != null)
        {
            feed.orderReduced(side, orderId, price, open);
        }
    }
}

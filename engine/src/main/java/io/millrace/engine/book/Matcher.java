package io.millrace.engine.book;

/**
 * Matches an incoming order with the resting orders of the other side: whether they cross, the available size, and the
 * trades. One thread.
 */
final class Matcher
{
    /** No price is worse than this key. */
    static final long ANY_KEY = PriceLadder.NO_KEY - 1;

    private static final int BID = Side.BID;

    private final int symbol;
    private final RestingOrders resting;
    private final OrderArena arena;
    private final PriceLadder ladder;
    private final ExecutionListener listener;

    Matcher(final int symbol, final RestingOrders resting, final ExecutionListener listener)
    {
        this.symbol = symbol;
        this.resting = resting;
        this.listener = listener;
        arena = resting.arena;
        ladder = resting.ladder;
    }

    /** The key, on the other side, of the worst price that an order trades at. */
    static long limitKey(final int side, final long price)
    {
        return PriceLadder.key(side ^ 1, price);
    }

    boolean crosses(final int side, final long price)
    {
        return ladder.bestKey(side ^ 1) <= limitKey(side, price);
    }

    /** The part of a size that the other side can fill up to a limit. */
    long available(final int side, final long limitKey, final long size)
    {
        final int other = side ^ 1;
        if (ladder.bestKey(other) > limitKey)
        {
            return 0;
        }
        int level = ladder.bestLevel(other);
        long sum = ladder.liquidity(level);
        while (sum < size)
        {
            level = ladder.worse(other, level);
            if (level == PriceLadder.NONE || PriceLadder.key(other, ladder.price(other, level)) > limitKey)
            {
                break;
            }
            sum += ladder.liquidity(level);
        }
        return Math.min(sum, size);
    }

    /**
     * Whether the other side fills a size completely, up to a limit: a bid for at most the budget, an ask for at least
     * the budget.
     */
    boolean withinBudget(final int side, final long limitKey, final long budget, final long size)
    {
        final int other = side ^ 1;
        long left = size;
        long cost = 0;
        int level = ladder.bestLevel(other);
        while (left > 0 && level != PriceLadder.NONE &&
            PriceLadder.key(other, ladder.price(other, level)) <= limitKey)
        {
            final long price = ladder.price(other, level);
            final long traded = Math.min(left, ladder.liquidity(level));
            final long product = price * traded;
            if (Math.multiplyHigh(price, traded) != 0 || product < 0 || cost + product < 0)
            {
                // More than any budget: of an ask, only the size is still open.
                return side != BID && available(side, limitKey, size) == size;
            }
            cost += product;
            left -= traded;
            level = ladder.worse(other, level);
        }
        return left == 0 && (side == BID ? cost <= budget : cost >= budget);
    }

    /** Trades up to the limit or until nothing is left; returns the filled size. */
    long trade(
        final int side,
        final long orderId,
        final long uid,
        final long reservePrice,
        final long limitKey,
        final long size,
        final long filledBefore)
    {
        long filled = filledBefore;
        while (filled < size && ladder.bestKey(side ^ 1) <= limitKey)
        {
            filled += tradeWithBest(side, orderId, uid, reservePrice, size - filled);
        }
        return filled;
    }

    private long tradeWithBest(
        final int side,
        final long takerId,
        final long takerUid,
        final long takerReserve,
        final long takerOpen)
    {
        final int makerSide = side ^ 1;
        final int level = ladder.bestLevel(makerSide);
        final long price = PriceLadder.key(makerSide, ladder.bestKey(makerSide));
        final int maker = arena.next(arena.queue(level));
        final long[] rows = arena.rows;
        final int row = maker << OrderArena.ROW_SHIFT;
        final long makerId = rows[row];
        final long makerOpen = rows[row + OrderArena.SIZE] - rows[row + OrderArena.FILLED];
        final long traded = Math.min(takerOpen, rows[row + OrderArena.ATTRIBUTES] >>> 1 == 0 ? makerOpen :
            arena.shown(maker));
        final boolean makerCompleted = traded == makerOpen;
        final long tradeId = resting.trade(side, makerId, price, traded);
        if (makerCompleted)
        {
            resting.remove(makerSide, level, maker, makerOpen);
        }
        else
        {
            rows[row + OrderArena.FILLED] += traded;
            resting.take(makerSide, level, maker, traded);
        }
        // A freed row keeps its fields; no listener can allocate it again.
        listener.onTrade(tradeId, symbol, makerId, rows[row + OrderArena.UID], makerCompleted, takerId, takerUid,
            (byte)side, traded == takerOpen, price, traded,
            side == BID ? takerReserve : rows[row + OrderArena.RESERVE]);
        return traded;
    }

    /** Trades a resting order, at any place of its queue, with an order outside of the book, which is then filled. */
    void tradeOutside(final int maker, final long takerId, final long takerUid, final long size)
    {
        final int side = arena.side(maker);
        final long price = arena.field(maker, OrderArena.PRICE);
        final long open = arena.open(maker);
        final int level = ladder.levelOf(side, price, maker);
        final long tradeId = resting.trade(side ^ 1, arena.id(maker), price, size);
        if (size == open)
        {
            resting.remove(side, level, maker, open);
        }
        else
        {
            arena.setField(maker, OrderArena.FILLED, arena.field(maker, OrderArena.FILLED) + size);
            resting.take(side, level, maker, size);
        }
        listener.onTrade(tradeId, symbol, arena.id(maker), arena.field(maker, OrderArena.UID), size == open, takerId,
            takerUid, (byte)(side ^ 1), true, price, size,
            side == BID ? arena.field(maker, OrderArena.RESERVE) : price);
    }

    /** Trades up to the limit, the budget or an order of the same user; the taker stores the filled size. */
    void trade(final Taker taker)
    {
        if (taker.policy == SelfTradePolicy.ALLOW && taker.budget == Taker.UNLIMITED)
        {
            taker.filled = trade(taker.side, taker.orderId, taker.uid, taker.reserve, taker.limitKey, taker.size,
                taker.filled);
            return;
        }
        final int makerSide = taker.side ^ 1;
        while (taker.open() > 0 && ladder.bestKey(makerSide) <= taker.limitKey)
        {
            final int level = ladder.bestLevel(makerSide);
            final int maker = arena.next(arena.queue(level));
            if (taker.isPrevented(arena.field(maker, OrderArena.UID)))
            {
                prevent(taker, level, maker);
            }
            else
            {
                final long price = PriceLadder.key(makerSide, ladder.bestKey(makerSide));
                final long size = Math.min(taker.open(), arena.shown(maker));
                if (Taker.exceeds(taker.budget, price, size))
                {
                    return;
                }
                taker.budget -= taker.budget == Taker.UNLIMITED ? 0 : price * size;
                taker.filled +=
                    tradeWithBest(taker.side, taker.orderId, taker.uid, taker.reserve, taker.open());
            }
        }
    }

    private void prevent(final Taker taker, final int level, final int maker)
    {
        switch (taker.policy)
        {
            case SelfTradePolicy.CANCEL_OLDEST:
                reduceMaker(taker, level, maker, arena.open(maker));
                break;
            case SelfTradePolicy.CANCEL_NEWEST:
                reduceTaker(taker, taker.open());
                break;
            case SelfTradePolicy.CANCEL_BOTH:
                reduceMaker(taker, level, maker, arena.open(maker));
                reduceTaker(taker, taker.open());
                break;
            default:
                final long size = Math.min(taker.open(), arena.shown(maker));
                reduceMaker(taker, level, maker, size);
                reduceTaker(taker, size);
        }
    }

    private void reduceMaker(final Taker taker, final int level, final int maker, final long by)
    {
        final int side = taker.side ^ 1;
        final long open = arena.open(maker);
        if (by == open)
        {
            resting.remove(side, level, maker, open);
        }
        else
        {
            arena.setField(maker, OrderArena.SIZE, arena.field(maker, OrderArena.SIZE) - by);
            resting.take(side, level, maker, by);
        }
        listener.onReduce(ExecutionReason.SELF_TRADE, symbol, arena.id(maker), arena.field(maker, OrderArena.UID),
            (byte)side, arena.field(maker, OrderArena.PRICE), by, by == open, arena.field(maker, OrderArena.RESERVE));
    }

    private void reduceTaker(final Taker taker, final long by)
    {
        taker.size -= by;
        listener.onReduce(ExecutionReason.SELF_TRADE, symbol, taker.orderId, taker.uid, (byte)taker.side, taker.price,
            by, taker.open() == 0, taker.reserve);
    }
}

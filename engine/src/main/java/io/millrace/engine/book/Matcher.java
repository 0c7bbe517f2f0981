package io.millrace.engine.book;

/**
 * What happens between an order that comes and the orders that rest on the other side: whether they meet, how much
 * there is, and the trades. One thread.
 */
final class Matcher
{
    /** Every price is at least as good as this. */
    static final long ANY_KEY = PriceLadder.NO_KEY - 1;

    private static final int BID = Side.BID;

    private final OrderArena arena;
    private final OrderIndex index;
    private final PriceLadder ladder;
    private final ExecutionListener listener;

    Matcher(
        final OrderArena arena, final OrderIndex index, final PriceLadder ladder, final ExecutionListener listener)
    {
        this.arena = arena;
        this.index = index;
        this.ladder = ladder;
        this.listener = listener;
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

    /** How much of a size the other side has up to a limit. */
    long available(final int side, final long limitKey, final long size)
    {
        final int other = side ^ 1;
        if (ladder.bestKey(other) > limitKey)
        {
            return 0;
        }
        int level = ladder.bestLevel(other);
        long sum = ladder.volume(level);
        while (sum < size)
        {
            level = ladder.worse(other, level);
            if (level == PriceLadder.NONE || PriceLadder.key(other, ladder.price(other, level)) > limitKey)
            {
                break;
            }
            sum += ladder.volume(level);
        }
        return Math.min(sum, size);
    }

    /** Whether the other side fills a size completely, a bid's for at most a budget, an ask's for at least that. */
    boolean withinBudget(final int side, final long budget, final long size)
    {
        final int other = side ^ 1;
        long left = size;
        long cost = 0;
        int level = ladder.bestLevel(other);
        while (left > 0 && level != PriceLadder.NONE)
        {
            final long price = ladder.price(other, level);
            final long traded = Math.min(left, ladder.volume(level));
            final long product = price * traded;
            if (Math.multiplyHigh(price, traded) != 0 || product < 0 || cost + product < 0)
            {
                // More than any budget, whatever follows: only whether all of an ask finds a buyer is still open.
                return side != BID && available(side, ANY_KEY, size) == size;
            }
            cost += product;
            left -= traded;
            level = ladder.worse(other, level);
        }
        return left == 0 && (side == BID ? cost <= budget : cost >= budget);
    }

    /** Trade until the limit, or until nothing is left; what is filled then. */
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
        final long traded = Math.min(takerOpen, makerOpen);
        final boolean makerCompleted = traded == makerOpen;
        if (makerCompleted)
        {
            remove(makerSide, level, maker, makerId, makerOpen);
        }
        else
        {
            rows[row + OrderArena.FILLED] += traded;
            ladder.reduce(level, traded);
        }
        // A freed row keeps its words; no listener can lend it again.
        listener.onTrade(makerId, rows[row + OrderArena.UID], makerCompleted, takerId, takerUid, (byte)side,
            traded == takerOpen, price, traded, side == BID ? takerReserve : rows[row + OrderArena.RESERVE]);
        return traded;
    }

    /** Take an order out of everything. Its row keeps its words until it is lent again. */
    void remove(final int side, final int level, final int h, final long orderId, final long open)
    {
        ladder.leave(side, level, h, open);
        index.remove(orderId, h);
        arena.free(h);
    }
}

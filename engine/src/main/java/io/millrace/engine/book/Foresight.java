package io.millrace.engine.book;

/**
 * What would become of an order that comes, found out order by order before anything happens. For the orders that
 * prevent self-trades or stop at a budget; what a plain one finds is told by the totals of the levels, see {@link
 * Matcher#available}. Takes a step for each order that would be met. One thread.
 */
final class Foresight
{
    private static final int NONE = PriceLadder.NONE;

    private final RestingOrders resting;
    private final OrderArena arena;
    private final PriceLadder ladder;
    private long left;
    private long budget;
    private long traded;
    private long prevented;
    private long cost;
    private boolean costsMoreThanAny;

    Foresight(final RestingOrders resting)
    {
        this.resting = resting;
        arena = resting.arena;
        ladder = resting.ladder;
    }

    /** How much would be traded. */
    long traded()
    {
        return traded;
    }

    /** How much of the taker would be lost by the prevention of self-trades. */
    long prevented()
    {
        return prevented;
    }

    /** Whether all of a size would be traded, a bid's for at most a budget, an ask's for at least that. */
    boolean fillsWithin(final Taker taker, final long total)
    {
        return traded == taker.size && (taker.side == Side.BID ? !costsMoreThanAny && cost <= total :
            costsMoreThanAny || cost >= total);
    }

    void look(final Taker taker)
    {
        final int other = taker.side ^ 1;
        left = taker.open();
        budget = taker.budget;
        traded = 0;
        prevented = 0;
        cost = 0;
        costsMoreThanAny = false;
        int level = ladder.bestLevel(other);
        while (level != NONE && left > 0 && lookAtLevel(taker, level, ladder.price(other, level)))
        {
            level = ladder.worse(other, level);
        }
    }

    /** Whether the taker would go on to the next level. */
    private boolean lookAtLevel(final Taker taker, final int level, final long price)
    {
        if (PriceLadder.key(taker.side ^ 1, price) > taker.limitKey)
        {
            return false;
        }
        final int queue = ladder.queue(level);
        long round = 0;
        boolean again = true;
        while (again)
        {
            again = false;
            for (int h = arena.next(queue); h != queue; h = arena.next(h))
            {
                final long slice = resting.slice(h, round);
                final boolean passedOver = slice == 0 || taker.policy == SelfTradePolicy.CANCEL_OLDEST &&
                    taker.isPrevented(arena.field(h, OrderArena.UID));
                if (!passedOver)
                {
                    if (!meet(taker, h, price, slice))
                    {
                        return false;
                    }
                    again |= arena.isIceberg(h);
                }
            }
            round++;
        }
        return true;
    }

    /** Whether the taker would go on behind an order. */
    private boolean meet(final Taker taker, final int h, final long price, final long slice)
    {
        final long size = Math.min(left, slice);
        if (!taker.isPrevented(arena.field(h, OrderArena.UID)))
        {
            if (Taker.exceeds(budget, price, size))
            {
                return false;
            }
            traded += size;
            pay(price, size);
        }
        else if (taker.policy == SelfTradePolicy.DECREMENT)
        {
            prevented += size;
        }
        else
        {
            prevented += left;
            left = 0;
            return false;
        }
        left -= size;
        return left > 0;
    }

    private void pay(final long price, final long size)
    {
        final long product = price * size;
        if (budget != Taker.UNLIMITED)
        {
            budget -= product;
        }
        costsMoreThanAny |= Math.multiplyHigh(price, size) != 0 || product < 0 || cost + product < 0;
        cost += product;
    }
}
